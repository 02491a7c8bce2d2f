#include "harness/scale/value.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

/* Ten years, the longest the language has, and in milliseconds. */
#define MAX_S 315360000000.0
/* From here on a number of seconds is a date since 1970 (2001). */
#define EPOCH_S 1e9

double scale_divide(double s, double k)
{
  return s < SCALE_LEAST_S ? s : s / k;
}

void scale_put_number(double v, struct buf *out)
{
  buf_addf(out, "%.10g", v);
}

static void found(const struct scale_work *w, double s, bool whole)
{
  if (w->found)
    w->found(w->arg, s, whole);
}

static bool is_whole(double v)
{
  return fabs(v - round(v)) < 1e-9;
}

/* Seconds that are told: whole ones are whole afterwards as well. */
static void put_said(const struct scale_work *w, double s, struct buf *out)
{
  bool whole = is_whole(s);
  double scaled = scale_divide(s, w->k);
  found(w, s, whole);
  scale_put_number(whole ? round(scaled) : scaled, out);
}

static void put_ms(const struct scale_work *w, double ms, struct buf *out)
{
  found(w, ms / 1000, false);
  scale_put_number(round(scale_divide(ms / 1000, w->k) * 1000), out);
}

static void put_number(struct scale_work *w, enum scale_kind kind, double v,
                       struct buf *out)
{
  switch (kind) {
  case SCALE_SAYS_S: /* as the provider has it: often a date */
  case SCALE_SAYS_WORDS:
    w->cut = true;
    put_said(w, v, out);
    break;
  case SCALE_SAYS:
  case SCALE_PER_S:
    put_said(w, v, out);
    break;
  case SCALE_WAIT_MS:
  case SCALE_SAYS_MS:
    put_ms(w, v, out);
    break;
  case SCALE_RATE:
    scale_put_number(v * w->k, out);
    break;
  case SCALE_WAIT_S:
  case SCALE_REST_S:
  case SCALE_FROM_S:
    found(w, v, false);
    scale_put_number(scale_divide(v, w->k), out);
    break;
  default: /* what is counted in a time, and no wait of its own */
    scale_put_number(scale_divide(v, w->k), out);
    break;
  }
}

/* Digits in quotes are the literal of a number; all else is a text. */
static bool put_quoted(struct scale_work *w, enum scale_kind kind,
                       struct bytes raw, struct buf *out)
{
  double v = 0;
  struct bytes in = {raw.p + 1, raw.n - 2};
  bool literal = kind == SCALE_SAYS || kind == SCALE_SAYS_MS;
  bool number = literal && in.n && in.p[0] != '-' &&
                number_decimal(in, 0, MAX_S, &v) == NUMBER_OK;
  bool rc = true;
  buf_addc(out, '"');
  if (number && v < EPOCH_S)
    put_number(w, kind, v, out);
  else if (number)
    buf_addb(out, in);
  else
    rc = scale_text(w, in, out);
  buf_addc(out, '"');
  return rc;
}

bool scale_value(struct scale_work *w, enum scale_kind kind, struct bytes raw,
                 struct buf *out)
{
  double v = 0;
  w->why[0] = '\0';
  if (raw.n >= 2 && raw.p[0] == '"')
    return put_quoted(w, kind, raw, out);
  if (raw.n && raw.p[0] != '-' &&
      number_decimal(raw, 0, MAX_S, &v) == NUMBER_OK) {
    put_number(w, kind, v, out);
  } else {
    buf_addb(out, raw); /* null, a negative or an odd number */
  }
  if (kind != SCALE_SAYS_WORDS || v < SCALE_LEAST_S)
    return true;
  snprintf(w->why, sizeof w->why, "is told in words, by the hour or the day");
  return false;
}
