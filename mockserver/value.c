#include "mockserver/value.h"

#include "base/clock.h"
#include "mockserver/value_local.h"

#include <string.h>

enum value_kind {
  VALUE_HTTP_DATE,
  VALUE_HTTP_DATE_SERVER,
  VALUE_RFC850,
  VALUE_ASCTIME,
  VALUE_LOCAL,
  VALUE_REMAINING,
  VALUE_HEX,
  VALUE_EPOCH,
  VALUE_EPOCH_MS,
  VALUE_RFC3339,
  VALUE_DATE,
  VALUE_DURATION,
  VALUE_SECONDS,
  VALUE_PAD,
  VALUE_REQUEST_ID,
  VALUE_MODEL,
  VALUE_NKINDS
};

enum value_argument {
  ARGUMENT_NONE,
  ARGUMENT_MAY,
  ARGUMENT_MUST,
  ARGUMENT_LOCAL, /* a number, a zone and a format */
  ARGUMENT_HEX
};

static const struct {
  const char *name;
  enum value_argument argument;
} kinds[VALUE_NKINDS] = {
    [VALUE_HTTP_DATE] = {"http_date", ARGUMENT_MAY},
    [VALUE_HTTP_DATE_SERVER] = {"http_date_server", ARGUMENT_MAY},
    [VALUE_RFC850] = {"rfc850", ARGUMENT_MAY},
    [VALUE_ASCTIME] = {"asctime", ARGUMENT_MAY},
    [VALUE_LOCAL] = {"local", ARGUMENT_LOCAL},
    [VALUE_REMAINING] = {"remaining", ARGUMENT_NONE},
    [VALUE_HEX] = {"hex", ARGUMENT_HEX},
    [VALUE_EPOCH] = {"epoch", ARGUMENT_MAY},
    [VALUE_EPOCH_MS] = {"epoch_ms", ARGUMENT_MAY},
    [VALUE_RFC3339] = {"rfc3339", ARGUMENT_MAY},
    [VALUE_DATE] = {"date", ARGUMENT_MAY},
    [VALUE_DURATION] = {"duration", ARGUMENT_MUST},
    [VALUE_SECONDS] = {"seconds", ARGUMENT_MUST},
    [VALUE_PAD] = {"pad", ARGUMENT_MUST},
    [VALUE_REQUEST_ID] = {"request_id", ARGUMENT_NONE},
    [VALUE_MODEL] = {"model", ARGUMENT_NONE}};

/* One {{...}} taken apart. */
struct value {
  enum value_kind kind;
  enum { FROM_NUMBER, FROM_WAIT, FROM_RESET, FROM_REMAINING } from;
  int64_t ms;
  struct bytes text; /* HEX: the digits; LOCAL: what follows the number */
};

/* 10000 years: what a date of four digits can still show. */
static const int64_t MAX_SECONDS = INT64_C(315360000000);

static bool read_fraction(struct bytes s, int64_t *ms)
{
  int64_t unit = 100;
  if (s.n == 0)
    return false;
  for (size_t i = 0; i < s.n; i++, unit /= 10) {
    if (s.p[i] < '0' || s.p[i] > '9')
      return false;
    *ms += (s.p[i] - '0') * unit;
  }
  return true;
}

/* [+-]DIGITS[.DIGITS] as milliseconds. */
static bool read_number(struct bytes s, int64_t *ret_ms)
{
  int64_t seconds = 0, ms = 0;
  size_t i = 0;
  bool minus = s.n && s.p[0] == '-';
  size_t first = s.n && (s.p[0] == '-' || s.p[0] == '+');
  for (i = first; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++) {
    seconds = seconds * 10 + (s.p[i] - '0');
    if (seconds > MAX_SECONDS)
      return false;
  }
  if (i == first)
    return false;
  if (i < s.n && s.p[i] == '.') {
    if (!read_fraction((struct bytes){s.p + i + 1, s.n - i - 1}, &ms))
      return false;
    i = s.n;
  }
  ms += seconds * 1000;
  *ret_ms = minus ? -ms : ms;
  return i == s.n;
}

static bool read_argument(struct bytes arg, struct value *v)
{
  struct bytes word = arg;
  if (word.n && word.p[0] == '+') {
    word.p++;
    word.n--;
  }
  v->from = bytes_equal(word, BYTES("wait"))        ? FROM_WAIT
            : bytes_equal(word, BYTES("reset"))     ? FROM_RESET
            : bytes_equal(word, BYTES("remaining")) ? FROM_REMAINING
                                                    : FROM_NUMBER;
  return v->from != FROM_NUMBER || read_number(arg, &v->ms);
}

static int hex_digit(char c)
{
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

static const char *read_hex(struct bytes arg, struct value *ret)
{
  for (size_t i = 0; i < arg.n; i++)
    if (hex_digit(arg.p[i]) < 0)
      return "needs pairs of hexadecimal digits";
  ret->text = arg;
  return arg.n && arg.n % 2 == 0 ? NULL : "needs pairs of hexadecimal digits";
}

static const char *read_local(struct bytes arg, struct value *ret)
{
  const char *blank = arg.n ? memchr(arg.p, ' ', arg.n) : NULL;
  size_t n = blank ? (size_t)(blank - arg.p) : arg.n;
  if (!read_argument((struct bytes){arg.p, n}, ret))
    return "needs a number of seconds such as +2, -5 or 1.5";
  ret->text = (struct bytes){arg.p + n, arg.n - n};
  return value_local_check(ret->text);
}

/* The inside of {{...}}; NULL when it is right, else what is wrong. */
static const char *read_value(struct bytes in, struct value *ret)
{
  const char *colon = in.n ? memchr(in.p, ':', in.n) : NULL;
  struct bytes name = {in.p, colon ? (size_t)(colon - in.p) : in.n};
  struct bytes arg = {colon ? colon + 1 : "", colon ? in.n - name.n - 1 : 0};
  memset(ret, 0, sizeof *ret);
  int k = 0;
  while (k < VALUE_NKINDS && !bytes_equal(name, bytes_of(kinds[k].name)))
    k++;
  if (k == VALUE_NKINDS)
    return "is no value; known: http_date, http_date_server, rfc850, asctime, "
           "epoch, epoch_ms, rfc3339, date, local, duration, seconds, "
           "remaining, pad, hex, request_id, model";
  ret->kind = (enum value_kind)k;
  if (colon && kinds[k].argument == ARGUMENT_NONE)
    return "takes no number";
  if (kinds[k].argument == ARGUMENT_HEX)
    return read_hex(arg, ret);
  if (kinds[k].argument == ARGUMENT_LOCAL)
    return read_local(arg, ret);
  if (!colon)
    return kinds[k].argument == ARGUMENT_MUST ? "needs a number" : NULL;
  if (!read_argument(arg, ret))
    return "needs a number of seconds such as +2, -5 or 1.5";
  if (ret->kind == VALUE_PAD && ret->from == FROM_NUMBER &&
      (ret->ms < 0 || ret->ms / 1000 > VALUE_MAX_PAD))
    return "is out of range 0..1048576";
  return NULL;
}

/* Finds the next {{...}} in `text`; false when there is none. */
static bool next_value(struct bytes text, size_t *ret_at, struct bytes *ret)
{
  ptrdiff_t open = bytes_find(text, BYTES("{{"));
  if (open < 0)
    return false;
  struct bytes rest = {text.p + open + 2, text.n - (size_t)open - 2};
  ptrdiff_t close = bytes_find(rest, BYTES("}}"));
  if (close < 0)
    return false;
  *ret_at = (size_t)open;
  *ret = (struct bytes){rest.p, (size_t)close};
  return true;
}

const char *value_check(struct bytes text, char *ret_wrong, size_t size)
{
  size_t at = 0;
  struct bytes in;
  while (next_value(text, &at, &in)) {
    struct value v;
    const char *wrong = read_value(in, &v);
    if (!wrong && (v.from == FROM_WAIT || v.from == FROM_RESET))
      wrong = "needs a number of seconds such as +2, -5 or 1.5";
    if (wrong) {
      snprintf(ret_wrong, size, "{{%.*s}}", in.n > 60 ? 60 : (int)in.n, in.p);
      return wrong;
    }
    size_t used = (size_t)(in.p + in.n + 2 - text.p);
    text = (struct bytes){text.p + used, text.n - used};
  }
  return NULL;
}

/* "." and the digits of `ms` below a second, without closing zeros. */
static void add_fraction(int64_t ms, struct buf *ret)
{
  char digits[8];
  int n = snprintf(digits, sizeof digits, "%03d", (int)(ms % 1000));
  while (n > 0 && digits[n - 1] == '0')
    n--;
  if (n > 0) {
    buf_addc(ret, '.');
    buf_add(ret, digits, (size_t)n);
  }
}

static int64_t add_sign(int64_t ms, struct buf *ret)
{
  if (ms >= 0)
    return ms;
  buf_addc(ret, '-');
  return -ms;
}

void value_duration(int64_t ms, struct buf *ret)
{
  if (ms == 0) {
    buf_adds(ret, "0s");
    return;
  }
  ms = add_sign(ms, ret);
  if (ms < 1000) {
    buf_addf(ret, "%lldms", (long long)ms);
    return;
  }
  int64_t s = ms / 1000;
  if (s >= 3600)
    buf_addf(ret, "%lldh", (long long)(s / 3600));
  if (s >= 60)
    buf_addf(ret, "%lldm", (long long)(s / 60 % 60));
  buf_addf(ret, "%lld", (long long)(s % 60));
  add_fraction(ms, ret);
  buf_addc(ret, 's');
}

static void add_seconds(int64_t ms, struct buf *ret)
{
  ms = add_sign(ms, ret);
  buf_addf(ret, "%lld", (long long)(ms / 1000));
  add_fraction(ms, ret);
}

static void add_pad(int64_t n, struct buf *ret)
{
  for (int64_t i = 0; i < n && i < VALUE_MAX_PAD; i++)
    buf_addc(ret, 'x');
}

static void add_hex(struct bytes digits, struct buf *ret)
{
  for (size_t i = 0; i + 1 < digits.n; i += 2)
    buf_addc(ret,
             (char)(hex_digit(digits.p[i]) * 16 + hex_digit(digits.p[i + 1])));
}

/* The two old forms of RFC 9110 5.6.7 from the new one:
 * "Mon, 01 Dec 2025 00:00:03 GMT". */
static void add_old_date(enum value_kind kind, int64_t epoch_s, struct buf *ret)
{
  char d[32];
  static const char *const ends[] = {"Sunday",    "Monday",   "Tuesday",
                                     "Wednesday", "Thursday", "Friday",
                                     "Saturday"};
  clock_http_date(epoch_s, d);
  if (kind == VALUE_ASCTIME) {
    buf_addf(ret, "%.3s %.3s %c%c %.8s %.4s", d, d + 8,
             d[5] == '0' ? ' ' : d[5], d[6], d + 17, d + 12);
    return;
  }
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (strncmp(ends[i], d, 3) == 0)
      buf_adds(ret, ends[i]);
  buf_addf(ret, ", %.2s-%.3s-%.2s %.8s GMT", d + 5, d + 8, d + 14, d + 17);
}

static void add_time(enum value_kind kind, int64_t epoch_ms, struct buf *ret)
{
  char text[32];
  int64_t epoch_s = epoch_ms / 1000 - (epoch_ms % 1000 < 0);
  switch (kind) {
  case VALUE_RFC850:
  case VALUE_ASCTIME:
    add_old_date(kind, epoch_s, ret);
    break;
  case VALUE_HTTP_DATE:
  case VALUE_HTTP_DATE_SERVER:
    clock_http_date(epoch_s, text);
    buf_add(ret, text, 29);
    break;
  case VALUE_RFC3339:
    clock_rfc3339(epoch_s, text);
    buf_adds(ret, text);
    break;
  case VALUE_DATE:
    clock_rfc3339(epoch_s, text);
    buf_add(ret, text, 10);
    break;
  case VALUE_EPOCH_MS:
    buf_addf(ret, "%lld", (long long)epoch_ms);
    break;
  default:
    buf_addf(ret, "%lld", (long long)epoch_s);
    break;
  }
}

/* A limiter's reset never lies before the wait it tells is over, so the part
 * of a second that the text cannot hold is rounded up. */
static int64_t moment_ms(const struct value *v, int64_t epoch_ms)
{
  if ((v->from != FROM_WAIT && v->from != FROM_REMAINING) ||
      v->kind == VALUE_EPOCH_MS)
    return epoch_ms;
  return (epoch_ms + 999) / 1000 * 1000;
}

static void add_value(const struct value *v, const struct value_scope *s,
                      struct buf *ret)
{
  int64_t ms = v->from == FROM_WAIT        ? s->wait_ms
               : v->from == FROM_RESET     ? s->reset_ms
               : v->from == FROM_REMAINING ? s->remaining_ms
                                           : v->ms;
  int64_t at_ms = moment_ms(v, s->now_ns / NS_PER_MS + ms);
  switch (v->kind) {
  case VALUE_DURATION:
    value_duration(ms, ret);
    break;
  case VALUE_SECONDS:
    add_seconds(ms, ret);
    break;
  case VALUE_PAD:
    add_pad(ms / 1000, ret);
    break;
  case VALUE_REQUEST_ID:
    buf_addb(ret, s->request_id);
    break;
  case VALUE_MODEL:
    buf_addb(ret, s->model);
    break;
  case VALUE_HEX:
    add_hex(v->text, ret);
    break;
  case VALUE_REMAINING:
    buf_addf(ret, "%lld", (long long)((s->remaining_ms + 999) / 1000));
    break;
  case VALUE_LOCAL:
    value_local_add(v->text, at_ms / 1000, ret);
    break;
  case VALUE_HTTP_DATE_SERVER:
    add_time(v->kind, at_ms + s->skew_ms, ret);
    break;
  default:
    add_time(v->kind, at_ms, ret);
    break;
  }
}

void value_expand(struct bytes text, const struct value_scope *s,
                  struct buf *ret)
{
  size_t at = 0;
  struct bytes in;
  struct value v;
  while (next_value(text, &at, &in) && !read_value(in, &v)) {
    buf_add(ret, text.p, at);
    add_value(&v, s, ret);
    size_t used = (size_t)(in.p + in.n + 2 - text.p);
    text = (struct bytes){text.p + used, text.n - used};
  }
  buf_addb(ret, text);
}
