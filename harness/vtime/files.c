#include "harness/vtime/files.h"

#include <stdbool.h>
#include <sys/resource.h>

/* More than any run needs; some machines have no limit. */
#define ENOUGH 1048576U

static struct rlimit before;
static bool changed;

void files_make_room(void)
{
  struct rlimit more;
  if (changed || getrlimit(RLIMIT_NOFILE, &before) != 0)
    return;
  more = before;
  more.rlim_cur = before.rlim_max < ENOUGH ? before.rlim_max : ENOUGH;
  changed =
      more.rlim_cur > before.rlim_cur && setrlimit(RLIMIT_NOFILE, &more) == 0;
}

void files_as_before(void)
{
  if (changed)
    setrlimit(RLIMIT_NOFILE, &before);
}
