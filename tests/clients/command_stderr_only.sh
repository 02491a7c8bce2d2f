#!/bin/sh
# Looks for the limit on stderr, where it never is: every failure is "other",
# and is given up.
err=$(mktemp)
for wait in 1 2 4; do
  out=$(claude --print hello 2>"$err") && echo "$out" && break
  grep -q 'API Error: 429' "$err" || { echo "failed: other" >&2; exit 1; }
  sleep "$wait"
done
