/* Which field is read how, and which of several fields decides. */
#include "guard/hint.h"

#include <string.h>

struct field {
  const char *name; /* may hold one '*' */
  size_t name_n;
  guard_hint_reader *read;
  int rank;
  const char *family; /* name of the field that tells what is left */
};

static const struct field fields[] = {
#define HINT(name, reader, rank, family)                                       \
  {name, sizeof(name) - 1, guard_hint_##reader, rank, family},
#include "guard/retry_after.def"
#undef HINT
};

enum { NFIELDS = sizeof(fields) / sizeof(fields[0]) };

/* A name with at most one '*', taken apart. */
struct pattern {
  const char *text;
  size_t head_n;    /* bytes before the '*', or all */
  const char *tail; /* behind the '*'; NULL: there is none */
};

static struct pattern pattern_of(const char *text)
{
  const char *star = strchr(text, '*');

  if (!star)
    return (struct pattern){text, strlen(text), NULL};
  return (struct pattern){text, (size_t)(star - text), star + 1};
}

/* Patterns are written in small letters, and so are most names. What ends
 * earlier is not the same. */
static bool same_letters(const char *pattern, const char *name, size_t n)
{
  size_t i = 0;

  while (i < n && (name[i] == pattern[i] ||
                   guard_lower((unsigned char)name[i]) == pattern[i]))
    i++;
  return i == n;
}

/* True when `name` fits; *ret_star is what the '*' stands for. */
static bool name_fits(const struct pattern *p, const char *name,
                      struct guard_scan *ret_star)
{
  size_t n, tail_n;

  /* one more: a name ends where its pattern does */
  if (!same_letters(p->text, name, p->head_n + (p->tail ? 0 : 1)))
    return false;
  *ret_star = guard_scan_of(name + p->head_n, 0);
  if (!p->tail)
    return true;
  n = strlen(name);
  tail_n = strlen(p->tail);
  if (n < p->head_n + tail_n)
    return false;
  ret_star->end = name + n - tail_n;
  return same_letters(p->tail, ret_star->end, tail_n);
}

static const struct field *field_of(const char *name,
                                    struct guard_scan *ret_star)
{
  int first = guard_lower((unsigned char)name[0]);
  size_t longest = strlen(name) + 1; /* the '*' may stand for nothing */

  for (int i = 0; i < NFIELDS; i++) {
    struct pattern p;

    if (fields[i].name[0] != first || fields[i].name_n > longest)
      continue;
    p = pattern_of(fields[i].name);
    if (name_fits(&p, name, ret_star))
      return &fields[i];
  }
  return NULL;
}

struct guard_scan guard_header_value(const struct guard_header *h)
{
  if (h->value && h->value_n > 0)
    return guard_scan_of(h->value, h->value_n);
  return guard_scan_str(h->value);
}

const struct guard_header *guard_header_find(const struct guard_header *headers,
                                             size_t nheaders, const char *name)
{
  const struct pattern p = pattern_of(name);
  struct guard_scan star;

  for (size_t i = 0; i < nheaders; i++)
    if (headers[i].name && name_fits(&p, headers[i].name, &star))
      return &headers[i];
  return NULL;
}

enum guard_hint guard_hint_field(const char *name, struct guard_scan value,
                                 int64_t now_ms, struct guard_hint_value *ret)
{
  struct guard_scan star;
  const struct field *f = field_of(name, &star);

  return f ? f->read(value, now_ms, ret) : GUARD_HINT_ABSENT;
}

/* What a family's own field says: "0", "rejected" and 100 % are used up. */
static bool is_used_up(const struct guard_header *left)
{
  struct guard_scan s = guard_header_value(left);
  struct guard_decimal d;

  guard_scan_trim(&s);
  if (guard_scan_has(s, "allowed"))
    return false;
  if (!guard_scan_decimal(&s, &d))
    return true;
  if (guard_scan_has(guard_scan_str(left->name), "used-percent"))
    return d.whole >= 100;
  return d.whole == 0;
}

/* False when the family of |f| has something left, so that its reset time
 * says nothing about this refusal. */
static bool speaks(const struct field *f, struct guard_scan star,
                   const struct guard_header *headers, size_t nheaders)
{
  struct guard_scan other;
  struct pattern p;

  if (!f->family)
    return true;
  p = pattern_of(f->family);
  for (size_t i = 0; i < nheaders; i++) {
    const char *name = headers[i].name;

    if (!name || !name_fits(&p, name, &other) ||
        guard_scan_left(&other) != guard_scan_left(&star))
      continue;
    if (memcmp(other.p, star.p, guard_scan_left(&star)) == 0)
      return is_used_up(&headers[i]);
  }
  return true;
}

struct best {
  enum guard_hint hint;
  int rank;
  struct guard_hint_value value;
};

/* False for a family's field once a better one gave a wait: none of them
 * forbids a retry. */
static bool may_decide(const struct field *f, const struct best *best)
{
  return !f->family || best->hint != GUARD_HINT_WAIT || best->rank >= f->rank;
}

static void take_header(struct best *best, const struct field *f,
                        struct guard_scan value, int64_t now_ms)
{
  struct guard_hint_value v;
  enum guard_hint hint = f->read(value, now_ms, &v);

  if (best->hint == GUARD_HINT_STOP || hint == GUARD_HINT_ABSENT)
    return;
  if (hint != GUARD_HINT_WAIT) {
    if (hint == GUARD_HINT_STOP || best->hint == GUARD_HINT_ABSENT)
      best->hint = hint;
    return;
  }
  if (best->hint == GUARD_HINT_WAIT &&
      (best->rank < f->rank ||
       (best->rank == f->rank && best->value.wait_ms >= v.wait_ms)))
    return;
  *best = (struct best){hint, f->rank, v};
}

enum guard_hint guard_hint_headers(const struct guard_header *headers,
                                   size_t nheaders, int64_t now_ms,
                                   struct guard_hint_value *ret)
{
  struct best best = {GUARD_HINT_ABSENT, 0, {0, 0}};

  for (size_t i = 0; i < nheaders; i++) {
    struct guard_scan star;
    const struct field *f =
        headers[i].name ? field_of(headers[i].name, &star) : NULL;

    if (f && may_decide(f, &best) && speaks(f, star, headers, nheaders))
      take_header(&best, f, guard_header_value(&headers[i]), now_ms);
  }
  if (best.hint == GUARD_HINT_WAIT)
    *ret = best.value;
  return best.hint;
}

enum guard_hint guard_retry_after_field(const char *name, const char *value,
                                        size_t n, int64_t now_epoch_ms,
                                        int64_t *ret_wait_ms)
{
  struct guard_hint_value v;
  enum guard_hint hint =
      guard_hint_field(name, guard_scan_of(value, n), now_epoch_ms, &v);

  if (hint == GUARD_HINT_WAIT)
    *ret_wait_ms = v.wait_ms;
  return hint;
}

enum guard_hint guard_retry_after(const struct guard_header *headers,
                                  size_t nheaders, int64_t now_epoch_ms,
                                  int64_t *ret_wait_ms)
{
  struct guard_hint_value v;
  enum guard_hint hint =
      guard_hint_headers(headers, nheaders, now_epoch_ms, &v);

  if (hint == GUARD_HINT_WAIT)
    *ret_wait_ms = v.wait_ms;
  return hint;
}

enum guard_hint guard_retry_after_text(const char *text, size_t n,
                                       int64_t now_epoch_ms,
                                       int64_t *ret_wait_ms)
{
  struct guard_hint_value v;
  enum guard_hint hint =
      guard_hint_text(guard_scan_of(text, n), now_epoch_ms, &v);

  if (hint == GUARD_HINT_WAIT)
    *ret_wait_ms = v.wait_ms;
  return hint;
}
