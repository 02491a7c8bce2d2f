#include "mockserver/value_local.h"

#include "base/civil.h"
#include "mockserver/zone.h"

#include <string.h>

static const char letters[] = "YmdeHIMSpPaAbBZzy%";

static const char *const weekdays[] = {"Sunday",    "Monday",   "Tuesday",
                                       "Wednesday", "Thursday", "Friday",
                                       "Saturday"};
static const char *const months[] = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

struct local {
  struct zone_offset offset;
  int64_t year;
  int month, day, weekday;
  int hour, minute, second;
};

struct parts {
  struct bytes zone, format;
};

static const char *read_parts(struct bytes arg, struct parts *ret)
{
  static const char *const form =
      "needs +n, a zone and a format, as in +60 Europe/Oslo '%H:%M'";
  ptrdiff_t quote = bytes_find(arg, BYTES(" '"));
  if (arg.n < 4 || arg.p[0] != ' ' || quote < 1 || arg.p[arg.n - 1] != '\'' ||
      (size_t)quote + 2 >= arg.n)
    return form;
  ret->zone = (struct bytes){arg.p + 1, (size_t)quote - 1};
  ret->format = (struct bytes){arg.p + quote + 2, arg.n - (size_t)quote - 3};
  return NULL;
}

static const char *check_format(struct bytes f)
{
  for (size_t i = 0; i < f.n; i++) {
    if (f.p[i] != '%')
      continue;
    i++;
    if (i < f.n && f.p[i] == '-')
      i++;
    if (i >= f.n || !f.p[i] || !strchr(letters, f.p[i]))
      return "has a letter the format does not know; known: Y m d e H I M S "
             "p P a A b B Z z y %";
  }
  return NULL;
}

const char *value_local_check(struct bytes arg)
{
  struct parts parts;
  const char *why = read_parts(arg, &parts);
  if (!why)
    why = check_format(parts.format);
  if (!why)
    zone_find(parts.zone, &why);
  return why;
}

static void to_local(int64_t epoch_s, const struct zone *z, struct local *ret)
{
  zone_at(z, epoch_s, &ret->offset);
  int64_t s = epoch_s + ret->offset.east_s;
  int64_t days = civil_day_of(s);
  int64_t of_day = s - days * CIVIL_DAY_S;
  civil_date(days, &ret->year, &ret->month, &ret->day);
  ret->weekday = civil_weekday(days);
  ret->hour = (int)(of_day / 3600);
  ret->minute = (int)(of_day / 60 % 60);
  ret->second = (int)(of_day % 60);
}

/* -1: the letter stands for a text. */
static int64_t number_of(char letter, const struct local *l)
{
  switch (letter) {
  case 'Y':
    return l->year;
  case 'y':
    return l->year % 100;
  case 'm':
    return l->month;
  case 'd':
  case 'e':
    return l->day;
  case 'H':
    return l->hour;
  case 'I':
    return l->hour % 12 ? l->hour % 12 : 12;
  case 'M':
    return l->minute;
  case 'S':
    return l->second;
  default:
    return -1;
  }
}

static void add_offset(int64_t east_s, struct buf *ret)
{
  int64_t minutes = (east_s < 0 ? -east_s : east_s) / 60;
  buf_addf(ret, "%c%02d%02d", east_s < 0 ? '-' : '+', (int)(minutes / 60),
           (int)(minutes % 60));
}

static void add_text(char letter, const struct local *l, struct buf *ret)
{
  const char *month = months[l->month - 1], *day = weekdays[l->weekday];
  if (letter == 'p' || letter == 'P')
    buf_adds(ret, letter == 'p' ? (l->hour < 12 ? "AM" : "PM")
                                : (l->hour < 12 ? "am" : "pm"));
  else if (letter == 'a' || letter == 'A')
    buf_add(ret, day, letter == 'a' ? 3 : strlen(day));
  else if (letter == 'b' || letter == 'B')
    buf_add(ret, month, letter == 'b' ? 3 : strlen(month));
  else if (letter == 'Z')
    buf_adds(ret, l->offset.name);
  else if (letter == 'z')
    add_offset(l->offset.east_s, ret);
  else
    buf_addc(ret, '%');
}

void value_local_add(struct bytes arg, int64_t epoch_s, struct buf *ret)
{
  struct parts parts;
  struct local l = {.year = 0};
  const char *why = NULL;
  const struct zone *z =
      read_parts(arg, &parts) ? NULL : zone_find(parts.zone, &why);
  if (!z)
    return; /* the loader has checked the text */
  to_local(epoch_s, z, &l);
  for (size_t i = 0; i < parts.format.n; i++) {
    if (parts.format.p[i] != '%') {
      buf_addc(ret, parts.format.p[i]);
      continue;
    }
    bool plain = parts.format.p[++i] == '-';
    char letter = parts.format.p[i += plain];
    int64_t n = number_of(letter, &l);
    if (n < 0)
      add_text(letter, &l, ret);
    else if (plain || letter == 'Y')
      buf_addf(ret, "%lld", (long long)n);
    else
      buf_addf(ret, letter == 'e' ? "%2lld" : "%02lld", (long long)n);
  }
}
