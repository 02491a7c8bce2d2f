#include "mockserver/command/zone.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

static const char folder[] = "/usr/share/zoneinfo";

bool zone_known(const char *name)
{
  if (strcmp(name, "UTC") == 0)
    return true;
  if (!*name || *name == '/' || *name == '.' || strstr(name, ".."))
    return false;
  char *path = mem_format("%s/%s", folder, name);
  struct stat st;
  bool there = stat(path, &st) == 0 && S_ISREG(st.st_mode);
  free(path);
  return there;
}

/* libc knows one zone at a time, by a variable of the whole process; it is
 * put back before anybody else looks. */
struct tm zone_time(const char *name, int64_t epoch_s)
{
  const char *now = getenv("TZ");
  char *old = now ? mem_strdup(now) : NULL;
  time_t t = (time_t)epoch_s;
  struct tm tm = {0};
  setenv("TZ", name, 1);
  tzset();
  localtime_r(&t, &tm);
  if (old)
    setenv("TZ", old, 1);
  else
    unsetenv("TZ");
  tzset();
  free(old);
  return tm;
}

static const char *month(const struct tm *tm)
{
  static const char *const names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return names[tm->tm_mon];
}

static int hour(const struct tm *tm)
{
  return tm->tm_hour % 12 ? tm->tm_hour % 12 : 12;
}

void zone_clock(const struct tm *tm, struct buf *ret)
{
  buf_addf(ret, "%d", hour(tm));
  if (tm->tm_min)
    buf_addf(ret, ":%02d", tm->tm_min);
  buf_adds(ret, tm->tm_hour < 12 ? "am" : "pm");
}

void zone_day_clock(const struct tm *tm, struct buf *ret)
{
  buf_addf(ret, "%s %d, ", month(tm), tm->tm_mday);
  zone_clock(tm, ret);
}

void zone_day_at_clock(const struct tm *tm, struct buf *ret)
{
  buf_addf(ret, "%s %d at ", month(tm), tm->tm_mday);
  zone_clock(tm, ret);
}

static const char *ordinal(int n)
{
  int last = n % 10;
  if (n / 10 == 1)
    return "th";
  return last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
}

void zone_date_clock(const struct tm *tm, struct buf *ret)
{
  buf_addf(ret, "%s %d%s, %d %d:%02d %s", month(tm), tm->tm_mday,
           ordinal(tm->tm_mday), tm->tm_year + 1900, hour(tm), tm->tm_min,
           tm->tm_hour < 12 ? "AM" : "PM");
}

static void add_unit(int64_t n, const char *unit, struct buf *ret)
{
  if (n)
    buf_addf(ret, "%s%" PRId64 " %s%s", ret->n ? " " : "", n, unit,
             n == 1 ? "" : "s");
}

void zone_left(int64_t seconds, struct buf *ret)
{
  struct buf text;
  int64_t minutes = seconds < 60 ? 1 : seconds / 60;
  buf_init(&text, 128);
  add_unit(minutes / (24 * 60), "day", &text);
  add_unit(minutes / 60 % 24, "hour", &text);
  add_unit(minutes % 60, "minute", &text);
  buf_addb(ret, buf_bytes(&text));
  buf_release(&text);
}
