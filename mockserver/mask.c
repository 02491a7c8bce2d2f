#include "mockserver/mask.h"

#define STARS 3
#define SUFFIX_MAX 4

static bool is_one_of(struct bytes name, const struct bytes *list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (list[i].n == name.n && bytes_equal_nocase(list[i], name))
      return true;
  return false;
}

bool mask_is_secret(struct bytes name)
{
  static const struct bytes names[] = {
      {"authorization", 13}, {"proxy-authorization", 19},
      {"x-api-key", 9},      {"x-goog-api-key", 14},
      {"api-key", 7},        {"cookie", 6}};
  return is_one_of(name, names, sizeof names / sizeof *names);
}

static bool is_secret_parameter(struct bytes name)
{
  static const struct bytes names[] = {{"key", 3},
                                       {"api_key", 7},
                                       {"api-key", 7},
                                       {"access_token", 12},
                                       {"token", 5}};
  return is_one_of(name, names, sizeof names / sizeof *names);
}

static size_t suffix_of(struct bytes value)
{
  return value.n / 4 < SUFFIX_MAX ? value.n / 4 : SUFFIX_MAX;
}

size_t mask_length(struct bytes value)
{
  return STARS + suffix_of(value);
}

char *mask_value(char *out, struct bytes value)
{
  size_t n = suffix_of(value);
  memset(out, '*', STARS);
  if (n)
    memcpy(out + STARS, value.p + value.n - n, n);
  return out + STARS + n;
}

static char *copy(char *out, const char *from, const char *to)
{
  size_t n = (size_t)(to - from);
  if (n)
    memcpy(out, from, n);
  return out + n;
}

/* One parameter, without the sign in front of it. */
static char *mask_parameter(char *out, struct bytes parameter)
{
  const char *end = parameter.p + parameter.n;
  const char *equals = memchr(parameter.p, '=', parameter.n);
  if (!equals || !is_secret_parameter((struct bytes){
                     parameter.p, (size_t)(equals - parameter.p)}))
    return copy(out, parameter.p, end);
  out = copy(out, parameter.p, equals + 1);
  return mask_value(out,
                    (struct bytes){equals + 1, (size_t)(end - equals - 1)});
}

char *mask_target(char *out, struct bytes target)
{
  if (target.n == 0)
    return out;
  const char *end = target.p + target.n;
  const char *p = memchr(target.p, '?', target.n);
  if (!p)
    return copy(out, target.p, end);
  out = copy(out, target.p, p);
  while (p < end) {
    *out++ = *p++; /* '?' or '&' */
    const char *next = memchr(p, '&', (size_t)(end - p));
    if (!next)
      next = end;
    out = mask_parameter(out, (struct bytes){p, (size_t)(next - p)});
    p = next;
  }
  return out;
}

size_t mask_target_room(struct bytes target)
{
  size_t parameters = 1;
  for (size_t i = 0; i < target.n; i++)
    parameters += target.p[i] == '&';
  return target.n + STARS * parameters;
}
