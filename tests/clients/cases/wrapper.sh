#!/bin/bash
# The incidents that are the shell's own: a pattern for yesterday's words, and
# an exit code that is that of the last command of a pipe.
# wrapper.sh [--bug NAME] -- COMMAND ARGS
bug=
[ "$1" = --bug ] && bug=$2 && shift 2
shift
hits=0 class=other state=closed

end() {
  echo "rate_limit metrics label=client state=$state hits=$hits rejected=0" \
    "opened=$hits backoff_total=0.0s attempts=1 retries=0 timeouts=0" \
    "truncated=0" >&2
  exit "$1"
}

case $bug in
exit-code-lost) # B070
  "$@" 2>&1 | tee "$HOME/log"
  end $?
  ;;
old-wording) # B065
  limit='usage limit reached'
  ;;
*)
  limit='usage limit reached|(hit|reached) your .*limit'
  ;;
esac
out=$("$@" 2>&1)
code=$?
if echo "$out" | grep -Eqi "$limit"; then
  hits=1 class=usage_limit state=open code=75
elif [ $code -eq 0 ]; then
  echo "$out"
  end 0
fi
echo "client: class=$class $out" >&2
end "$code"
