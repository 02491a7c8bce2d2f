/* Small files of /proc. */
#include "harness/vtime/proc.h"

#include "harness/vtime/table.h"

#include <fcntl.h>
#include <unistd.h>

struct bytes proc_read_fd(int fd, char *room, size_t size)
{
  ssize_t n = fd < 0 ? -1 : pread(fd, room, size, 0);
  return (struct bytes){room, n > 0 ? (size_t)n : 0};
}

struct bytes proc_read(const char *path, char *room, size_t size)
{
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  struct bytes b = proc_read_fd(fd, room, size);
  if (fd >= 0)
    close(fd);
  return b;
}

int proc_tgid(int tid)
{
  char path[48], room[4096];
  uint64_t tgid = 0;
  snprintf(path, sizeof path, "/proc/%d/status", tid);
  if (!table_decimal(proc_read(path, room, sizeof room), "Tgid:", &tgid))
    return 0;
  return (int)tgid;
}

void proc_comm(int tid, char ret[17])
{
  char path[48], room[32];
  snprintf(path, sizeof path, "/proc/%d/comm", tid);
  struct bytes b = proc_read(path, room, sizeof room);
  if (b.n && b.p[b.n - 1] == '\n')
    b.n--;
  snprintf(ret, 17, "%.*s", b.n ? (int)b.n : 1, b.n ? b.p : "?");
}
