#include "mockserver/call.h"

/* A cursor over JSON text. Wrong JSON ends the scan early; the server
 * answers such a body like any other. */
struct scan {
  const char *p, *end;
};

static bool ends_scalar(char c)
{
  return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' ||
         c == '\r' || c == '\t';
}

static void skip_space(struct scan *s)
{
  while (s->p < s->end &&
         (*s->p == ' ' || *s->p == '\n' || *s->p == '\r' || *s->p == '\t'))
    s->p++;
}

/* At the opening quote; moves behind the closing one. */
static bool take_string(struct scan *s, struct bytes *ret)
{
  const char *first = ++s->p;
  while (s->p < s->end && *s->p != '"')
    s->p += *s->p == '\\' ? 2 : 1;
  if (s->p >= s->end)
    return false;
  *ret = (struct bytes){first, (size_t)(s->p - first)};
  s->p++;
  return true;
}

/* At '{' or '['; moves behind its end. */
static bool skip_nested(struct scan *s)
{
  struct bytes ignored;
  size_t depth = 0;
  while (s->p < s->end) {
    char c = *s->p;
    if (c == '"') {
      if (!take_string(s, &ignored))
        return false;
      continue;
    }
    s->p++;
    depth += c == '{' || c == '[';
    if ((c == '}' || c == ']') && --depth == 0)
      return true;
  }
  return false;
}

static bool take_value(struct scan *s, struct bytes *ret)
{
  const char *first = s->p;
  if (s->p >= s->end)
    return false;
  if (*s->p == '"')
    return take_string(s, ret);
  if (*s->p == '{' || *s->p == '[') {
    if (!skip_nested(s))
      return false;
  } else {
    while (s->p < s->end && !ends_scalar(*s->p))
      s->p++;
  }
  *ret = (struct bytes){first, (size_t)(s->p - first)};
  return ret->n > 0;
}

/* One `"key": value` and the comma behind it. */
static bool take_member(struct scan *s, struct bytes *ret_key,
                        struct bytes *ret_value)
{
  skip_space(s);
  if (s->p >= s->end || *s->p != '"' || !take_string(s, ret_key))
    return false;
  skip_space(s);
  if (s->p >= s->end || *s->p++ != ':')
    return false;
  skip_space(s);
  if (!take_value(s, ret_value))
    return false;
  skip_space(s);
  if (s->p < s->end && *s->p == ',')
    s->p++;
  return true;
}

bool call_scan(struct bytes body, const char *key, struct bytes *ret)
{
  struct scan s = {body.p, body.p ? body.p + body.n : NULL};
  struct bytes wanted = bytes_of(key), name, value;
  skip_space(&s);
  if (s.p >= s.end || *s.p++ != '{')
    return false;
  while (take_member(&s, &name, &value)) {
    if (bytes_equal(name, wanted)) {
      *ret = value;
      return true;
    }
  }
  return false;
}
