/* Backend P as a way.h has it. */
#include "harness/vtime/preload/preload.h"

#include "harness/vtime/seccomp/kernel_wait.h"

#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct preload_birth {
  struct way_birth birth;
  const struct preload *p;
  char **envp;
};

static struct preload *of(struct way *w)
{
  return (struct preload *)(void *)w;
}

static const struct preload *of_const(const struct way *w)
{
  return (const struct preload *)(const void *)w;
}

/* ---- life ---- */

/* A mapping has to begin with a page of the machine's. */
_Static_assert(VTIME_PAGE_BYTES == 4096, "the board begins with a page");

static struct board *make_board(int fd)
{
  off_t size = (off_t)(VTIME_PAGE_BYTES + sizeof(struct board));
  void *m = MAP_FAILED;
  if (ftruncate(fd, size) == 0)
    m = mmap(NULL, sizeof(struct board), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
             VTIME_PAGE_BYTES);
  if (m == MAP_FAILED)
    return NULL;
  struct board *b = m;
  b->magic = BOARD_MAGIC;
  b->version = BOARD_VERSION;
  b->size = sizeof *b;
  b->coordinator = getpid();
  return b;
}

static void release(struct way *w)
{
  struct preload *p = of(w);
  if (p->board)
    munmap(p->board, sizeof *p->board);
  free(p->object);
  free(p->place);
  free(p);
}

static struct way *make(const struct way_options *o, struct diag *diag)
{
  struct preload *p = mem_zalloc(sizeof *p);
  p->way.kind = &way_preload;
  p->page = o->page;
  p->page_fd = o->page_fd;
  p->housekeeping = o->housekeeping;
  p->no_getfd = o->no_getfd;
  p->place = mem_format("/proc/%d/fd/%d", getpid(), o->page_fd);
  p->object = preload_object(diag);
  if (p->object)
    p->board = make_board(o->page_fd);
  if (p->board)
    return &p->way;
  diag_set(diag, "cannot make the board: %s", strerror(errno));
  release(&p->way);
  return NULL;
}

/* ---- the coordinator's ---- */

/* Threads that begin a wait wake us; a descriptor is looked at after. */
static size_t poll_board(struct way *w, struct pollfd *own, int64_t real_ns)
{
  struct board *b = of(w)->board;
  struct timespec t = {real_ns / NS_PER_S, real_ns % NS_PER_S};
  uint32_t was = b->poke;
  preload_make_room(of(w));
  if (real_ns > 0) {
    b->sleeps = 1;
    syscall(SYS_futex, &b->poke, FUTEX_WAIT, was, &t, NULL, 0);
    b->sleeps = 0;
  }
  size_t done = b->poke != was;
  if (own && poll(own, 1, 0) > 0)
    done++;
  return done;
}

static size_t settle(struct way *w)
{
  preload_sweep(of(w));
  return preload_woken(of(w));
}

static struct way_next first(struct way *w)
{
  struct way_next n = preload_next_slot(of(w));
  preload_offer_timers(of(w), &n);
  return n;
}

static void due(struct way *w)
{
  preload_wake_due(of(w));
  preload_fire_due(of(w));
}

/* ---- the start of a client ---- */

static struct way_birth *bear(struct way *w, struct diag *diag)
{
  struct preload_birth *b = mem_zalloc(sizeof *b);
  (void)diag;
  b->birth.kind = w->kind;
  b->p = of(w);
  return &b->birth;
}

static char *const *environment(struct way_birth *birth, char *const *envp)
{
  struct preload_birth *b = (struct preload_birth *)(void *)birth;
  b->envp = preload_environment(b->p->object, b->p->place, envp);
  return b->envp;
}

static int in_child(const struct way_birth *b)
{
  (void)b; /* the loader does it */
  return 0;
}

static void await(struct way_birth *b)
{
  (void)b;
}

static int took(struct way *w, struct way_birth *birth)
{
  struct preload_birth *b = (struct preload_birth *)(void *)birth;
  (void)w;
  free(b->envp);
  free(b);
  return 0;
}

/* Nobody waits for our answer; but a vfork child may sleep. */
static bool sleeps(void *arg, int tid)
{
  (void)arg;
  return waits_for_vfork(tid);
}

/* ---- what there is to tell ---- */

static void count(const struct way *w, struct way_counts *ret)
{
  const struct preload *p = of_const(w);
  *ret = (struct way_counts){
      .held = p->board->waits, .ended = p->kicks, .copies = !p->no_getfd};
}

static const struct opaque_list *seen(const struct way *w)
{
  return &of_const(w)->opaque;
}

static double seconds_left(const struct preload *p, int64_t deadline_ns)
{
  return (double)(deadline_ns - vtime_page_now_ns(p->page)) / (double)NS_PER_S;
}

static void tell_thread(const struct way *w, int tid, struct buf *ret)
{
  static const char *const state[] = {"free", "runs", "waits", "woken",
                                      "taken"};
  const struct preload *p = of_const(w);
  const struct board_slot *s = preload_slot(p, proc_tgid(tid), tid);
  if (!s)
    return;
  buf_addf(ret, " slot %s, call %d", state[s->state], s->nr);
  if (s->state == SLOT_WAITS && s->deadline_ns != NO_DEADLINE)
    buf_addf(ret, ", %.6f s left", seconds_left(p, s->deadline_ns));
}

static void tell(const struct way *w, struct buf *ret)
{
  const struct preload *p = of_const(w);
  for (int i = 0; i < BOARD_TIMERS; i++) {
    const struct board_timer *t = &p->board->timer[i];
    if (t->state == TIMER_ON)
      buf_addf(ret, "  timer of %d, %.6f s left\n", t->pid,
               seconds_left(p, t->deadline_ns));
  }
}

const struct way_kind way_preload = {.name = "preload",
                                     .make = make,
                                     .release = release,
                                     .poll = poll_board,
                                     .settle = settle,
                                     .first = first,
                                     .due = due,
                                     .opaque = preload_opaque,
                                     .held = sleeps,
                                     .note_opaque = preload_note_opaque,
                                     .bear = bear,
                                     .environment = environment,
                                     .in_child = in_child,
                                     .await = await,
                                     .took = took,
                                     .count = count,
                                     .seen = seen,
                                     .tell_thread = tell_thread,
                                     .tell = tell};
