/* Slots on the board, and the plain sleep. */
#include "harness/vtime/preload/shim/shim.h"

#include <linux/futex.h>

static __thread struct board_slot *own
    __attribute__((tls_model("initial-exec")));

static bool claim(struct board_slot *s, int pid, int tid)
{
  uint32_t none = SLOT_FREE;
  if (!atomic_compare_exchange_strong(&s->state, &none, SLOT_TAKEN))
    return false;
  s->pid = pid;
  s->tid = tid;
  s->deadline_ns = SHIM_EVER;
  s->state = SLOT_RUNS;
  return true;
}

static void raise_high(uint32_t high)
{
  uint32_t was = shim_board->high;
  while (was < high &&
         !atomic_compare_exchange_weak(&shim_board->high, &was, high))
    continue;
}

static struct board_slot *find(int pid, int tid)
{
  struct board *b = shim_board;
  for (uint32_t i = 0; i < b->high; i++) {
    struct board_slot *s = &b->slot[i];
    if (s->state != SLOT_FREE && s->state != SLOT_TAKEN && s->tid == tid &&
        s->pid == pid)
      return s;
  }
  return NULL;
}

static struct board_slot *make(int pid, int tid)
{
  struct board *b = shim_board;
  for (uint32_t i = 0; i < BOARD_SLOTS; i++)
    if (b->slot[i].state == SLOT_FREE && claim(&b->slot[i], pid, tid)) {
      raise_high(i + 1);
      return &b->slot[i];
    }
  return NULL;
}

static void poke(void)
{
  struct board *b = shim_board;
  if (!b->sleeps || !atomic_exchange(&b->sleeps, 0))
    return;
  atomic_fetch_add(&b->poke, 1);
  S4(SYS_futex, &b->poke, FUTEX_WAKE, 1, 0);
}

/* Awake, so that nobody takes this for a wait. */
static void ask_for_room(void)
{
  struct timespec t;
  S3(SYS_clock_gettime, CLOCK_MONOTONIC, &t, 0);
  time_t end = t.tv_sec + SHIM_SLICE_S;
  shim_board->crowded = 1;
  poke();
  while (shim_board->crowded && t.tv_sec < end) {
    S3(SYS_sched_yield, 0, 0, 0);
    S3(SYS_clock_gettime, CLOCK_MONOTONIC, &t, 0);
  }
}

static bool has_given_up(int pid)
{
  for (int i = 0; i < BOARD_GIVEN_UP; i++)
    if (shim_board->given_up[i].pid == pid)
      return true;
  return false;
}

static struct board_slot *find_or_make(int pid)
{
  int tid = (int)S3(SYS_gettid, 0, 0, 0);
  struct board_slot *s = find(pid, tid);
  if (!s)
    s = make(pid, tid);
  if (s || has_given_up(pid))
    return s;
  ask_for_room();
  s = make(pid, tid);
  if (!s)
    shim_give_up(GIVEN_UP_SLOTS);
  return s;
}

/* A child of fork or vfork has our memory, but not our slot. */
static struct board_slot *own_slot(void)
{
  int pid = shim_pid();
  if (!own || own->pid != pid || own->state == SLOT_FREE)
    own = find_or_make(pid);
  return own;
}

void shim_give_up(int what)
{
  int32_t pid = shim_pid();
  struct board_given_up *g = shim_board->given_up;
  for (int i = 0; i < BOARD_GIVEN_UP; i++) {
    int32_t none = 0;
    if (g[i].pid == pid)
      return;
    if (atomic_compare_exchange_strong(&g[i].pid, &none, pid)) {
      g[i].what = what;
      return;
    }
  }
}

void wait_again(const struct wait *w)
{
  struct board_slot *s = w->slot;
  wait_set_kick(false);
  s->state = SLOT_RUNS;
  s->word = 0;
  s->how = w->how;
  s->nr = w->nr;
  s->asked_ns = w->asked_ns;
  s->deadline_ns = w->deadline_ns;
  atomic_fetch_add(&s->entered, 1);
  s->state = SLOT_WAITS;
}

bool wait_begin(struct wait *w)
{
  w->slot = own_slot();
  if (!w->slot)
    return false;
  w->nested = w->slot->state == SLOT_WAITS || w->slot->state == SLOT_WOKEN;
  w->kicked = wait_kicked();
  wait_again(w);
  atomic_fetch_add(&shim_board->waits, 1);
  poke();
  return true;
}

void wait_end(const struct wait *w)
{
  w->slot->state = SLOT_RUNS;
  if (w->nested) /* the kernel makes the other one again: it is to look */
    w->slot->word = 1;
  wait_set_kick(w->kicked);
}

int wait_until(int64_t deadline_ns, int64_t asked_ns)
{
  static const struct timespec slice = {SHIM_SLICE_S, 0};
  struct wait w = {.deadline_ns = deadline_ns,
                   .asked_ns = asked_ns,
                   .how = SLOT_BY_WORD,
                   .nr = SYS_futex};
  int rc = 0;
  if (wait_is_over(&w))
    return 0;
  if (!wait_begin(&w)) {
    struct timespec t;
    shim_put(asked_ns, &t);
    return (int)-S3(SYS_nanosleep, &t, NULL, 0);
  }
  for (;;) {
    long r = S4(SYS_futex, &w.slot->word, FUTEX_WAIT, 0, &slice);
    if (wait_is_over(&w) || (r == -ETIMEDOUT && shim_alone()))
      break;
    if (r == -EINTR && !wait_kicked()) {
      rc = EINTR;
      break;
    }
    wait_again(&w);
  }
  wait_end(&w);
  return rc;
}

struct timespec shim_real_in(clockid_t id, int64_t ns)
{
  struct timespec t;
  S3(SYS_clock_gettime, id, &t, 0);
  shim_put(shim_ns(&t) + ns, &t);
  return t;
}
