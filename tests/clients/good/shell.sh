#!/bin/sh
# A right client of a shell: curl, two tries, stops when asked to wait for
# more than three seconds.
head=$(mktemp)
trap 'rm -f "$head"' EXIT
for try in 1 2; do
	body=$(curl -s -D "$head" -m 3 -H 'content-type: application/json' \
		-H "x-api-key: $ANTHROPIC_API_KEY" \
		-d '{"model":"m","max_tokens":64,"messages":[{"role":"user","content":"hello"}]}' \
		"$ANTHROPIC_BASE_URL/v1/messages") || body=
	status=$(sed -n '1s/^HTTP[^ ]* \([0-9]*\).*/\1/p' "$head")
	if [ "$status" = 200 ] && [ -n "$body" ]; then
		printf '%s\n' "$body" | sed -n 's/.*"text":"\([^"]*\)".*/\1/p'
		exit 0
	fi
	wait=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$head")
	case $status in 429 | 5??) ;; *) break ;; esac
	if [ "${wait:-1}" -gt 3 ] || [ "$try" = 2 ]; then break; fi
	sleep "${wait:-0.4}"
done
echo "failed: $status" >&2
exit 1
