/*
 * vtime_static_nap MS: sleeps, and says how long by its own clock. Linked
 * statically, so that no object can be loaded into it.
 */
#include <stdio.h>
#include <time.h>

int main(int argc, char **argv)
{
  struct timespec a, b, t = {0, 0};
  long ms = 0;
  for (const char *p = argc > 1 ? argv[1] : ""; *p >= '0' && *p <= '9'; p++)
    ms = 10 * ms + (*p - '0');
  t.tv_sec = ms / 1000;
  t.tv_nsec = ms % 1000 * 1000000;
  clock_gettime(CLOCK_MONOTONIC, &a);
  nanosleep(&t, NULL);
  clock_gettime(CLOCK_MONOTONIC, &b);
  long took = (b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000;
  printf("%s\n", took >= ms && took < ms + 1000 ? "right" : "wrong");
  return 0;
}
