/*
 * fuzz_rate_headers.c - input: headers as "name: value LF" lines; a line
 * without a colon is a value of RateLimit.
 */
#include "fuzz/fuzz.h"
#include "guard/rate_headers.h"
#include "guard/throttle.h"

#include <strings.h>

#define NOW_MS (FUZZ_NOW_EPOCH_S * 1000)
#define UNTOUCHED INT64_C(-4242)
enum { MOST_HEADERS = 24 };

/* Splits |text| in place. */
static size_t split(char *text, struct guard_header *ret)
{
  size_t n = 0;

  while (text && n < MOST_HEADERS) {
    char *lf = strchr(text, '\n');
    char *colon;

    if (lf)
      *lf++ = '\0';
    colon = strchr(text, ':');
    if (colon && colon != text && text[0] != '"') {
      *colon = '\0';
      ret[n++] = (struct guard_header){text, colon + 1, 0};
    } else {
      ret[n++] = (struct guard_header){"ratelimit", text, 0};
    }
    text = lf;
  }
  return n;
}

static bool is_list(const struct guard_header *h)
{
  return strcasecmp(h->name, "ratelimit") == 0 ||
         strcasecmp(h->name, "ratelimit-policy") == 0;
}

static void check_fields(const struct guard_rates *rates)
{
  for (int f = 0; f < GUARD_RATE_NFAMILIES; f++)
    for (int i = 0; i < GUARD_RATE_NFIELDS; i++) {
      int64_t value = UNTOUCHED;
      enum guard_rate_read read =
          guard_rate_get(&rates->family[f], (enum guard_rate_field)i, &value);

      if (read == GUARD_RATE_VALUE)
        PROPERTY(value >= 0, "a value is never negative");
      else
        PROPERTY(value == UNTOUCHED, "without a value nothing is written");
      if (i == GUARD_RATE_STATUS && read == GUARD_RATE_VALUE)
        PROPERTY(value <= GUARD_RATE_REJECTED, "a status is one of three");
    }
}

static void check_advice(const struct guard_rates *rates)
{
  const struct guard_rate_cost cost = {1000, 4000};
  struct guard_rate_advice a = guard_rates_advise(rates, &cost);
  int64_t reset_ms = 0;

  PROPERTY(a.left_ppm >= -1 && a.left_ppm <= GUARD_RATE_WHOLE_PPM,
           "a share is between nothing and all");
  if (a.family == GUARD_RATE_NFAMILIES) {
    PROPERTY(a.slow_ms == 0 && !a.empty, "without a family nobody waits");
    return;
  }
  guard_rate_get(&rates->family[a.family], GUARD_RATE_RESET, &reset_ms);
  PROPERTY(a.slow_ms >= 0 && a.slow_ms <= reset_ms,
           "nobody waits longer than the reset of the tightest");
}

/* A value is a value wherever the header stands. */
static void check_order(const struct guard_header *h, size_t n,
                        const struct guard_rates *rates)
{
  struct guard_header back[MOST_HEADERS];
  struct guard_rates again;

  for (size_t i = 0; i < n; i++) {
    if (is_list(&h[i]))
      return; /* of two policies of one name the first counts */
    back[n - 1 - i] = h[i];
  }
  guard_rates_read(back, n, NOW_MS, &again);
  PROPERTY(memcmp(&again, rates, sizeof(again)) == 0,
           "the order of headers changes nothing");
}

/* The reader of retry hints takes the same field by itself. */
static void check_list(const struct guard_header *h)
{
  struct guard_rates rates;
  int64_t wait_ms = 0, value;

  guard_rates_read(h, 1, NOW_MS, &rates);
  if (strcasecmp(h->name, "ratelimit") == 0 &&
      guard_retry_after(h, 1, NOW_MS, &wait_ms) == GUARD_HINT_INVALID)
    PROPERTY(guard_rate_get(&rates.family[GUARD_RATE_POLICY],
                            GUARD_RATE_REMAINING, &value) == GUARD_RATE_INVALID,
             "what is malformed for one reader is for the other");
}

static void check_bucket(const struct guard_rates *rates)
{
  for (int f = 0; f < GUARD_RATE_NFAMILIES; f++) {
    struct guard_bucket b;
    int64_t wait_ms = -1;

    guard_bucket_init(&b, 1000, 1000, NOW_MS);
    guard_bucket_learn(&b, &rates->family[f], NOW_MS);
    PROPERTY(b.capacity >= 0 && b.capacity <= GUARD_BUCKET_MAX &&
                 b.per_minute >= 0 && b.per_minute <= GUARD_BUCKET_MAX,
             "a bucket learns numbers within its bounds");
    if (!guard_bucket_take(&b, 10, NOW_MS, &wait_ms))
      PROPERTY(wait_ms > 0, "who may not send waits");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = fuzz_text(data, size);
  struct guard_header headers[MOST_HEADERS];
  size_t n = split(text, headers);
  struct guard_rates rates;

  guard_rates_read(headers, n, NOW_MS, &rates);
  check_fields(&rates);
  check_advice(&rates);
  check_order(headers, n, &rates);
  check_bucket(&rates);
  for (size_t i = 0; i < n; i++)
    check_list(&headers[i]);
  free(text);
  return 0;
}
