/* Which field is read how, and which of several fields decides. */
#include "guard/hint.h"

#include <string.h>

struct field {
  const char *name; /* may hold one '*' */
  guard_hint_reader *read;
  int rank;
  const char *family; /* name of the field that tells what is left */
};

static const struct field fields[] = {
#define HINT(name, reader, rank, family)                                       \
  {name, guard_hint_##reader, rank, family},
#include "guard/retry_after.def"
#undef HINT
};

enum { NFIELDS = sizeof(fields) / sizeof(fields[0]) };

/* True when `name` fits; *ret_star is what the '*' stands for. */
static bool name_fits(const char *pattern, const char *name,
                      struct guard_scan *ret_star)
{
  const char *star = strchr(pattern, '*');
  size_t head = star ? (size_t)(star - pattern) : strlen(pattern);
  size_t tail = star ? strlen(star + 1) : 0;
  size_t n = strlen(name);
  struct guard_scan s, end;

  if (n < head + tail || (!star && n != head))
    return false;
  for (size_t i = 0; i < head; i++) {
    char letter[2] = {pattern[i], '\0'};

    s = guard_scan_of(name + i, 1);
    if (!guard_scan_fold(&s, letter))
      return false;
  }
  end = guard_scan_of(name + n - tail, tail);
  if (star && tail > 0 && !guard_scan_fold(&end, star + 1))
    return false;
  *ret_star = guard_scan_of(name + head, n - head - tail);
  return true;
}

static const struct field *field_of(const char *name,
                                    struct guard_scan *ret_star)
{
  for (int i = 0; i < NFIELDS; i++)
    if (name_fits(fields[i].name, name, ret_star))
      return &fields[i];
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
  struct guard_scan star;

  for (size_t i = 0; i < nheaders; i++)
    if (headers[i].name && name_fits(name, headers[i].name, &star))
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

  if (!f->family)
    return true;
  for (size_t i = 0; i < nheaders; i++) {
    const char *name = headers[i].name;

    if (!name || !name_fits(f->family, name, &other) ||
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

    if (f && speaks(f, star, headers, nheaders))
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
