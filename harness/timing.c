#include "harness/timing.h"

#include "base/civil.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/words.h"
#include "mockserver/import/moment.h"

#include <stdio.h>
#include <string.h>

/* 2100-01-01: a clock further on is a slip of the pen, and certificates of
 * the run would have to live that long. */
#define MAX_EPOCH_S 4102444800.0

const char *const time_words[] = {[TIME_REAL] = "real",
                                  [TIME_VIRTUAL] = "virtual",
                                  [TIME_SCALED] = "scaled",
                                  [TIME_AUTO] = "auto",
                                  [TIME_UNSAID] = NULL};

enum time_word time_word_of(const char *text)
{
  for (int i = 0; text && time_words[i]; i++)
    if (strcmp(time_words[i], text) == 0)
      return (enum time_word)i;
  return TIME_UNSAID;
}

/* --- moments -------------------------------------------------------------- */

static int two(const char *p)
{
  return (p[0] - '0') * 10 + (p[1] - '0');
}

/* moment.h reads logs, which hold no 30 February; people write one. */
static bool date_exists(const char *text)
{
  int month, day;
  int64_t year = two(text) * 100 + two(text + 2), back;
  civil_date(civil_days(year, two(text + 5), two(text + 8)), &back, &month,
             &day);
  return back == year && month == two(text + 5) && day == two(text + 8);
}

/* "-08:00" at the end: no zone of the world is further away than 14 h. */
static bool zone_exists(const char *text)
{
  size_t n = strlen(text);
  if (text[n - 1] == 'Z' || text[n - 1] == 'z')
    return true;
  return text[n - 3] == ':' && two(text + n - 5) <= 14 &&
         two(text + n - 2) < 60;
}

/* What is behind the milliseconds, which is as far as logs are read. */
static int64_t rest_ns(const char *text)
{
  const char *point = strchr(text, '.');
  int64_t ns = 0, unit = NS_PER_MS / 10;
  size_t n = point ? strspn(point + 1, "0123456789") : 0;
  for (size_t i = 3; i < n && unit; i++, unit /= 10)
    ns += (point[i + 1] - '0') * unit;
  return ns;
}

/* 23:59:60 is a leap second, and the first of the next day to every clock
 * (POSIX 4.16); in the middle of a day it is a slip. */
static bool second_exists(const char *text, int64_t ms)
{
  return two(text + 17) < 60 || ms / 1000 % 86400 == 0;
}

static bool read_date(const char *text, int64_t *ret_ns)
{
  int64_t ms = 0;
  if (!moment_rfc3339(bytes_of(text), &ms) || !date_exists(text) ||
      !zone_exists(text) || !second_exists(text, ms))
    return false;
  /* in nanoseconds the year 2610 would be this one again */
  bool fits = ms >= 0 && ms <= (int64_t)MAX_EPOCH_S * 1000;
  *ret_ns = fits ? ms * NS_PER_MS + rest_ns(text) : -1;
  return true;
}

static bool is_date(const char *text)
{
  int64_t ns;
  return read_date(text, &ns);
}

/* What is left out most often: the zone, the seconds, the time of day. */
static const char *const endings[] = {"Z", ":00Z", "T00:00:00Z", NULL};

static bool suggest_ending(const char *text, char *ret_why, size_t size)
{
  char guess[48];
  for (const char *const *e = endings; *e; e++) {
    snprintf(guess, sizeof guess, "%s%s", text, *e);
    if (!is_date(guess))
      continue;
    snprintf(ret_why, size,
             "'%s' has no %s; did you mean '%s', or another zone as in "
             "-08:00?",
             text, e[0][0] == 'Z' ? "zone" : "time with its zone", guess);
    return true;
  }
  return false;
}

/* "-0800", as date(1) and many logs write it. */
static bool suggest_colon(const char *text, char *ret_why, size_t size)
{
  char guess[48];
  size_t n = strlen(text);
  if (n < 2)
    return false;
  snprintf(guess, sizeof guess, "%.*s:%s", (int)n - 2, text, text + n - 2);
  if (!is_date(guess))
    return false;
  snprintf(ret_why, size, "'%s': did you mean '%s'?", text, guess);
  return true;
}

/* The text reads as a date, and the calendar has none such. */
static bool no_such_day(const char *text, char *ret_why, size_t size)
{
  char day[48];
  int64_t ms;
  snprintf(day, sizeof day, "%.10sT00:00:00Z", text);
  if (!moment_rfc3339(bytes_of(day), &ms) || date_exists(day))
    return false;
  snprintf(ret_why, size, "'%s': there is no such day as %.10s", text, text);
  return true;
}

static void suggest(const char *text, char *ret_why, size_t size)
{
  /* The longest date is shorter, so that guesses fit into their buffers. */
  bool short_enough = strlen(text) < 36;
  if (short_enough &&
      (suggest_ending(text, ret_why, size) ||
       suggest_colon(text, ret_why, size) || no_such_day(text, ret_why, size)))
    return;
  snprintf(ret_why, size,
           "'%.60s' is no moment: write one as in 2026-03-08T01:59:00-08:00, "
           "or seconds since 1970",
           text);
}

static int out_of_range(const char *text, char *ret_why, size_t size)
{
  int n = snprintf(ret_why, size, "'%.60s' is not between 1970 and 2100", text);
  double ms = 0;
  if (number_decimal(bytes_of(text), 0, MAX_EPOCH_S * 1000, &ms) == NUMBER_OK &&
      n > 0 && (size_t)n < size)
    snprintf(ret_why + n, size - (size_t)n,
             "; did you mean '%.15g', in seconds?", ms / 1000);
  return -1;
}

/* "2026" and "20260308" are seconds of the year 1970, and meant by nobody. */
static bool is_day(double s, char *ret_why, size_t size)
{
  char day[24], guess[48];
  bool year = s >= 1970 && s <= 2100;
  if (!year && !(s >= 19700101 && s <= 21001231))
    return false;
  int64_t n = (int64_t)s * (year ? 10000 : 1) + (year ? 101 : 0);
  snprintf(day, sizeof day, "%08lld", (long long)n);
  snprintf(guess, sizeof guess, "%.4s-%.2s-%.2sT00:00:00Z", day, day + 4,
           day + 6);
  if (!is_date(guess))
    return false;
  snprintf(ret_why, size,
           "'%.15g' is in 1970 when it is taken for seconds; did you mean "
           "'%s', or another zone as in -08:00?",
           s, guess);
  return true;
}

int wall_at_parse(const char *text, struct wall_at *ret, char *ret_why,
                  size_t size)
{
  int64_t ns = 0;
  double s = 0;
  enum number_result number =
      number_decimal(bytes_of(text), 0, MAX_EPOCH_S, &s);
  if (number == NUMBER_TOO_BIG)
    return out_of_range(text, ret_why, size);
  if (number == NUMBER_OK) {
    if (is_day(s, ret_why, size))
      return -1;
    ns = (int64_t)(s * (double)NS_PER_S);
  } else if (!read_date(text, &ns)) {
    suggest(text, ret_why, size);
    return -1;
  }
  if (ns < 0 || ns > (int64_t)MAX_EPOCH_S * NS_PER_S)
    return out_of_range(text, ret_why, size);
  *ret = (struct wall_at){true, ns};
  return 0;
}

int wall_at_read(const struct jval *v, struct wall_at *ret, struct diag *diag)
{
  char why[224], number[32];
  const char *text = number;
  if (cJSON_IsString(v->node))
    text = v->node->valuestring;
  else if (cJSON_IsNumber(v->node))
    snprintf(number, sizeof number, "%.15g", v->node->valuedouble);
  else
    return jval_error(v, diag,
                      "must be a date with its zone, as in "
                      "\"2026-03-08T01:59:00-08:00\", or seconds since 1970");
  return wall_at_parse(text, ret, why, sizeof why) < 0
             ? jval_error(v, diag, "%s", why)
             : 0;
}

/* --- the choice ----------------------------------------------------------- */

enum timing_word timing_choose(const struct timing *t, enum time_word own)
{
  enum time_word word = t->command != TIME_UNSAID ? t->command
                        : own != TIME_UNSAID      ? own
                                                  : t->project;
  bool wanted = word == TIME_VIRTUAL || word == TIME_AUTO;
  if (own == TIME_REAL)
    return TIMING_REAL;
  if (wanted && t->possible)
    return TIMING_VIRTUAL;
  if (own == TIME_VIRTUAL)
    return TIMING_SKIP;
  return word == TIME_SCALED || word == TIME_AUTO ? TIMING_SCALED : TIMING_REAL;
}

bool timing_insists(const struct timing *t)
{
  enum time_word word = t->command != TIME_UNSAID ? t->command : t->project;
  return word == TIME_VIRTUAL;
}

int64_t timing_at_ns(const struct timing *t, const struct wall_at *own)
{
  const struct wall_at *at = t->command_at.said ? &t->command_at
                             : own->said        ? own
                                                : &t->project_at;
  return at->said ? at->ns : -1;
}
