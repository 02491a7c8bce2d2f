/* Slots on the board, and the plain sleep. */
#include "harness/vtime/preload/shim/shim.h"

#include <linux/futex.h>

static __thread struct board_slot *own
    __attribute__((tls_model("initial-exec")));

static bool claim(struct board_slot *s, int pid, int tid)
{
  uint32_t none = SLOT_FREE;
  if (!atomic_compare_exchange_strong(&s->state, &none, SLOT_RUNS))
    return false;
  s->pid = pid;
  s->tid = tid;
  s->deadline_ns = SHIM_EVER;
  return true;
}

static void raise_high(uint32_t high)
{
  uint32_t was = shim_board->high;
  while (was < high &&
         !atomic_compare_exchange_weak(&shim_board->high, &was, high))
    continue;
}

static struct board_slot *find(int pid)
{
  int tid = (int)S3(SYS_gettid, 0, 0, 0);
  struct board *b = shim_board;
  for (uint32_t i = 0; i < b->high; i++)
    if (b->slot[i].state != SLOT_FREE && b->slot[i].tid == tid &&
        b->slot[i].pid == pid)
      return &b->slot[i];
  for (uint32_t i = 0; i < BOARD_SLOTS; i++)
    if (b->slot[i].state == SLOT_FREE && claim(&b->slot[i], pid, tid)) {
      raise_high(i + 1);
      return &b->slot[i];
    }
  shim_give_up(GIVEN_UP_SLOTS);
  return NULL;
}

/* A child of fork or vfork has our memory, but not our slot. */
static struct board_slot *own_slot(void)
{
  int pid = shim_pid();
  if (!own || own->pid != pid || own->state == SLOT_FREE)
    own = find(pid);
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

static void poke(void)
{
  struct board *b = shim_board;
  if (!b->sleeps || !atomic_exchange(&b->sleeps, 0))
    return;
  atomic_fetch_add(&b->poke, 1);
  S4(SYS_futex, &b->poke, FUTEX_WAKE, 1, 0);
}

void wait_again(const struct wait *w)
{
  struct board_slot *s = w->slot;
  wait_forget_kick();
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
  wait_again(w);
  atomic_fetch_add(&shim_board->waits, 1);
  poke();
  return true;
}

void wait_end(const struct wait *w)
{
  w->slot->state = SLOT_RUNS;
}

int wait_until(int64_t deadline_ns, int64_t asked_ns)
{
  static const struct timespec slice = {SHIM_SLICE_S, 0};
  struct wait w = {NULL, deadline_ns, asked_ns, SLOT_BY_WORD, SYS_futex};
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
