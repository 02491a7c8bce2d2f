#include "base/clock.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int64_t read_ns(clockid_t id)
{
  struct timespec t;
  clock_gettime(id, &t);
  return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

static int64_t real_now(struct clock *c)
{
  (void)c;
  return read_ns(CLOCK_MONOTONIC);
}

static int64_t real_wall(struct clock *c)
{
  (void)c;
  return read_ns(CLOCK_REALTIME);
}

static void real_wait(struct clock *c, int64_t deadline_ns)
{
  (void)c;
  struct timespec t = {.tv_sec = deadline_ns / NS_PER_S,
                       .tv_nsec = deadline_ns % NS_PER_S};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
    continue;
}

static int64_t real_block(struct clock *c, int64_t deadline_ns)
{
  if (deadline_ns == NO_DEADLINE)
    return -1;
  int64_t left = deadline_ns - real_now(c);
  return left > 0 ? left : 0;
}

struct clock *clock_real(void)
{
  static struct clock real = {real_now, real_wall, real_wait, real_block};
  return &real;
}

static int64_t fake_now(struct clock *c)
{
  return ((struct clock_fake *)c)->mono_ns;
}

static int64_t fake_wall(struct clock *c)
{
  return ((struct clock_fake *)c)->epoch_ns;
}

static void fake_wait(struct clock *c, int64_t deadline_ns)
{
  struct clock_fake *f = (struct clock_fake *)c;
  if (deadline_ns > f->mono_ns)
    clock_fake_advance(f, deadline_ns - f->mono_ns);
}

static int64_t fake_block(struct clock *c, int64_t deadline_ns)
{
  return deadline_ns <= fake_now(c) ? 0 : -1;
}

void clock_fake_init(struct clock_fake *c, int64_t epoch_s)
{
  *c = (struct clock_fake){.base = {fake_now, fake_wall, fake_wait, fake_block},
                           .mono_ns = NS_PER_S,
                           .epoch_ns = epoch_s * NS_PER_S};
}

void clock_fake_advance(struct clock_fake *c, int64_t ns)
{
  assert(ns >= 0);
  c->mono_ns += ns;
  c->epoch_ns += ns;
}

int64_t clock_now_ns(struct clock *c)
{
  return c->now_ns(c);
}

int64_t clock_wall_ns(struct clock *c)
{
  return c->wall_ns(c);
}

int64_t clock_wall_epoch_s(struct clock *c)
{
  return c->wall_ns(c) / NS_PER_S;
}

void clock_wait_until(struct clock *c, int64_t deadline_ns)
{
  c->wait_until(c, deadline_ns);
}

int64_t clock_block_ns(struct clock *c, int64_t deadline_ns)
{
  return c->block_ns(c, deadline_ns);
}

void clock_http_date(int64_t epoch_s, char ret[30])
{
  static const char days[] = "SunMonTueWedThuFriSat";
  static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  /* a server asks for the same second again and again */
  static _Thread_local char known[30];
  static _Thread_local int64_t known_s;
  if (known[0] && known_s == epoch_s) {
    memcpy(ret, known, sizeof known);
    return;
  }
  time_t t = (time_t)epoch_s;
  struct tm m;
  gmtime_r(&t, &m);
  char text[64]; /* more than 29: years beyond 9999 are cut below */
  snprintf(text, sizeof text, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT",
           days + 3 * m.tm_wday, m.tm_mday, months + 3 * m.tm_mon,
           m.tm_year + 1900, m.tm_hour, m.tm_min, m.tm_sec);
  memcpy(ret, text, 29);
  ret[29] = '\0';
  memcpy(known, ret, sizeof known);
  known_s = epoch_s;
}

void clock_rfc3339(int64_t epoch_s, char ret[21])
{
  time_t t = (time_t)epoch_s;
  struct tm m;
  gmtime_r(&t, &m);
  strftime(ret, 21, "%Y-%m-%dT%H:%M:%SZ", &m);
}
