/* Threads whose waits the board does not know. */
#include "harness/vtime/preload/preload.h"

#include "harness/vtime/seccomp/kernel_wait.h"

#include <string.h>
#include <sys/syscall.h>

static const struct board_given_up *given_up(const struct preload *p, int pid)
{
  for (int i = 0; i < BOARD_GIVEN_UP; i++)
    if (p->board->given_up[i].pid == pid)
      return &p->board->given_up[i];
  return NULL;
}

/* The page is mapped low, hence among the first lines; a child of fork has it
 * from its parent, exec takes it away. */
bool preload_has_object(int pid, int tid)
{
  char path[64], room[4096];
  snprintf(path, sizeof path, "/proc/%d/task/%d/maps", pid, tid);
  struct bytes text = proc_read(path, room, sizeof room);
  return text.n && memmem(text.p, text.n, BOARD_MAPPED, strlen(BOARD_MAPPED));
}

/*
 * True: the slot speaks for the thread, which is asleep. One that names
 * another call was left behind, by longjmp out of a signal handler or by
 * exec; `entered` was read before the call was, and the thread has not run
 * since.
 */
static bool slot_holds(struct preload *p, const struct board_slot *s,
                       uint32_t entered, const struct table_call *now)
{
  if (s->state != SLOT_WAITS && s->state != SLOT_WOKEN)
    return false;
  uint32_t *stale = &p->seen[s - p->board->slot].stale;
  bool means = preload_means(s->nr, now->nr);
  if (!means)
    *stale = entered;
  else if (*stale == entered) /* a signal handler was in another call */
    *stale = 0;
  return means;
}

static bool waits_for_child(int nr)
{
  return nr == SYS_wait4 || nr == SYS_waitid;
}

bool preload_opaque(void *arg, int pid, const struct proc_thread *t)
{
  struct preload *p = arg;
  struct table_call now;
  bool seen;
  const struct board_slot *s = preload_slot(p, pid, t->tid);
  uint32_t entered = s ? s->entered : 0;
  if (!preload_call(pid, t->tid, &now, &seen))
    return !seen && preload_alive(pid, t->tid);
  if (!preload_same_sleep(pid, t))
    return false; /* it ran; the pass after this sees it */
  if (given_up(p, pid))
    return true;
  if ((s && slot_holds(p, s, entered, &now)) || waits_for_child(now.nr))
    return false;
  return opaque_call(&now) || !preload_has_object(pid, t->tid);
}

static const char *reason(const struct preload *p, int pid, int tid)
{
  static const char *const why[] = {
      [GIVEN_UP_SLOTS] = "it has too many threads",
      [GIVEN_UP_TIMERS] = "it has too many timers"};
  const struct board_given_up *g = given_up(p, pid);
  if (g && g->what >= 0 && g->what <= GIVEN_UP_TIMERS)
    return why[g->what];
  if (preload_has_object(pid, tid))
    return "a wait that is not emulated";
  return "it does not load the shared object";
}

void preload_note_opaque(struct way *w, int pid, int tid)
{
  struct preload *p = (struct preload *)(void *)w;
  struct table_call now;
  bool seen;
  char comm[17];
  const char *call = "";
  if (preload_call(pid, tid, &now, &seen) && opaque_call(&now))
    call = opaque_call_name(now.nr);
  proc_comm(tid, comm);
  opaque_note(&p->opaque, pid, comm, call, reason(p, pid, tid));
}
