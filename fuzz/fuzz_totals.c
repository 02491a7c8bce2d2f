/*
 * fuzz_totals.c - the counters of all processes behind a Prometheus file.
 * First byte: odd, a check sum is put behind the rest.
 */
#include "fuzz/fuzz.h"
#include "guard/command/totals.h"

#include <inttypes.h>

enum { MAX_BYTES = 1 << 20 };

static void check_row(const struct totals_row *r)
{
  PROPERTY(r->label[0] != '\0' && strlen(r->label) < TOTALS_LABEL,
           "a label has 1 to 100 letters");
  PROPERTY(r->state >= 0 && r->state <= GUARD_BREAKER_HALF_OPEN,
           "a state is one of three");
  PROPERTY(r->metrics.calls >= 0 && r->metrics.calls <= INT64_MAX / 2,
           "one more process can be added");
}

/* Adding a row to a good set keeps it good, and nothing goes down. */
static void check_add(struct totals *t)
{
  struct totals_row more = {.label = "fuzz", .metrics = {.calls = 1}};
  int64_t calls = 0;
  int n = t->n;

  for (int i = 0; i < n; i++)
    if (strcmp(t->row[i].label, more.label) == 0)
      calls = t->row[i].metrics.calls;
  if (!totals_add(t, &more)) {
    PROPERTY(n == TOTALS_ROWS, "only a full set takes no label");
    return;
  }
  for (int i = 0; i < t->n; i++)
    if (strcmp(t->row[i].label, more.label) == 0)
      PROPERTY(t->row[i].metrics.calls > calls || calls >= INT64_MAX / 4,
               "a counter grows by what is added");
}

static void check_good(struct totals *t)
{
  struct totals again = {0};
  struct buf text, second;

  buf_init(&text, MAX_BYTES);
  buf_init(&second, MAX_BYTES);
  for (int i = 0; i < t->n; i++) {
    check_row(&t->row[i]);
    for (int k = 0; k < i; k++)
      PROPERTY(strcmp(t->row[i].label, t->row[k].label) != 0,
               "no label is there twice");
  }
  totals_encode(t, &text);
  PROPERTY(!text.full, "a set stays below its ceiling");
  PROPERTY(totals_decode(buf_bytes(&text), &again) == TOTALS_OK,
           "what is written can be read");
  totals_encode(&again, &second);
  PROPERTY(bytes_equal(buf_bytes(&text), buf_bytes(&second)),
           "writing and reading changes nothing");
  totals_release(&again);
  buf_release(&second);
  buf_release(&text);
  check_add(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct totals t = {0};
  struct buf text;
  char *copy;

  if (size == 0)
    return 0;
  buf_init(&text, MAX_BYTES);
  buf_add(&text, (const char *)data + 1, size - 1);
  if (data[0] & 1)
    buf_addf(&text, "sum %016" PRIx64 "\n", bytes_hash(buf_bytes(&text)));
  copy = fuzz_copy(buf_str(&text), text.n);
  if (totals_decode((struct bytes){copy, text.n}, &t) == TOTALS_OK) {
    check_good(&t);
    totals_release(&t);
  } else {
    PROPERTY(!t.row && t.n == 0, "without a good file nothing is set");
  }
  free(copy);
  buf_release(&text);
  return 0;
}
