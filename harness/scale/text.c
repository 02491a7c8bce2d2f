/* Texts: {{...}} values are divided, times in words are not. */
#include "harness/scale/value.h"

#include "base/number.h"

#include <ctype.h>
#include <string.h>

/* Ten years (mockserver/value.h bounds what else it reads). */
#define MAX_S 315360000.0

/* Values of docs/scenario.md whose number is in seconds; DAY: the text is too
 * coarse to say a second. */
enum value_word { VALUE_SAYS, VALUE_DAY, VALUE_NONE };
static const struct {
  const char *name;
  enum value_word word;
} values[] = {{"http_date", VALUE_SAYS}, {"http_date_server", VALUE_SAYS},
              {"rfc850", VALUE_SAYS},    {"asctime", VALUE_SAYS},
              {"epoch", VALUE_SAYS},     {"epoch_ms", VALUE_SAYS},
              {"rfc3339", VALUE_SAYS},   {"duration", VALUE_SAYS},
              {"seconds", VALUE_SAYS},   {"local", VALUE_DAY},
              {"date", VALUE_DAY}};

static const struct {
  const char *word;
  double s;
} units[] = {{"ms", 0.001}, {"s", 1},       {"sec", 1},      {"secs", 1},
             {"second", 1}, {"seconds", 1}, {"m", 60},       {"min", 60},
             {"mins", 60},  {"minute", 60}, {"minutes", 60}, {"h", 3600},
             {"hr", 3600},  {"hrs", 3600},  {"hour", 3600},  {"hours", 3600},
             {"d", 86400},  {"day", 86400}, {"days", 86400}, {"am", 86400},
             {"pm", 86400}};

static void refuse(struct scale_work *w, const char *what, struct bytes text)
{
  snprintf(w->why, sizeof w->why, "%s ('%.*s')", what,
           (int)(text.n < 40 ? text.n : 40), text.p);
}

static enum value_word word_of(struct bytes name)
{
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (bytes_equal(name, bytes_of(values[i].name)))
      return values[i].word;
  return VALUE_NONE;
}

/* The number behind the colon: a sign, digits, a fraction. A moment in the
 * past is no wait. */
static void put_offset(struct scale_work *w, struct bytes arg, size_t n,
                       bool day, struct buf *out)
{
  double v = 0;
  size_t sign = n && arg.p[0] == '+';
  struct bytes digits = {arg.p + sign, n - sign};
  bool number = digits.n && digits.p[0] != '-' &&
                number_decimal(digits, 0, MAX_S, &v) == NUMBER_OK;
  buf_add(out, arg.p, sign);
  if (number && !day) {
    struct scale_work inner = *w;
    scale_value(&inner, SCALE_SAYS_S, digits, out);
    w->cut = true;
    return;
  }
  buf_addb(out, digits);
  if (number && v >= SCALE_LEAST_S) {
    if (w->found)
      w->found(w->arg, v, false);
    refuse(w, "is told by the hour or the day", arg);
  }
}

/* What is between {{ and }}. */
static void put_braces(struct scale_work *w, struct bytes in, struct buf *out)
{
  const char *colon = in.n ? memchr(in.p, ':', in.n) : NULL;
  size_t n = colon ? (size_t)(colon - in.p) : in.n;
  enum value_word word = word_of((struct bytes){in.p, n});
  if (!colon || word == VALUE_NONE) {
    buf_addb(out, in);
    return;
  }
  struct bytes arg = {colon + 1, in.n - n - 1};
  const char *blank = arg.n ? memchr(arg.p, ' ', arg.n) : NULL;
  size_t number = blank ? (size_t)(blank - arg.p) : arg.n;
  buf_add(out, in.p, n + 1);
  put_offset(w, arg, number, word == VALUE_DAY, out);
  buf_add(out, arg.p + number, arg.n - number);
}

/* --- words ---------------------------------------------------------------- */

static bool is_word(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

/* "4 seconds", "3h", "5pm" at `at`, behind no letter: how many bytes, else 0;
 * *ret_s: how long. */
static size_t words_at(struct bytes t, size_t at, double *ret_s)
{
  size_t n = 0, end = at;
  double v = 0;
  while (end < t.n && (isdigit((unsigned char)t.p[end]) || t.p[end] == '.'))
    end++;
  if (number_decimal((struct bytes){t.p + at, end - at}, 0, MAX_S, &v) !=
      NUMBER_OK)
    return 0;
  if (end < t.n && (t.p[end] == ' ' || t.p[end] == '-'))
    end++;
  while (end + n < t.n && isalpha((unsigned char)t.p[end + n]))
    n++;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (bytes_equal_nocase((struct bytes){t.p + end, n},
                           bytes_of(units[i].word))) {
      *ret_s = v * units[i].s;
      return end + n - at;
    }
  return 0;
}

/* "retry-after: 4" in bytes that are sent as they stand. */
static size_t header_at(struct bytes t, size_t at, double *ret_s)
{
  static const char name[] = "retry-after:";
  size_t n = sizeof name - 1, end = at + n;
  if (t.n - at < n ||
      !bytes_equal_nocase((struct bytes){t.p + at, n}, BYTES(name)))
    return 0;
  while (end < t.n && t.p[end] == ' ')
    end++;
  size_t first = end;
  while (end < t.n && isdigit((unsigned char)t.p[end]))
    end++;
  return number_decimal((struct bytes){t.p + first, end - first}, 0, MAX_S,
                        ret_s) == NUMBER_OK
             ? end - at
             : 0;
}

/* Copies the next byte, or a time in words whole. */
static size_t put_plain(struct scale_work *w, struct bytes t, size_t at,
                        struct buf *out)
{
  double s = 0;
  size_t n = 0;
  /* behind an escape of JSON too: \n4 seconds */
  bool begins =
      at == 0 || !is_word(t.p[at - 1]) || (at > 1 && t.p[at - 2] == '\\');
  if (begins && isdigit((unsigned char)t.p[at]))
    n = words_at(t, at, &s);
  else if (begins)
    n = header_at(t, at, &s);
  if (n && s >= SCALE_LEAST_S) {
    if (w->found)
      w->found(w->arg, s, false);
    refuse(w, "has a time in words", (struct bytes){t.p + at, n});
  }
  n = n ? n : 1;
  buf_add(out, t.p + at, n);
  return n;
}

bool scale_text(struct scale_work *w, struct bytes text, struct buf *out)
{
  size_t at = 0;
  while (at < text.n) {
    struct bytes rest = {text.p + at, text.n - at};
    ptrdiff_t end =
        bytes_starts(rest, BYTES("{{")) ? bytes_find(rest, BYTES("}}")) : -1;
    if (end < 0) {
      at += put_plain(w, text, at, out);
      continue;
    }
    buf_adds(out, "{{");
    put_braces(w, (struct bytes){rest.p + 2, (size_t)end - 2}, out);
    buf_adds(out, "}}");
    at += (size_t)end + 2;
  }
  return w->why[0] == '\0';
}
