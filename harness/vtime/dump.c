/* The answer to SIGUSR1: why does the clock stand still? */
#include "harness/vtime/coordinator.h"

#include <string.h>

static double seconds(int64_t ns)
{
  return (double)ns / (double)NS_PER_S;
}

static void add_thread(const struct coordinator *c, const struct proc *p,
                       const struct proc_thread *t, struct buf *ret)
{
  char path[64], room[256];
  snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", p->pid, t->tid);
  struct bytes call = proc_read(path, room, sizeof room);
  const char *end = call.n ? memchr(call.p, '\n', call.n) : NULL;
  if (end)
    call.n = (size_t)(end - call.p);
  if (t->tid == c->tree.own_tid) { /* never looked at: no name, no state */
    buf_addf(ret, "  thread %d, the clock's own\n", t->tid);
    return;
  }
  buf_addf(ret, "  thread %d %s %c%s, call ", t->tid, t->comm,
           t->state ? t->state : '?', t->opaque ? " opaque" : "");
  buf_addb(ret, call);
  c->way->kind->tell_thread(c->way, t->tid, ret);
  buf_addc(ret, '\n');
}

static void add_seats(const struct coordinator *c, struct buf *ret)
{
  for (size_t i = 0; i < c->nseats; i++)
    buf_addf(ret, "  own thread %d %s, %.6f s left\n", c->seats[i]->tid,
             c->seats[i]->state == SEAT_WAITS ? "waits" : "runs",
             seconds(c->seats[i]->deadline_ns - vtime_page_now_ns(c->page)));
}

void coordinator_dump(struct coordinator *c, struct buf *ret)
{
  proc_tree_read_all(&c->tree);
  buf_addf(ret, "virtual time %.6f s; last look: %s (pid %d, thread %d)\n",
           seconds(vtime_page_now_ns(c->page) - c->start_ns),
           c->why ? c->why : "none yet", c->why_pid, c->why_tid);
  for (size_t i = 0; i < c->tree.n; i++) {
    buf_addf(ret, "process %d%s\n", c->tree.proc[i].pid,
             c->tree.proc[i].own ? " (ours)" : "");
    for (size_t k = 0; k < c->tree.proc[i].n; k++)
      add_thread(c, &c->tree.proc[i], &c->tree.proc[i].thread[k], ret);
  }
  c->way->kind->tell(c->way, ret);
  add_seats(c, ret);
}
