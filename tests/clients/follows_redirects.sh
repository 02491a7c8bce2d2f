#!/bin/sh
# Goes wherever it is sent, with key and prompt.
exec curl -sS -N --fail --location --max-redirs 3 -H "x-api-key: $ANTHROPIC_API_KEY" \
  -d '{"model":"m","max_tokens":64,"stream":true,"messages":[{"role":"user","content":"hello"}]}' \
  "$ANTHROPIC_BASE_URL/v1/messages"
