#include "mutants/descend.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/number.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct process {
  pid_t pid, parent;
  bool below, gone; /* gone: a zombie */
};

struct processes {
  struct process *item;
  int n;
};

/* Children of this process before the gate began; 64 is far beyond what a
 * script leaves behind before an `exec`. */
static struct {
  pid_t pid[64];
  int n;
} spared;

/* "PID (name) STATE PARENT ...": the name may hold anything, so the last
 * ')' counts (proc(5)). */
static bool parse_stat(const char *text, struct process *p)
{
  const char *at = strrchr(text, ')');
  if (!at || strlen(at) < 5)
    return false;
  p->gone = at[2] == 'Z' || at[2] == 'X';
  struct bytes rest = bytes_of(at + 4);
  uint64_t parent;
  if (number_take_u64(&rest, INT32_MAX, &parent) != NUMBER_OK)
    return false;
  p->parent = (pid_t)parent;
  return true;
}

static bool read_process(const char *name, struct process *ret)
{
  char path[64], text[1024];
  uint64_t pid;
  if (number_u64(bytes_of(name), INT32_MAX, &pid) != NUMBER_OK)
    return false;
  snprintf(path, sizeof path, "/proc/%llu/stat", (unsigned long long)pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  if (n <= 0)
    return false;
  text[n] = '\0';
  *ret = (struct process){.pid = (pid_t)pid};
  return parse_stat(text, ret);
}

static struct processes read_all(void)
{
  struct processes all = {0};
  DIR *dir = opendir("/proc");
  for (struct dirent *e; dir && (e = readdir(dir));) {
    struct process p;
    if (!read_process(e->d_name, &p))
      continue;
    all.item = mem_realloc(all.item, (size_t)(all.n + 1) * sizeof *all.item);
    all.item[all.n++] = p;
  }
  if (dir)
    closedir(dir);
  return all;
}

static bool is_spared(pid_t pid)
{
  for (int i = 0; i < spared.n; i++)
    if (spared.pid[i] == pid)
      return true;
  return false;
}

static bool parent_is_below(const struct processes *all, pid_t root,
                            pid_t parent)
{
  if (parent == root)
    return true;
  for (int i = 0; i < all->n; i++)
    if (all->item[i].pid == parent)
      return all->item[i].below;
  return false;
}

/* Marks what is below `root`; numbers need not rise with age, so as many
 * rounds as something new is found. */
static void mark(struct processes *all, pid_t root)
{
  bool found = true;
  while (found) {
    found = false;
    for (int i = 0; i < all->n; i++) {
      struct process *p = &all->item[i];
      if (p->below || is_spared(p->pid) ||
          !parent_is_below(all, root, p->parent))
        continue;
      p->below = found = true;
    }
  }
}

int descend_kill(pid_t root)
{
  int n = 0;
  struct processes all = read_all();
  mark(&all, root);
  for (int i = 0; i < all.n; i++) {
    if (!all.item[i].below || all.item[i].gone)
      continue;
    kill(all.item[i].pid, SIGKILL);
    n++;
  }
  free(all.item);
  return n;
}

void descend_spare_present(void)
{
  struct processes all = read_all();
  spared.n = 0;
  for (int i = 0; i < all.n && spared.n < 64; i++)
    if (all.item[i].parent == getpid())
      spared.pid[spared.n++] = all.item[i].pid;
  free(all.item);
}

static void reap(void)
{
  struct processes all = read_all();
  for (int i = 0; i < all.n; i++)
    if (all.item[i].parent == getpid() && all.item[i].gone &&
        !is_spared(all.item[i].pid))
      waitpid(all.item[i].pid, NULL, WNOHANG);
  free(all.item);
}

void descend_end_all(void)
{
  struct clock *c = clock_real();
  /* A killed process is gone within milliseconds; one stuck in the kernel
   * must not hold up the gate for ever. */
  for (int round = 0; round < 500 && descend_kill(getpid()) > 0; round++)
    clock_wait_until(c, clock_now_ns(c) + 2 * NS_PER_MS);
  reap();
}
