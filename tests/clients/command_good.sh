#!/bin/sh
# The control for commands: reads both outputs, waits what the text asks or 1,
# 2, 4 s, starts no more at a usage limit or a wrong key.
hits=0 wait=1 n=0
end() {
  echo "rate_limit metrics label=good state=closed hits=$hits rejected=0" \
    "opened=0 backoff_total=0.0s" >&2
  exit "$1"
}
while [ $n -lt 4 ]; do
  n=$((n + 1))
  if out=$(claude --print hello 2>&1); then echo "$out"; end 0; fi
  case $out in
  *"API Error: 429"* | *"(429)"* | *529*) hits=$((hits + 1)) ;;
  *) echo "$out" >&2; end 1 ;;
  esac
  asked=$(echo "$out" | sed -n 's/.*try again in \([0-9]*\) seconds.*/\1/p')
  sleep "${asked:-$wait}"
  wait=$((wait * 2))
done
end 1
