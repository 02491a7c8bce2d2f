#include "harness/scale/bound.h"

#include "harness/scale/keys.h"
#include "harness/scale/value.h"

#include "base/number.h"

#include <ctype.h>
#include <string.h>

/* As expr.c has it. */
#define MAX_NUMBER 1e9

enum want { WANT_TIME, WANT_NUMBER };

struct rewrite {
  double k;
  struct buf *out;
  char *why;
  size_t size;
};

static void sum(struct rewrite *r, struct bytes s, enum want want);

static void refuse(struct rewrite *r, const char *what, struct bytes name)
{
  if (!r->why[0])
    snprintf(r->why, r->size, "%s%.*s", what, (int)name.n, name.p);
}

static struct bytes trim(struct bytes s)
{
  while (s.n && (*s.p == ' ' || *s.p == '\t')) {
    s.p++;
    s.n--;
  }
  while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
    s.n--;
  return s;
}

/* --- names ---------------------------------------------------------------- */

static enum scale_kind kind_of(struct bytes name)
{
  char key[64];
  if (!bytes_starts(name, BYTES("policy.")) || name.n - 7 >= sizeof key)
    return SCALE_PLAIN;
  memcpy(key, name.p + 7, name.n - 7);
  key[name.n - 7] = '\0';
  const struct scale_key *k = scale_key_find("policy", key);
  return k ? k->kind : SCALE_UNKNOWN;
}

static bool is_name_letter(char c)
{
  return islower((unsigned char)c) || isdigit((unsigned char)c) || c == '_' ||
         c == '.';
}

static bool is_time(struct bytes name)
{
  return bytes_equal(name, BYTES("retry_after")) ||
         kind_of(name) == SCALE_SLACK || kind_of(name) == SCALE_OWN;
}

/* The first name of `s` that is a time; n is 0 when there is none. */
static struct bytes find_time(struct bytes s)
{
  for (size_t i = 0; i < s.n;) {
    size_t n = 0;
    while (i + n < s.n && is_name_letter(s.p[i + n]))
      n++;
    if (is_time((struct bytes){s.p + i, n}))
      return (struct bytes){s.p + i, n};
    i += n ? n : 1;
  }
  return (struct bytes){s.p, 0};
}

static void name(struct rewrite *r, struct bytes s, enum want want)
{
  enum scale_kind kind = kind_of(s);
  if (kind == SCALE_OWN || kind == SCALE_UNKNOWN)
    refuse(r, "compares with the client's own ", s);
  else if (want == WANT_NUMBER && is_time(s))
    refuse(r, "makes a number of the time ", s);
  else if (want == WANT_TIME && !is_time(s))
    refuse(r, "makes a time of ", s);
  buf_addb(r->out, s);
}

/* --- the grammar of expr.c, over slices ------------------------------------
 */

/* Where the next of `signs` outside of brackets is, s.n: nowhere. A minus
 * behind nothing is a sign of its own. */
static size_t split(struct bytes s, const char *signs)
{
  int depth = 0;
  bool operand = false;
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    depth += c == '(';
    depth -= c == ')';
    if (depth == 0 && operand && strchr(signs, c))
      return i;
    if (c != ' ' && c != '\t')
      operand = c == ')' || is_name_letter(c);
  }
  return s.n;
}

static void arguments(struct rewrite *r, struct bytes s, enum want want)
{
  for (;;) {
    size_t n = split(s, ",");
    sum(r, (struct bytes){s.p, n}, want);
    if (n == s.n)
      return;
    buf_adds(r->out, ", ");
    s = (struct bytes){s.p + n + 1, s.n - n - 1};
  }
}

static void factor(struct rewrite *r, struct bytes s, enum want want)
{
  double v = 0;
  s = trim(s);
  const char *open = s.n ? memchr(s.p, '(', s.n) : NULL;
  size_t n = open ? (size_t)(open - s.p) + 1 : 0;
  if (s.n && s.p[0] == '-') {
    buf_addc(r->out, '-');
    factor(r, (struct bytes){s.p + 1, s.n - 1}, want);
  } else if (open) { /* with or without min or max in front */
    buf_add(r->out, s.p, n);
    arguments(r, (struct bytes){s.p + n, s.n - n - 1}, want);
    buf_addc(r->out, ')');
  } else if (number_decimal(s, 0, MAX_NUMBER, &v) != NUMBER_OK) {
    name(r, s, want);
  } else if (want == WANT_TIME) {
    scale_put_number(scale_divide(v, r->k), r->out);
  } else {
    buf_addb(r->out, s);
  }
}

/* How much a factor without the name of a time looks like one: a bracket of
 * numbers, else the larger number. Below 0: not at all. */
static double looks_like_time(struct bytes f)
{
  static const char *const counts[] = {"attempt", "calls", "policy."};
  double v = 0;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (bytes_find(f, bytes_of(counts[i])) >= 0)
      return -1;
  if (f.n && f.p[0] == '-')
    f = trim((struct bytes){f.p + 1, f.n - 1});
  return number_decimal(f, 0, MAX_NUMBER, &v) == NUMBER_OK ? v : MAX_NUMBER;
}

/* Which factor of a product is the time: one with such a name, else one that
 * looks most like it. Not behind a division. -1: none can be. */
static int time_factor(struct bytes s)
{
  int best = -1;
  double most = -1;
  char before = '*';
  for (int i = 0;; i++) {
    size_t n = split(s, "*/");
    struct bytes f = trim((struct bytes){s.p, n});
    double looks = before == '*' ? looks_like_time(f) : -1;
    if (before == '*' && find_time(f).n)
      return i;
    best = looks > most ? i : best;
    most = looks > most ? looks : most;
    if (n == s.n)
      return best;
    before = s.p[n];
    s = (struct bytes){s.p + n + 1, s.n - n - 1};
  }
}

static void product(struct rewrite *r, struct bytes s, enum want want)
{
  int time = want == WANT_TIME ? time_factor(s) : -1;
  if (split(s, "*/") == s.n) {
    factor(r, s, want);
    return;
  }
  if (want == WANT_TIME && time < 0)
    refuse(r, "has a time that is not to be seen: ", trim(s));
  for (int i = 0;; i++) {
    size_t n = split(s, "*/");
    factor(r, (struct bytes){s.p, n}, i == time ? WANT_TIME : WANT_NUMBER);
    if (n == s.n)
      return;
    buf_addf(r->out, " %c ", s.p[n]);
    s = (struct bytes){s.p + n + 1, s.n - n - 1};
  }
}

static void sum(struct rewrite *r, struct bytes s, enum want want)
{
  for (;;) {
    size_t n = split(s, "+-");
    product(r, (struct bytes){s.p, n}, want);
    if (n == s.n)
      return;
    buf_addf(r->out, " %c ", s.p[n]);
    s = (struct bytes){s.p + n + 1, s.n - n - 1};
  }
}

bool scale_bound_divide(const char *text, enum scale_bound bound, double k,
                        struct buf *out, char *ret_why, size_t size)
{
  struct bytes s = bytes_of(text);
  struct rewrite r = {k, out, ret_why, size};
  bool slack = bound == SCALE_BOUND_HIGH &&
               bytes_find(s, BYTES("policy.slack")) < 0 && k > 1;
  ret_why[0] = '\0';
  sum(&r, s, bound == SCALE_BOUND_NUMBER ? WANT_NUMBER : WANT_TIME);
  if (slack)
    buf_adds(out, " + policy.slack");
  return ret_why[0] == '\0';
}
