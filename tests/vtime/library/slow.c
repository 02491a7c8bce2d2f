/* An object that takes its time to be loaded: so many ns as SLOW_NS says. */
#include <stdlib.h>
#include <time.h>

static __attribute__((constructor)) void take_time(void)
{
  long long ns = 0;
  for (const char *p = getenv("SLOW_NS"); p && *p >= '0' && *p <= '9'; p++)
    ns = 10 * ns + (*p - '0');
  struct timespec t = {ns / 1000000000, ns % 1000000000};
  nanosleep(&t, NULL);
}
