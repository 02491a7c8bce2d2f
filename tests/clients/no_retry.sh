#!/bin/sh
# Gives up at the first refusal, though waiting two seconds would do.
exec curl -sS -N --fail --max-time 10 \
  -H 'content-type: application/json' -H "x-api-key: $ANTHROPIC_API_KEY" \
  -d '{"model":"m","max_tokens":64,"stream":true,"messages":[]}' \
  "$ANTHROPIC_BASE_URL/v1/messages"
