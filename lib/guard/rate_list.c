/*
 * RateLimit and RateLimit-Policy: Lists of Strings with parameters (RFC 9651;
 * draft-ietf-httpapi-ratelimit-headers-10): "policy";r=50;t=30 and
 * "policy";q=100;w=60. The two are joined by the policy's name. A malformed
 * field is ignored as a whole, as the draft has it.
 */
#include "guard/rate_rules.h"

#include <string.h>

/* Own choice: more policies than this are read and not kept. */
enum { MAX_ITEMS = 16 };

struct item {
  struct guard_scan name; /* with its quotes */
  bool has_count, has_t;
  int64_t count; /* r of RateLimit, q of RateLimit-Policy */
  int64_t t_s;
};

struct list {
  char count_key; /* 'r' or 'q' */
  bool invalid;
  int n;
  struct item item[MAX_ITEMS];
};

static bool take_count(struct guard_scan *s, int64_t *ret)
{
  return guard_scan_number(s, INT64_MAX, ret) && guard_scan_peek(s) != '.';
}

static bool take_parameter(struct guard_scan *s, char count_key,
                           struct item *item)
{
  struct guard_scan key;
  char letter = 0;

  guard_scan_blanks(s);
  key = guard_scan_sf_word(s);
  if (guard_scan_done(&key))
    return false;
  if (guard_scan_left(&key) == 1)
    letter = *key.p;
  if (letter == count_key) {
    item->has_count = true;
    return guard_scan_byte(s, '=') && take_count(s, &item->count);
  }
  if (letter == 't' && count_key == 'r') {
    item->has_t = true;
    return guard_scan_byte(s, '=') && take_count(s, &item->t_s);
  }
  return !guard_scan_byte(s, '=') || guard_scan_sf_value(s);
}

static bool take_item(struct guard_scan *s, struct list *list)
{
  struct item item = {{s->p, s->p}, false, false, 0, 0};

  if (!guard_scan_sf_string(s))
    return false;
  item.name.end = s->p;
  while (guard_scan_byte(s, ';'))
    if (!take_parameter(s, list->count_key, &item))
      return false;
  if (!item.has_count) /* the draft: r and q must be there */
    return false;
  if (list->n < MAX_ITEMS)
    list->item[list->n++] = item;
  return true;
}

static bool take_items(struct guard_scan s, struct list *list)
{
  guard_scan_trim(&s);
  do {
    guard_scan_blanks(&s);
    if (!take_item(&s, list))
      return false;
    guard_scan_blanks(&s);
  } while (guard_scan_byte(&s, ','));
  return guard_scan_done(&s);
}

/* Several lines of one name are one list (RFC 9110 5.3). */
static void read_list(const struct guard_header *headers, size_t nheaders,
                      const char *name, struct list *ret)
{
  for (size_t i = 0; i < nheaders; i++)
    if (guard_header_find(&headers[i], 1, name) &&
        !take_items(guard_header_value(&headers[i]), ret))
      ret->invalid = true;
  if (ret->invalid)
    ret->n = 0;
}

static const struct item *quota_of(const struct list *policies,
                                   const struct item *item)
{
  size_t n = guard_scan_left(&item->name);

  for (int i = 0; i < policies->n; i++) {
    const struct item *p = &policies->item[i];

    if (guard_scan_left(&p->name) == n && !memcmp(p->name.p, item->name.p, n))
      return p;
  }
  return NULL;
}

/* Without a quota the share is not known: the last, unless it is used up. */
static int64_t left_ppm(const struct item *item, const struct item *quota)
{
  if (item->count == 0)
    return 0;
  if (!quota || quota->count == 0)
    return GUARD_RATE_WHOLE_PPM;
  return guard_rate_scale(item->count, GUARD_RATE_WHOLE_PPM, quota->count,
                          GUARD_RATE_WHOLE_PPM);
}

static bool is_tighter(const struct list *policies, const struct item *a,
                       const struct item *b)
{
  int64_t share_a = left_ppm(a, quota_of(policies, a));
  int64_t share_b = left_ppm(b, quota_of(policies, b));

  if (share_a != share_b)
    return share_a < share_b;
  return a->count != b->count ? a->count < b->count : a->t_s > b->t_s;
}

static const struct item *tightest(const struct list *limits,
                                   const struct list *policies)
{
  const struct item *best = NULL;

  for (int i = 0; i < limits->n; i++)
    if (!best || is_tighter(policies, &limits->item[i], best))
      best = &limits->item[i];
  return best;
}

void guard_rate_list(const struct guard_header *headers, size_t nheaders,
                     struct guard_rate *ret)
{
  struct list limits = {.count_key = 'r'}, policies = {.count_key = 'q'};
  const struct item *item, *quota;

  read_list(headers, nheaders, "ratelimit", &limits);
  read_list(headers, nheaders, "ratelimit-policy", &policies);
  if (limits.invalid) {
    guard_rate_note_invalid(ret, GUARD_RATE_REMAINING);
    guard_rate_note_invalid(ret, GUARD_RATE_RESET);
  }
  if (policies.invalid)
    guard_rate_note_invalid(ret, GUARD_RATE_QUOTA);
  item = tightest(&limits, &policies);
  quota = item ? quota_of(&policies, item) : NULL;
  if (item)
    guard_rate_note(ret, GUARD_RATE_REMAINING, item->count);
  if (item && item->has_t)
    guard_rate_note(ret, GUARD_RATE_RESET, guard_mul_sat(item->t_s, 1000));
  if (quota)
    guard_rate_note(ret, GUARD_RATE_QUOTA, quota->count);
}
