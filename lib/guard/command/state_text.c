#include "state.h"

#include "base/number.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define FIRST_LINE "guard-state 2\n"
/* Before pacing was in it. */
#define OLD_FIRST_LINE "guard-state 1\n"

/* Buckets may be in debt. */
#define ANY_NUMBER INT64_C(-1)

/* Of an array or a struct of 64-bit numbers only. */
#define NUMBERS_OF(member)                                                     \
  (int)(sizeof(((struct shared *)0)->member) / (sizeof(int64_t)))

/* Every number of struct shared, in the order of the file. */
static const struct field {
  const char *name;
  size_t offset;
  int count;
  int64_t max; /* none is negative, but for ANY_NUMBER */
} fields[] = {
    {"state", offsetof(struct shared, breaker.state), 1,
     GUARD_BREAKER_HALF_OPEN},
    {"until_ms", offsetof(struct shared, breaker.until_ms), 1, INT64_MAX},
    {"hold_ms", offsetof(struct shared, breaker.hold_ms), 1, INT64_MAX},
    {"cooldown_ms", offsetof(struct shared, breaker.cooldown_ms), 1,
     GUARD_MAX_MS},
    {"probe", offsetof(struct shared, breaker.probe), 1, INT64_MAX},
    {"probe_end_ms", offsetof(struct shared, breaker.probe_end_ms), 1,
     INT64_MAX},
    {"last_permit", offsetof(struct shared, breaker.last_permit), 1,
     INT64_MAX / 2},
    {"nhits", offsetof(struct shared, breaker.nhits), 1, GUARD_MAX_HITS},
    {"hit_ms", offsetof(struct shared, breaker.hits_ms), GUARD_MAX_HITS,
     INT64_MAX},
    {"budget_slot", offsetof(struct shared, budget.slot), 1, INT64_MAX / 2},
    {"requests", offsetof(struct shared, budget.requests), GUARD_BUDGET_SLOTS,
     INT32_MAX},
    {"retries", offsetof(struct shared, budget.retries), GUARD_BUDGET_SLOTS,
     INT32_MAX},
    {"throttle_slot", offsetof(struct shared, pace.throttle.slot), 1,
     INT64_MAX / 2},
    {"throttle_requests", offsetof(struct shared, pace.throttle.requests),
     GUARD_THROTTLE_SLOTS, INT64_MAX},
    {"throttle_accepts", offsetof(struct shared, pace.throttle.accepts),
     GUARD_THROTTLE_SLOTS, INT64_MAX},
    {"last_ticket", offsetof(struct shared, pace.lanes.last_ticket), 1,
     INT64_MAX / 2},
    {"place", offsetof(struct shared, pace.lanes.place),
     NUMBERS_OF(pace.lanes.place), INT64_MAX},
    {"waiter", offsetof(struct shared, pace.lanes.waiter),
     NUMBERS_OF(pace.lanes.waiter), INT64_MAX},
    {"own", offsetof(struct shared, pace.own), NUMBERS_OF(pace.own),
     ANY_NUMBER},
    {"told", offsetof(struct shared, pace.told), NUMBERS_OF(pace.told),
     ANY_NUMBER},
    {"not_before_ms", offsetof(struct shared, pace.not_before_ms), 1,
     INT64_MAX},
    {"spacing_ms", offsetof(struct shared, pace.spacing_ms), 1, INT64_MAX},
    {"spacing_end_ms", offsetof(struct shared, pace.spacing_end_ms), 1,
     INT64_MAX},
};
enum { NFIELDS = sizeof fields / sizeof *fields };

void shared_encode(const struct shared *s, struct buf *ret)
{
  size_t start = ret->n;
  buf_adds(ret, FIRST_LINE);
  for (int i = 0; i < NFIELDS; i++) {
    const char *at = (const char *)s + fields[i].offset;
    for (int k = 0; k < fields[i].count; k++) {
      int64_t value;
      memcpy(&value, at + (size_t)k * sizeof value, sizeof value);
      buf_addf(ret, "%s %" PRId64 "\n", fields[i].name, value);
    }
  }
  struct bytes text = {ret->p + start, ret->n - start};
  buf_addf(ret, "sum %016" PRIx64 "\n", bytes_hash(text));
}

/* The line "name value\n" at the front of *text, which moves on. */
static bool take_line(struct bytes *text, const struct field *f, int64_t *ret)
{
  struct bytes name = bytes_of(f->name);
  uint64_t value;
  if (!bytes_starts(*text, name))
    return false;
  *text = (struct bytes){text->p + name.n, text->n - name.n};
  if (text->n == 0 || text->p[0] != ' ')
    return false;
  *text = (struct bytes){text->p + 1, text->n - 1};
  bool negative = f->max == ANY_NUMBER && text->n > 0 && text->p[0] == '-';
  int64_t max = f->max == ANY_NUMBER ? INT64_MAX : f->max;
  if (negative)
    *text = (struct bytes){text->p + 1, text->n - 1};
  if (number_take_u64(text, (uint64_t)max, &value) != NUMBER_OK ||
      text->n == 0 || text->p[0] != '\n')
    return false;
  *text = (struct bytes){text->p + 1, text->n - 1};
  *ret = negative ? -(int64_t)value : (int64_t)value;
  return true;
}

static bool take_fields(struct bytes *text, struct shared *ret)
{
  for (int i = 0; i < NFIELDS; i++) {
    char *at = (char *)ret + fields[i].offset;
    for (int k = 0; k < fields[i].count; k++) {
      int64_t value;
      if (!take_line(text, &fields[i], &value))
        return false;
      memcpy(at + (size_t)k * sizeof value, &value, sizeof value);
    }
  }
  return true;
}

enum shared_read shared_decode(struct bytes text, struct shared *ret)
{
  struct bytes first = BYTES(FIRST_LINE), old = BYTES(OLD_FIRST_LINE);
  struct bytes rest = text;
  struct shared read = {0};
  char sum[32];
  if (text.n == 0)
    return SHARED_EMPTY;
  if (bytes_starts(text, old))
    return SHARED_TORN;
  if (!bytes_starts(text, first))
    return bytes_starts(first, text) ? SHARED_TORN : SHARED_FOREIGN;
  rest = (struct bytes){text.p + first.n, text.n - first.n};
  if (!take_fields(&rest, &read))
    return SHARED_TORN;
  struct bytes summed = {text.p, text.n - rest.n};
  snprintf(sum, sizeof sum, "sum %016" PRIx64 "\n", bytes_hash(summed));
  if (!bytes_equal(rest, bytes_of(sum)))
    return SHARED_TORN;
  *ret = read;
  return SHARED_OK;
}
