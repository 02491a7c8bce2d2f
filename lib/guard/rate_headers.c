#include "guard/rate_rules.h"

#include <string.h>

typedef enum guard_rate_read reader(struct guard_scan s, int64_t now_ms,
                                    int64_t *ret);

static enum guard_rate_read wait_of(guard_hint_reader *read,
                                    struct guard_scan s, int64_t now_ms,
                                    int64_t *ret)
{
  struct guard_hint_value v;

  if (read(s, now_ms, &v) != GUARD_HINT_WAIT)
    return GUARD_RATE_INVALID;
  *ret = v.wait_ms;
  return GUARD_RATE_VALUE;
}

static enum guard_rate_read read_rfc3339(struct guard_scan s, int64_t now_ms,
                                         int64_t *ret)
{
  return wait_of(guard_hint_rfc3339, s, now_ms, ret);
}

static enum guard_rate_read read_epoch(struct guard_scan s, int64_t now_ms,
                                       int64_t *ret)
{
  return wait_of(guard_hint_epoch, s, now_ms, ret);
}

static enum guard_rate_read read_seconds(struct guard_scan s, int64_t now_ms,
                                         int64_t *ret)
{
  return wait_of(guard_hint_seconds, s, now_ms, ret);
}

static enum guard_rate_read read_any_reset(struct guard_scan s, int64_t now_ms,
                                           int64_t *ret)
{
  return wait_of(guard_hint_reset, s, now_ms, ret);
}

/* Azure sends whole seconds under OpenAI's names. */
static enum guard_rate_read read_duration(struct guard_scan s, int64_t now_ms,
                                          int64_t *ret)
{
  if (wait_of(guard_hint_go, s, now_ms, ret) == GUARD_RATE_VALUE)
    return GUARD_RATE_VALUE;
  return read_seconds(s, now_ms, ret);
}

/* A sign is no count: Azure says -1 when it does not know. */
static enum guard_rate_read read_count(struct guard_scan s, int64_t now_ms,
                                       int64_t *ret)
{
  int64_t n;

  (void)now_ms;
  guard_scan_trim(&s);
  if (!guard_scan_number(&s, INT64_MAX, &n) || !guard_scan_done(&s))
    return GUARD_RATE_INVALID;
  *ret = n;
  return GUARD_RATE_VALUE;
}

/* Drafts up to -06: "100", and behind it a list of quotas. */
static enum guard_rate_read read_first_count(struct guard_scan s,
                                             int64_t now_ms, int64_t *ret)
{
  int64_t n;

  (void)now_ms;
  guard_scan_trim(&s);
  if (!guard_scan_number(&s, INT64_MAX, &n))
    return GUARD_RATE_INVALID;
  guard_scan_blanks(&s);
  if (!guard_scan_done(&s) && guard_scan_peek(&s) != ',' &&
      guard_scan_peek(&s) != ';')
    return GUARD_RATE_INVALID;
  *ret = n;
  return GUARD_RATE_VALUE;
}

static enum guard_rate_read parts(struct guard_scan s, int64_t per_unit,
                                  int64_t *ret)
{
  struct guard_decimal d;
  int64_t nano_per_part = INT64_C(1000000000) / per_unit;

  guard_scan_trim(&s);
  if (!guard_scan_decimal(&s, &d) || !guard_scan_done(&s))
    return GUARD_RATE_INVALID;
  *ret = guard_add_sat(guard_mul_sat(d.whole, per_unit),
                       (d.nano + nano_per_part - 1) / nano_per_part);
  return GUARD_RATE_VALUE;
}

/* 0..1 and above ("1.02" was seen), rounded up. */
static enum guard_rate_read read_share(struct guard_scan s, int64_t now_ms,
                                       int64_t *ret)
{
  (void)now_ms;
  return parts(s, GUARD_RATE_WHOLE_PPM, ret);
}

static enum guard_rate_read read_percent(struct guard_scan s, int64_t now_ms,
                                         int64_t *ret)
{
  (void)now_ms;
  return parts(s, GUARD_RATE_WHOLE_PPM / 100, ret);
}

static enum guard_rate_read read_status(struct guard_scan s, int64_t now_ms,
                                        int64_t *ret)
{
  static const struct {
    const char *word;
    enum guard_rate_status status;
  } words[] = {
      {"allowed", GUARD_RATE_ALLOWED},
      {"allowed_warning", GUARD_RATE_WARNING},
      {"rejected", GUARD_RATE_REJECTED},
      {"rate_limited", GUARD_RATE_REJECTED}, /* one header set had it */
  };

  (void)now_ms;
  guard_scan_trim(&s);
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    struct guard_scan word = s;

    if (guard_scan_fold(&word, words[i].word) && guard_scan_done(&word)) {
      *ret = words[i].status;
      return GUARD_RATE_VALUE;
    }
  }
  return GUARD_RATE_INVALID;
}

struct row {
  const char *name;
  enum guard_rate_family family;
  enum guard_rate_field field;
  reader *read;
  bool refills;
};

enum { WINDOW, REFILL };

static const struct row rows[] = {
#define RATE(name, family, field, reader, way)                                 \
  {name, GUARD_RATE_##family, GUARD_RATE_##field, read_##reader,               \
   (way) == REFILL},
#include "guard/rate_headers.def"
#undef RATE
};

/* As the readers of retry hints find theirs: a pattern against one header. */
static const struct row *row_of(const struct guard_header *h)
{
  for (size_t i = 0; h->name && i < sizeof(rows) / sizeof(rows[0]); i++)
    if (guard_header_find(h, 1, rows[i].name))
      return &rows[i];
  return NULL;
}

static bool is_tighter(enum guard_rate_field field, int64_t a, int64_t b)
{
  bool less = field == GUARD_RATE_QUOTA || field == GUARD_RATE_REMAINING;

  return less ? a < b : a > b;
}

void guard_rate_note(struct guard_rate *r, enum guard_rate_field field,
                     int64_t value)
{
  if (!(r->seen & (1u << field)) || is_tighter(field, value, r->value[field]))
    r->value[field] = value;
  r->seen |= 1u << field;
}

void guard_rate_note_invalid(struct guard_rate *r, enum guard_rate_field field)
{
  r->invalid |= 1u << field;
}

/* A family told of in both ways is taken for a window, the stricter one. */
static void note_way(struct guard_rate *r, bool refills)
{
  if (!r->seen && !r->invalid)
    r->refills = refills;
  r->refills = r->refills && refills;
}

void guard_rates_read(const struct guard_header *headers, size_t nheaders,
                      int64_t now_epoch_ms, struct guard_rates *ret)
{
  memset(ret, 0, sizeof(*ret));
  for (size_t i = 0; i < nheaders; i++) {
    const struct row *row = row_of(&headers[i]);
    struct guard_rate *r;
    int64_t value;

    if (!row)
      continue;
    r = &ret->family[row->family];
    note_way(r, row->refills);
    if (row->read(guard_header_value(&headers[i]), now_epoch_ms, &value) ==
        GUARD_RATE_VALUE)
      guard_rate_note(r, row->field, value);
    else
      guard_rate_note_invalid(r, row->field);
  }
  guard_rate_list(headers, nheaders, &ret->family[GUARD_RATE_POLICY]);
}

enum guard_rate_read guard_rate_get(const struct guard_rate *r,
                                    enum guard_rate_field field, int64_t *ret)
{
  if (r->seen & (1u << field)) {
    *ret = r->value[field];
    return GUARD_RATE_VALUE;
  }
  return r->invalid & (1u << field) ? GUARD_RATE_INVALID : GUARD_RATE_ABSENT;
}

const char *guard_rate_family_name(enum guard_rate_family f)
{
  static const char *const name[] = {"requests",        "tokens",
                                     "input_tokens",    "output_tokens",
                                     "project_tokens",  "priority_input",
                                     "priority_output", "unified",
                                     "window_5h",       "window_7d",
                                     "window_model",    "overage",
                                     "policy",          "none"};

  return name[f];
}
