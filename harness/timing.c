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
  *ret_ns = ms * NS_PER_MS + rest_ns(text);
  return true;
}

/* What is left out most often: the zone, the seconds, the time of day. */
static const char *const endings[] = {"Z", ":00Z", "T00:00:00Z", NULL};

static void suggest(const char *text, char *ret_why, size_t size)
{
  char guess[48];
  int64_t ns;
  size_t n = strlen(text);
  for (const char *const *e = endings; n < 26 && *e; e++) {
    snprintf(guess, sizeof guess, "%s%s", text, *e);
    if (!read_date(guess, &ns))
      continue;
    snprintf(ret_why, size,
             "'%s' has no %s; did you mean '%s', or another zone as in "
             "-08:00?",
             text, e[0][0] == 'Z' ? "zone" : "time with its zone", guess);
    return;
  }
  snprintf(ret_why, size,
           "'%.60s' is no moment: write one as in 2026-03-08T01:59:00-08:00, "
           "or seconds since 1970",
           text);
}

static int out_of_range(const char *text, char *ret_why, size_t size)
{
  snprintf(ret_why, size, "'%.60s' is not between 1970 and 2100", text);
  return -1;
}

int wall_at_parse(const char *text, struct wall_at *ret, char *ret_why,
                  size_t size)
{
  int64_t ns = 0;
  double s = 0;
  if (*text && text[strspn(text, "0123456789.")] == '\0') {
    if (number_decimal(bytes_of(text), 0, MAX_EPOCH_S, &s) != NUMBER_OK)
      return out_of_range(text, ret_why, size);
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
  char why[224];
  double s = 0;
  if (cJSON_IsString(v->node))
    return wall_at_parse(v->node->valuestring, ret, why, sizeof why) < 0
               ? jval_error(v, diag, "%s", why)
               : 0;
  if (jval_number(v, 0, MAX_EPOCH_S, &s, diag) < 0)
    return -1;
  *ret = (struct wall_at){true, (int64_t)(s * (double)NS_PER_S)};
  return 0;
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
