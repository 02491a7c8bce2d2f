/* In place of HTTP: a 429 that asks for a second, then an answer. */
#include "your_send.h"

#include <stdio.h>
#include <threads.h>
#include <time.h>

struct guard_answer your_send(const struct guard_limits *limits)
{
  static const struct guard_header headers[] = {{"retry-after", "1", 0}};
  static const char refused[] =
      "{\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\"}}";
  static int sent;
  struct guard_answer a = {.provider = "anthropic", .status = 200};
  a.body = "{}";
  a.body_n = 2;
  if (sent++ == 0) {
    a.status = 429;
    a.headers = headers;
    a.nheaders = 1;
    a.body = refused;
    a.body_n = sizeof refused - 1;
  }
  a.now_epoch_ms = your_now_ms();
  printf("sent, for at most %d s: %d\n", (int)(limits->total_ms / 1000),
         a.status);
  return a;
}

int64_t your_now_ms(void)
{
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void your_sleep_ms(int64_t ms)
{
  struct timespec t = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
  thrd_sleep(&t, NULL);
}
