wrk.method = "POST"
wrk.body = '{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"hello"}]}'
wrk.headers["content-type"] = "application/json"
wrk.headers["x-api-key"] = "sk-dummy-0123456789"
