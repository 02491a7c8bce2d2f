#!/usr/bin/env bash
# bash, curl and sleep; the read time-out is that of bash's read.
url=$ANTHROPIC_BASE_URL/v1/messages
body='{"model":"m","max_tokens":64,"stream":true,"messages":[]}'

header() { # name
  tr -d '\r' <"$HOME/head" | sed -n "s/^$1: //p"
}

wait_s() { # try
  local asked reset
  asked=$(header retry-after)
  reset=$(header anthropic-ratelimit-unified-reset)
  if [ -n "$asked" ]; then
    echo "$asked"
  elif [ -n "$reset" ]; then
    # whole milliseconds: date, bash and sleep all know them
    local now=$(($(date +%s%3N)))
    printf '%d.%03d\n' $(((reset * 1000 - now) / 1000)) \
      $(((reset * 1000 - now) % 1000))
  else
    echo $((1 << ($1 - 1)))
  fi
}

for try in 1 2 3 4; do
  rm -f "$HOME/head"
  exec 3< <(exec curl -sSN -D "$HOME/head" -d "$body" "$url")
  curl=$!
  events=0
  while :; do
    IFS= read -r -t 300 -u 3 line
    rc=$?
    [ $rc -eq 0 ] || break
    case $line in data:*) events=$((events + 1)) ;; esac
  done
  if [ $rc -gt 128 ]; then # bash's word for its time-out
    kill $curl
    echo "nothing was read for too long" >&2
    exit 1
  fi
  exec 3<&-
  if grep -q ' 200 ' "$HOME/head"; then
    echo "$events events"
    exit 0
  fi
  wait=$(wait_s $try)
  echo "wait $wait"
  sleep "$wait"
done
exit 1
