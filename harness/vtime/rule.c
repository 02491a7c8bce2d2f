#include "harness/vtime/rule.h"

#include <string.h>

bool rule_asleep(char state)
{
  return state == 'S' || state == 'T' || state == 't';
}

/* Nothing will come from it any more. */
static bool over(char state)
{
  return state == 'Z' || state == 'X' || state == 'x';
}

static struct rule_answer answer(enum rule_word word,
                                 const struct rule_thread *t, const char *why)
{
  return (struct rule_answer){word, t ? t->pid : 0, t ? t->tid : 0, why};
}

struct rule_answer rule_first(const struct rule_pass *first)
{
  for (size_t i = 0; i < first->n; i++) {
    const struct rule_thread *t = &first->thread[i];
    if (t->runs)
      return answer(RULE_BUSY, t, "our own thread runs");
    if (!rule_asleep(t->state) && !over(t->state))
      return answer(RULE_BUSY, t, "it runs");
  }
  return answer(RULE_QUIET, NULL, "asleep");
}

static bool same_thread(const struct rule_thread *a,
                        const struct rule_thread *b)
{
  return a->pid == b->pid && a->tid == b->tid;
}

static struct rule_answer still(const struct rule_pass *first,
                                const struct rule_pass *last)
{
  if (first->n != last->n)
    return answer(RULE_CHANGED, NULL, "threads came or went");
  for (size_t i = 0; i < first->n; i++) {
    const struct rule_thread *a = &first->thread[i], *b = &last->thread[i];
    if (!same_thread(a, b))
      return answer(RULE_CHANGED, b, "threads came or went");
    if (b->runs || (!rule_asleep(b->state) && !over(b->state)))
      return answer(RULE_CHANGED, b, "it was woken while we looked");
    if (a->switches != b->switches)
      return answer(RULE_CHANGED, b, "it ran while we looked");
  }
  return answer(RULE_QUIET, NULL, "asleep");
}

struct rule_answer rule_quiet(const struct rule_pass *first, bool whole,
                              const struct rule_pass *last)
{
  struct rule_answer a = rule_first(first);
  if (a.word != RULE_QUIET)
    return a;
  if (!whole)
    return answer(RULE_CHANGED, NULL, "a process or a thread is new");
  a = still(first, last);
  if (a.word != RULE_QUIET)
    return a;
  if (first->epoch != last->epoch)
    return answer(RULE_CHANGED, NULL, "our own thread ran while we looked");
  for (size_t i = 0; i < last->n; i++)
    if (last->thread[i].opaque)
      return answer(RULE_OPAQUE, &last->thread[i],
                    "a wait that is not emulated");
  return a;
}

uint64_t rule_fingerprint(const struct rule_pass *p)
{
  uint64_t sum = bytes_hash_more(
      0, (struct bytes){(const char *)&p->epoch, sizeof p->epoch});
  for (size_t i = 0; i < p->n; i++) {
    int64_t of[3] = {p->thread[i].pid, p->thread[i].tid, p->thread[i].switches};
    sum = bytes_hash_more(sum, (struct bytes){(const char *)of, sizeof of});
  }
  return sum;
}

enum rule_jump_word rule_jump(const struct rule_jump *j)
{
  if (j->deadline_ns == NO_DEADLINE)
    return RULE_NONE;
  if (j->deadline_ns <= j->now_ns)
    return RULE_NOT_YET;
  if (j->deadline_ns - j->now_ns > j->largest_ns)
    return RULE_TOO_FAR;
  return RULE_GO;
}

int64_t rule_creep(struct rule_creep *c, int64_t cpu_ns, int busy,
                   int64_t left_ns)
{
  bool near = left_ns <= RULE_CREEP_NEAR_NS;
  int64_t after = near ? RULE_CREEP_AFTER_NS : RULE_CREEP_FAR_AFTER_NS;
  int64_t before = c->used_ns;
  if (busy < 1 || cpu_ns <= 0)
    return 0;
  c->used_ns += cpu_ns / busy;
  if (c->used_ns <= after)
    return 0;
  int64_t on = c->used_ns - (before > after ? before : after);
  return left_ns > 0 && on > left_ns ? left_ns : on;
}

int64_t rule_tick(int64_t tick_ns, int64_t advanced_ns, int64_t cpu_ns)
{
  int64_t reads = tick_ns > 0 ? advanced_ns / tick_ns : 0;
  if (reads <= RULE_TICK_READS || reads <= cpu_ns / RULE_TICK_CPU_NS)
    return tick_ns;
  return tick_ns * 4 < RULE_TICK_MAX_NS ? tick_ns * 4 : RULE_TICK_MAX_NS;
}

/* Of a thread's name the kernel keeps so much (TASK_COMM_LEN). */
enum { COMM_BYTES = 15 };

static bool is_one_of(const char *const *names, const char *comm)
{
  for (; names && *names; names++)
    if (strncmp(comm, *names, COMM_BYTES) == 0)
      return true;
  return false;
}

bool rule_is_housekeeping(const char *const *more, const char *comm)
{
  /* The Java virtual machine of OpenJDK 17. */
  static const char *const late[] = {"VM Periodic Tas",
                                     "G1 Service",
                                     "Monitor Deflati",
                                     "VM Thread",
                                     "C2 CompilerThre",
                                     "C1 CompilerThre",
                                     NULL};
  return is_one_of(late, comm) || is_one_of(more, comm);
}

int64_t rule_slack(const char *const *more, const char *comm, int64_t asked_ns)
{
  if (asked_ns < RULE_SLACK_FROM_NS || !rule_is_housekeeping(more, comm))
    return 0;
  return RULE_SLACK_NS;
}
