/* The slots of the board: who waits until when, and the end of it. */
#include "harness/vtime/preload/preload.h"

#include "harness/vtime/seccomp/kernel_wait.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A signal that came before the thread was in its call is lost: it is sent
 * again after so long. */
#define AGAIN_NS NS_PER_MS

/* Threads get their names after their first waits; one is read again after so
 * many. */
enum { NAME_WAITS = 8 };

static int64_t real_now(void)
{
  return clock_now_ns(clock_real());
}

struct board_slot *preload_slot(const struct preload *p, int pid, int tid)
{
  struct board *b = p->board;
  for (uint32_t i = 0; i < b->high && i < BOARD_SLOTS; i++)
    if (b->slot[i].tid == tid && b->slot[i].pid == pid &&
        b->slot[i].state != SLOT_FREE && b->slot[i].state != SLOT_TAKEN)
      return &b->slot[i];
  return NULL;
}

bool preload_alive(int pid, int tid)
{
  char path[64], room[1024];
  struct table_stat st;
  snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, tid);
  return table_stat(proc_read(path, room, sizeof room), &st) &&
         st.state != 'Z' && st.state != 'X';
}

bool preload_call(int pid, int tid, struct table_call *ret, bool *ret_seen)
{
  char path[64], room[256];
  snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", pid, tid);
  struct bytes text = proc_read(path, room, sizeof room);
  *ret_seen = text.n > 0;
  return table_call(text, ret);
}

bool preload_means(int nr, int now)
{
  return now == nr || now == SYS_restart_syscall;
}

bool preload_slot_is(const struct preload *p, uint32_t i, uint32_t state)
{
  const struct board_slot *s = &p->board->slot[i];
  return s->state == state &&
         (!p->seen[i].stale || p->seen[i].stale != s->entered);
}

bool preload_same_sleep(int pid, const struct proc_thread *t)
{
  char path[64], room[128];
  int64_t switches;
  snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", pid, t->tid);
  return table_switches(proc_read(path, room, sizeof room), &switches) &&
         switches == t->switches;
}

/* ---- the next deadline ---- */

static int64_t slack_of(struct preload *p, uint32_t i)
{
  const struct board_slot *s = &p->board->slot[i];
  struct preload_seen *seen = &p->seen[i];
  if (s->asked_ns < RULE_SLACK_FROM_NS)
    return 0;
  if (seen->tid != s->tid || s->entered - seen->named >= NAME_WAITS) {
    seen->tid = s->tid;
    seen->named = s->entered;
    proc_comm(s->tid, seen->comm);
  }
  return rule_slack(p->housekeeping, seen->comm, s->asked_ns);
}

static bool best_slot(struct preload *p, uint32_t *ret_i, struct way_next *n)
{
  bool found = false;
  for (uint32_t i = 0; i < p->board->high && i < BOARD_SLOTS; i++) {
    const struct board_slot *s = &p->board->slot[i];
    int64_t at = s->deadline_ns;
    if (!preload_slot_is(p, i, SLOT_WAITS) || at >= n->deadline_ns)
      continue;
    int64_t slack = slack_of(p, i);
    at = at > NO_DEADLINE - slack ? NO_DEADLINE : at + slack;
    if (at >= n->deadline_ns)
      continue;
    *n = (struct way_next){at, s->asked_ns, s->pid, s->tid,
                           opaque_call_name(s->nr)};
    *ret_i = i;
    found = true;
  }
  return found;
}

/* A killed sleeper's slot says that it waits still. */
struct way_next preload_next_slot(struct preload *p)
{
  for (;;) {
    struct way_next n = {.deadline_ns = NO_DEADLINE};
    uint32_t i;
    if (!best_slot(p, &i, &n) || preload_alive(n.pid, n.tid))
      return n;
    p->board->slot[i].state = SLOT_FREE;
  }
}

/* A slot that is being taken has the numbers of the one before. */
static void free_if_gone(struct board_slot *s)
{
  uint32_t state = s->state;
  if (state != SLOT_FREE && state != SLOT_TAKEN &&
      !preload_alive(s->pid, s->tid))
    s->state = SLOT_FREE;
}

void preload_sweep(struct preload *p)
{
  struct board *b = p->board;
  p->swept = p->swept + 1 < b->high ? p->swept + 1 : 0;
  free_if_gone(&b->slot[p->swept]);
}

void preload_make_room(struct preload *p)
{
  struct board *b = p->board;
  if (!b->crowded)
    return;
  for (uint32_t i = 0; i < b->high && i < BOARD_SLOTS; i++)
    free_if_gone(&b->slot[i]);
  b->crowded = 0;
}

/* ---- the end ---- */

/* Only in the call the slot names: a signal to a thread that is elsewhere
 * would be felt, and to another program would end it. */
static void kick(const struct board_slot *s)
{
  struct table_call now;
  bool seen;
  if (preload_call(s->pid, s->tid, &now, &seen) && preload_means(s->nr, now.nr))
    syscall(SYS_tgkill, s->pid, s->tid, BOARD_KICK);
}

static void wake(struct preload *p, uint32_t i, int64_t real)
{
  struct board_slot *s = &p->board->slot[i];
  p->seen[i].kicked_ns = real;
  p->kicks++;
  if (s->how == SLOT_BY_KICK) {
    kick(s);
  } else if (s->how == SLOT_BY_WORD) {
    s->word = 1;
    syscall(SYS_futex, &s->word, FUTEX_WAKE, 1, NULL, NULL, 0);
  }
}

void preload_wake_due(struct preload *p)
{
  struct board *b = p->board;
  int64_t now = vtime_page_now_ns(p->page), real = real_now();
  for (uint32_t i = 0; i < b->high && i < BOARD_SLOTS; i++) {
    struct board_slot *s = &b->slot[i];
    uint32_t waits = SLOT_WAITS;
    if (preload_slot_is(p, i, SLOT_WOKEN)) {
      if (real - p->seen[i].kicked_ns < AGAIN_NS)
        continue;
      if (preload_alive(s->pid, s->tid))
        wake(p, i, real);
      else
        s->state = SLOT_FREE;
    } else if (preload_slot_is(p, i, SLOT_WAITS) && s->deadline_ns <= now &&
               atomic_compare_exchange_strong(&s->state, &waits, SLOT_WOKEN)) {
      wake(p, i, real);
    }
  }
}

size_t preload_woken(struct preload *p)
{
  size_t n = 0;
  for (uint32_t i = 0; i < p->board->high && i < BOARD_SLOTS; i++)
    n += preload_slot_is(p, i, SLOT_WOKEN);
  return n;
}
