#include "mockserver/import/moment.h"

#include "base/civil.h"
#include "base/number.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* Further away it is no wait: a birthday, a certificate, an id. */
#define NEAR_S (40 * CIVIL_DAY_S)
/* A server's clock that is wrong by more is a part of the incident. */
#define SKEW_MS 60000

/* ---- reading ---- */

static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/* Exactly `n` digits at `at`. */
static bool digits(struct bytes s, size_t at, size_t n, int *ret)
{
  *ret = 0;
  if (at + n > s.n)
    return false;
  for (size_t i = at; i < at + n; i++) {
    if (s.p[i] < '0' || s.p[i] > '9')
      return false;
    *ret = *ret * 10 + (s.p[i] - '0');
  }
  return true;
}

static bool clock_of(struct bytes s, size_t at, int64_t *ret_s)
{
  int h, m, sec;
  if (!digits(s, at, 2, &h) || !digits(s, at + 3, 2, &m) ||
      !digits(s, at + 6, 2, &sec) || s.p[at + 2] != ':' || s.p[at + 5] != ':')
    return false;
  *ret_s = h * 3600 + m * 60 + sec;
  return h < 24 && m < 60 && sec < 61;
}

bool moment_http_date(struct bytes s, int64_t *ret_epoch_s)
{
  int day, year, month = 0;
  int64_t time_s;
  if (s.n != 29 || memcmp(s.p + 25, " GMT", 4) != 0 || s.p[3] != ',' ||
      s.p[4] != ' ' || !digits(s, 5, 2, &day) || !digits(s, 12, 4, &year) ||
      !clock_of(s, 17, &time_s))
    return false;
  while (month < 12 && memcmp(s.p + 8, months[month], 3) != 0)
    month++;
  if (month == 12 || day < 1 || day > 31)
    return false;
  *ret_epoch_s = civil_days(year, month + 1, day) * CIVIL_DAY_S + time_s;
  return true;
}

/* "2025-12-01T00:00:00", 19 bytes. */
static bool date_time(struct bytes s, int64_t *ret_s)
{
  int year, month, day;
  int64_t time_s;
  if (s.n < 19 || !digits(s, 0, 4, &year) || !digits(s, 5, 2, &month) ||
      !digits(s, 8, 2, &day) || s.p[4] != '-' || s.p[7] != '-' ||
      !strchr("Tt ", s.p[10]) || !clock_of(s, 11, &time_s) || month < 1 ||
      month > 12 || day < 1 || day > 31)
    return false;
  *ret_s = civil_days(year, month, day) * CIVIL_DAY_S + time_s;
  return true;
}

static bool offset_of(struct bytes s, int64_t *ret_s)
{
  int h, m;
  *ret_s = 0;
  if (s.n == 1 && (s.p[0] == 'Z' || s.p[0] == 'z'))
    return true;
  if (s.n < 5 || (s.p[0] != '+' && s.p[0] != '-') || !digits(s, 1, 2, &h) ||
      !digits(s, s.n - 2, 2, &m) || s.n > 6 || (s.n == 6 && s.p[3] != ':'))
    return false;
  *ret_s = (h * 3600 + m * 60) * (s.p[0] == '-' ? -1 : 1);
  return true;
}

bool moment_rfc3339(struct bytes s, int64_t *ret_epoch_ms)
{
  int64_t second, offset, ms = 0, unit = 100;
  size_t at = 19;
  if (!date_time(s, &second))
    return false;
  if (at < s.n && s.p[at] == '.')
    for (at++; at < s.n && s.p[at] >= '0' && s.p[at] <= '9'; at++) {
      ms += (s.p[at] - '0') * unit;
      unit /= 10;
    }
  if (!offset_of((struct bytes){s.p + at, s.n - at}, &offset))
    return false;
  *ret_epoch_ms = (second - offset) * 1000 + ms;
  return true;
}

struct moment moment_of(int64_t log_ms, int64_t date_ms)
{
  int64_t skew = log_ms - date_ms;
  bool by_date = date_ms >= 0 && (log_ms < 0 || llabs(skew) <= SKEW_MS);
  int64_t ms = by_date ? date_ms : log_ms;
  return (struct moment){ms >= 0, ms >= 0 ? ms / 1000 : 0};
}

/* ---- one time ---- */

static bool is_near(const struct moment *m, int64_t epoch_s)
{
  return m->known && llabs(epoch_s - m->epoch_s) <= NEAR_S;
}

/* A brace in front of a value would be taken for a part of it. */
static void part_brace(struct buf *ret)
{
  if (!ret->n || ret->p[ret->n - 1] != '{')
    return;
  ret->n--;
  buf_adds(ret, "{{hex:7b}}");
}

static void add(struct buf *ret, const char *name, int64_t n)
{
  part_brace(ret);
  if (n)
    buf_addf(ret, "{{%s:%+" PRId64 "}}", name, n);
  else
    buf_addf(ret, "{{%s}}", name);
}

/* A time that is all of `s` in a form that keeps its length. */
static bool add_time(const struct moment *m, struct bytes s, struct buf *ret)
{
  int64_t at = 0;
  uint64_t n = 0;
  if (s.n == 29 && moment_http_date(s, &at) && is_near(m, at)) {
    add(ret, "http_date", at - m->epoch_s);
    return true;
  }
  if (s.n == 20 && s.p[10] == 'T' && s.p[19] == 'Z' && moment_rfc3339(s, &at) &&
      is_near(m, at / 1000)) {
    add(ret, "rfc3339", at / 1000 - m->epoch_s);
    return true;
  }
  if (s.n == 10 && number_u64(s, INT64_MAX, &n) == NUMBER_OK &&
      is_near(m, (int64_t)n)) {
    add(ret, "epoch", (int64_t)n - m->epoch_s);
    return true;
  }
  return false;
}

/* Milliseconds: whole seconds alone, since the moment has no better clock. */
static bool add_epoch_ms(const struct moment *m, struct bytes s,
                         struct buf *ret)
{
  uint64_t n = 0;
  if (s.n != 13 || number_u64(s, INT64_MAX, &n) != NUMBER_OK ||
      !is_near(m, (int64_t)(n / 1000)))
    return false;
  int64_t ms = (int64_t)n - m->epoch_s * 1000;
  if (ms % 1000 == 0)
    add(ret, "epoch_ms", ms / 1000);
  else {
    part_brace(ret);
    buf_addf(ret, "{{epoch_ms:%s%" PRId64 ".%03" PRId64 "}}",
             ms < 0 ? "-" : "+", (int64_t)llabs(ms) / 1000,
             (int64_t)llabs(ms) % 1000);
  }
  return true;
}

/* ---- texts ---- */

static void add_hex(struct buf *ret, const char *p, size_t n)
{
  part_brace(ret);
  buf_adds(ret, "{{hex:");
  for (size_t i = 0; i < n; i++)
    buf_addf(ret, "%02x", (unsigned)(unsigned char)p[i]);
  buf_adds(ret, "}}");
}

/* The next character; how many bytes it was. */
static size_t add_character(struct bytes s, struct buf *ret)
{
  size_t n = bytes_utf8_length(s);
  if (s.n > 1 && s.p[0] == '{' && s.p[1] == '{') {
    add_hex(ret, s.p, 2);
    return 2;
  }
  if (n == 0 ||
      (n == 1 && (s.p[0] == '\0' || s.p[0] == '\r' || s.p[0] == '\n'))) {
    add_hex(ret, s.p, 1);
    return 1;
  }
  buf_add(ret, s.p, n);
  return n;
}

/* Numbers of headers mean anything; a time's name says so. */
static bool names_time(const char *name)
{
  static const char *const words[] = {"reset", "retry", "date", "expires",
                                      "time",  "until", NULL};
  for (const char *const *w = words; *w; w++)
    if (strcasestr(name, *w))
      return true;
  return false;
}

void moment_header(const struct moment *m, const char *name, struct bytes value,
                   struct buf *ret)
{
  bool number = value.n && value.p[0] >= '0' && value.p[0] <= '9' &&
                (value.n == 10 || value.n == 13);
  if ((!number || names_time(name)) &&
      (add_time(m, value, ret) || add_epoch_ms(m, value, ret)))
    return;
  for (size_t i = 0; i < value.n;)
    i += add_character((struct bytes){value.p + i, value.n - i}, ret);
}

static bool is_word(char c)
{
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
         (c >= 'a' && c <= 'z') || c == '_' || c == '-' || c == '.';
}

/* The time that begins here, with no word going on behind it. */
static size_t take_time(const struct moment *m, struct bytes s, struct buf *ret)
{
  static const size_t lengths[] = {29, 20, 13, 10};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    size_t n = lengths[i];
    if (n > s.n || (n < s.n && is_word(s.p[n]) && s.p[n] != '.'))
      continue;
    if (n < s.n && s.p[n] == '.' && n + 1 < s.n && is_word(s.p[n + 1]))
      continue;
    struct bytes time = {s.p, n};
    if (add_time(m, time, ret) || add_epoch_ms(m, time, ret))
      return n;
  }
  return 0;
}

void moment_body(const struct moment *m, struct bytes text, struct buf *ret)
{
  for (size_t i = 0; i < text.n;) {
    struct bytes rest = {text.p + i, text.n - i};
    bool begins = (i == 0 || !is_word(text.p[i - 1])) && is_word(text.p[i]);
    size_t n = begins && m->known ? take_time(m, rest, ret) : 0;
    if (n == 0 && (rest.p[0] == '\n' || rest.p[0] == '\r')) {
      buf_addc(ret, rest.p[0]); /* a body may have lines */
      n = 1;
    }
    i += n ? n : add_character(rest, ret);
  }
}
