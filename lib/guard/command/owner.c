#include "owner.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* Linux gives at most 2^22 process numbers (PID_MAX_LIMIT) and numbers
 * namespaces with 32 bits: together they fit an int64_t. */
enum { PID_BITS = 22 };

static int64_t name_space(void)
{
  struct stat st;
  if (stat("/proc/self/ns/pid", &st) < 0)
    return 0;
  return (int64_t)(st.st_ino & 0xffffffffU);
}

int64_t owner_self(void)
{
  int64_t space = name_space();
  return space ? space << PID_BITS | (int64_t)getpid() : 0;
}

bool owner_is_dead(int64_t owner)
{
  pid_t pid = (pid_t)(owner & ((1 << PID_BITS) - 1));
  if (pid <= 0 || owner >> PID_BITS != name_space())
    return false;
  return kill(pid, 0) < 0 && errno == ESRCH;
}
