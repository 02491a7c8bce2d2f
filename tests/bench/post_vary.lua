-- as post.lua, but no two heads are the same: each has to be parsed
wrk.method = "POST"
wrk.body = '{"model":"m","max_tokens":100,"messages":[{"role":"user","content":"hello"}]}'
wrk.headers["content-type"] = "application/json"
wrk.headers["x-api-key"] = "sk-dummy-0123456789"
local i = 0
request = function()
  i = i + 1
  wrk.headers["x-request"] = string.format("%09d", i)
  return wrk.format(nil, nil)
end
