#include "harness/vtime/proc.h"

#include "harness/vtime/table.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* More children than fit make the list end early; those left out are in the
 * next one, after some of the others have gone. Longer than any client's. */
enum { MAX_CHILDREN_BYTES = 65536 };
/* For a tree that grows meanwhile, or that cannot be seen whole. */
enum { MAX_READS = 16 };

/* ---- the tree ---- */

void proc_tree_init(struct proc_tree *t, struct seat *const *seats,
                    const size_t *nseats)
{
  *t =
      (struct proc_tree){.own_tid = gettid(), .seats = seats, .nseats = nseats};
}

static void close_thread(struct proc_thread *t)
{
  close(t->stat_fd);
  close(t->sched_fd);
  close(t->children_fd);
}

static void release_proc(struct proc *p)
{
  for (size_t i = 0; i < p->n; i++)
    close_thread(&p->thread[i]);
  free(p->thread);
  close(p->dir_fd);
}

void proc_tree_release(struct proc_tree *t)
{
  for (size_t i = 0; i < t->n; i++)
    release_proc(&t->proc[i]);
  free(t->proc);
  free(t->row);
  *t = (struct proc_tree){.n = 0};
}

const struct proc *proc_tree_find(const struct proc_tree *t, int pid)
{
  for (size_t i = 0; i < t->n; i++)
    if (t->proc[i].pid == pid)
      return &t->proc[i];
  return NULL;
}

const struct proc_thread *proc_find_thread(const struct proc *p, int tid)
{
  for (size_t i = 0; p && i < p->n; i++)
    if (p->thread[i].tid == tid)
      return &p->thread[i];
  return NULL;
}

bool proc_tree_alive(const struct proc_tree *t, int pid, int tid)
{
  const struct proc_thread *k = proc_find_thread(proc_tree_find(t, pid), tid);
  return k && k->state != 'Z' && k->state != 'X';
}

static bool no_room(void)
{
  return errno == EMFILE || errno == ENFILE;
}

static bool add_proc(struct proc_tree *t, int pid)
{
  char path[48];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return no_room(); /* unseen: the tree is never whole */
  if (t->n == t->cap) {
    t->cap = t->cap ? 2 * t->cap : 16;
    t->proc = mem_realloc(t->proc, t->cap * sizeof *t->proc);
  }
  t->proc[t->n++] =
      (struct proc){.pid = pid, .dir_fd = fd, .own = pid == getpid()};
  return true;
}

static void drop_proc(struct proc_tree *t, size_t i)
{
  release_proc(&t->proc[i]);
  t->proc[i] = t->proc[--t->n];
}

/* ---- threads of a process ---- */

static int open_in(const struct proc *p, int tid, const char *name)
{
  char path[48];
  snprintf(path, sizeof path, "%d/%s", tid, name);
  return openat(p->dir_fd, path, O_RDONLY | O_CLOEXEC);
}

/* False: it is there, but cannot be looked at. */
static bool add_thread(struct proc *p, int tid)
{
  struct proc_thread t = {.tid = tid,
                          .stat_fd = open_in(p, tid, "stat"),
                          .sched_fd = open_in(p, tid, "schedstat"),
                          .children_fd = open_in(p, tid, "children"),
                          .switches = -1,
                          .slept_at = -1,
                          .children_at = -1,
                          .call_at = -1,
                          .seen = true};
  bool blind = t.children_fd < 0 && no_room();    /* the last to be opened */
  if (t.stat_fd < 0 || t.sched_fd < 0 || blind) { /* or gone already */
    close_thread(&t);
    return !blind;
  }
  if (p->n == p->cap) {
    p->cap = p->cap ? 2 * p->cap : 8;
    p->thread = mem_realloc(p->thread, p->cap * sizeof *p->thread);
  }
  p->thread[p->n++] = t;
  return true;
}

static bool see_thread(struct proc *p, int tid)
{
  for (size_t i = 0; i < p->n; i++)
    if (p->thread[i].tid == tid) {
      p->thread[i].seen = true;
      return true;
    }
  return add_thread(p, tid);
}

static void drop_unseen(struct proc *p)
{
  for (size_t i = 0; i < p->n;) {
    if (p->thread[i].seen) {
      i++;
      continue;
    }
    close_thread(&p->thread[i]);
    p->thread[i] = p->thread[--p->n];
  }
}

/* False: not all of them can be looked at, so that they have to be read again
 * the next time, and the tree is not whole. */
static bool read_threads(struct proc *p)
{
  int fd = openat(p->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
  bool all = d || !no_room();
  for (size_t i = 0; i < p->n; i++)
    p->thread[i].seen = false;
  for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
    struct bytes name = bytes_of(e->d_name);
    int tid;
    if (table_child(&name, &tid))
      all &= see_thread(p, tid);
  }
  if (d)
    closedir(d);
  if (all)
    drop_unseen(p);
  return all;
}

/* True when it was gone or other threads were there than we knew. */
static bool refresh_proc(struct proc_tree *t, size_t i, bool *ret_gone)
{
  struct stat st;
  struct proc *p = &t->proc[i];
  *ret_gone = fstat(p->dir_fd, &st) != 0 || st.st_nlink < 3;
  if (*ret_gone) {
    drop_proc(t, i);
    return true;
  }
  if (st.st_nlink == p->nlink)
    return false;
  /* as listed: one may have come or gone since the stat */
  p->nlink = read_threads(p) ? 2 + p->n : 0;
  return true;
}

/* ---- children ---- */

static bool read_children(struct proc_tree *t, int children_fd)
{
  static char room[MAX_CHILDREN_BYTES]; /* the coordinator alone reads */
  bool added = false;
  int pid;
  struct bytes rest = proc_read_fd(children_fd, room, sizeof room);
  while (table_child(&rest, &pid))
    if (!proc_tree_find(t, pid))
      added |= add_proc(t, pid);
  return added;
}

/* Only a thread that ran has new children, except that orphans are given to
 * a process that did not run: to its first thread. `all`: read each. */
static bool read_new_children(struct proc_tree *t, size_t i, bool all)
{
  bool added = false;
  for (size_t k = 0; k < t->proc[i].n; k++) {
    struct proc_thread *h = &t->proc[i].thread[k];
    bool first = h->tid == t->proc[i].pid || t->proc[i].own;
    if (!all && !first && h->children_at == h->switches)
      continue;
    h->children_at = h->switches;
    added |= read_children(t, h->children_fd);
  }
  return added;
}

/* True when nothing was new. */
static bool complete(struct proc_tree *t, bool all)
{
  bool news = false, gone;
  if (t->n == 0)
    add_proc(t, getpid());
  for (size_t i = 0; i < t->n; i++) {
    news |= refresh_proc(t, i, &gone);
    if (gone)
      i--; /* another took its place; 0 becomes 0 after the i++ */
  }
  for (size_t i = 0; i < t->n; i++)
    news |= read_new_children(t, i, all);
  return !news;
}

void proc_tree_read_all(struct proc_tree *t)
{
  for (size_t i = 0; i < t->n; i++)
    t->proc[i].nlink = 0;
  for (int i = 0; i < MAX_READS && !complete(t, true); i++)
    continue;
}

/* ---- passes ---- */

static const struct seat *seat_of(const struct proc_tree *t, int tid)
{
  for (size_t i = 0; i < *t->nseats; i++)
    if (t->seats[i]->tid == tid)
      return t->seats[i];
  return NULL;
}

static uint64_t epoch_of(const struct proc_tree *t)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < *t->nseats; i++)
    sum += t->seats[i]->waits;
  return sum;
}

static void read_count(struct proc_thread *h)
{
  char room[128];
  if (!table_switches(proc_read_fd(h->sched_fd, room, sizeof room),
                      &h->switches))
    h->switches = -1;
}

static void read_state(const struct proc_tree *t, struct proc_thread *h)
{
  char room[1024];
  struct table_stat st;
  h->state = 'X';
  if (table_stat(proc_read_fd(h->stat_fd, room, sizeof room), &st)) {
    h->state = st.state;
    if (st.state == 'D' && t->held && t->held(t->arg, h->tid))
      h->state = 'S';
    memcpy(h->comm, st.comm, sizeof h->comm);
  }
}

/*
 * In the first pass the state is the later one: asleep from then on, with
 * this count. In the last it is the earlier one: had the thread been woken
 * before the instant meant, it would be seen runnable now, or have another
 * count a moment later.
 *
 * A thread with the count it was seen asleep with has slept ever since, so
 * that the first pass need not ask for its state: most of what a look costs.
 */
static void read_thread(const struct proc_tree *t, struct proc_thread *h,
                        bool first)
{
  if (first)
    read_count(h);
  if (first && h->slept_at >= 0 && h->switches == h->slept_at)
    return;
  read_state(t, h);
  if (!first)
    read_count(h);
  bool same = first || h->switches == h->slept_at;
  h->slept_at = rule_asleep(h->state) && same ? h->switches : -1;
}

/* What a sleeping thread waits in is asked once a sleep; again when it was
 * opaque, which may have been a call we had not read yet. */
static void ask_opaque(const struct proc_tree *t, int pid,
                       struct proc_thread *h)
{
  if (!t->opaque || !rule_asleep(h->state) ||
      (h->call_at == h->switches && !h->opaque))
    return;
  h->call_at = h->switches;
  h->opaque = t->opaque(t->arg, pid, h);
}

static struct rule_thread row_of(const struct proc_tree *t,
                                 const struct proc *p, struct proc_thread *h,
                                 bool first)
{
  const struct seat *s = p->own ? seat_of(t, h->tid) : NULL;
  read_thread(t, h, first);
  struct rule_thread r = {.pid = p->pid,
                          .tid = h->tid,
                          .state = h->state,
                          .switches = h->switches,
                          .seat = s != NULL,
                          .runs = s && s->state != SEAT_WAITS};
  if (!s && !p->own) {
    ask_opaque(t, p->pid, h);
    r.opaque = h->opaque && h->state == 'S'; /* stopped: waits for nothing */
  }
  return r;
}

static size_t count_threads(const struct proc_tree *t)
{
  size_t n = 0;
  for (size_t i = 0; i < t->n; i++)
    n += t->proc[i].n;
  return n;
}

static void make_room(struct proc_tree *t)
{
  size_t n = count_threads(t);
  if (n > t->cap_rows) {
    t->cap_rows = 2 * n;
    t->row = mem_realloc(t->row, 2 * t->cap_rows * sizeof *t->row);
  }
  t->first = (struct rule_pass){.thread = t->row};
  t->last = (struct rule_pass){.thread = t->row + t->cap_rows};
}

/* The list has to be read again: another thread may have come for the one
 * that has gone, and the number be the same. */
static void note_gone(struct proc *p, const struct rule_thread *row)
{
  if (row->state == 'X')
    p->nlink = 0;
}

/* Ends at the first thread that forbids a jump. */
static struct rule_answer take(struct proc_tree *t, struct rule_thread *row,
                               struct rule_pass *pass)
{
  for (size_t i = 0; i < t->n; i++)
    for (size_t k = 0; k < t->proc[i].n; k++) {
      struct proc_thread *h = &t->proc[i].thread[k];
      if (t->proc[i].own && h->tid == t->own_tid)
        continue;
      struct rule_pass one = {&row[pass->n], 1, 0};
      row[pass->n++] = row_of(t, &t->proc[i], h, pass == &t->first);
      note_gone(&t->proc[i], one.thread);
      struct rule_answer a = rule_first(&one);
      if (a.word != RULE_QUIET)
        return a;
    }
  return (struct rule_answer){.word = RULE_QUIET};
}

/* The thread that ran last time mostly runs still, or again: one read says
 * so. */
static bool busy_still(struct proc_tree *t)
{
  for (size_t i = 0; t->busy_pid && i < t->n; i++)
    for (size_t k = 0; t->proc[i].pid == t->busy_pid && k < t->proc[i].n; k++) {
      struct proc_thread *h = &t->proc[i].thread[k];
      if (h->tid != t->busy_tid || t->proc[i].own)
        continue;
      read_state(t, h);
      return h->state == 'R' || h->state == 'D';
    }
  return false;
}

static struct rule_answer busy(struct proc_tree *t, struct rule_answer a)
{
  t->busy_pid = a.pid;
  t->busy_tid = a.tid;
  return a;
}

struct rule_answer proc_tree_look(struct proc_tree *t)
{
  if (busy_still(t))
    return (struct rule_answer){RULE_BUSY, t->busy_pid, t->busy_tid, "it runs"};
  if (t->n == 0)
    complete(t, true);
  make_room(t);
  struct rule_answer a = take(t, t->row, &t->first);
  if (a.word != RULE_QUIET)
    return busy(t, a);
  t->first.epoch = epoch_of(t);
  bool whole = complete(t, false);
  if (whole) {
    if (t->at_instant)
      t->at_instant(t->instant_arg);
    a = take(t, t->row + t->cap_rows, &t->last);
    if (a.word != RULE_QUIET)
      return busy(t, a);
    t->last.epoch = epoch_of(t);
  }
  return rule_quiet(&t->first, whole, &t->last);
}

/* ---- CPU time ---- */

/* The CPU clock of another process: clock_getcpuclockid(3) without its
 * check; CPUCLOCK_SCHED is 2 (linux/posix-timers.h). */
static int64_t cpu_of(int pid)
{
  struct timespec s;
  clockid_t id = (clockid_t)((~(unsigned)pid << 3) | 2);
  if (clock_gettime(id, &s) != 0)
    return 0;
  return (int64_t)s.tv_sec * NS_PER_S + s.tv_nsec;
}

int64_t proc_tree_cpu(struct proc_tree *t, int *ret_busy)
{
  int64_t sum = 0;
  *ret_busy = 0;
  for (size_t i = 0; i < t->n; i++) {
    struct proc *p = &t->proc[i];
    int64_t now = p->own ? 0 : cpu_of(p->pid);
    if (now > p->cpu_ns && p->cpu_ns) {
      sum += now - p->cpu_ns;
      (*ret_busy)++;
    }
    if (now)
      p->cpu_ns = now;
  }
  return sum;
}
