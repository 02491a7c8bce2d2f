#include "harness/vtime/jump_log.h"

#include "base/clock.h"

#include <string.h>

void jump_log_init(struct jump_log *l)
{
  *l = (struct jump_log){.n = 0};
}

void jump_log_release(struct jump_log *l)
{
  free(l->jump);
  free(l->slow);
  jump_log_init(l);
}

void jump_log_add(struct jump_log *l, const struct jump *j)
{
  l->total++;
  l->sum_ns += j->length_ns;
  if (j->pid && j->asked_ns != NO_DEADLINE && j->asked_ns > l->longest_ns)
    l->longest_ns = j->asked_ns;
  if (l->n == JUMP_LOG_MAX)
    return;
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 64;
    l->jump = mem_realloc(l->jump, l->cap * sizeof *l->jump);
  }
  l->jump[l->n++] = *j;
}

/* One with the last when nothing but clock reads lies between. */
static struct slow *same_stretch(const struct jump_log *l, enum slow_kind kind)
{
  struct slow *last = l->nslow ? &l->slow[l->nslow - 1] : NULL;
  return last && last->kind == kind && last->jumps == l->total ? last : NULL;
}

void jump_log_add_slow(struct jump_log *l, enum slow_kind kind, int64_t now_ns,
                       int64_t length_ns)
{
  struct slow *s = same_stretch(l, kind);
  if (length_ns <= 0)
    return;
  if (!s && l->nslow == JUMP_LOG_MAX) {
    /* into the last one: a bound without it would be too strict */
    s = &l->slow[l->nslow - 1];
    s->kind = kind == SLOW_REAL_RATE ? kind : s->kind;
  }
  if (!s && l->nslow == l->slow_cap) {
    l->slow_cap = l->slow_cap ? 2 * l->slow_cap : 16;
    l->slow = mem_realloc(l->slow, l->slow_cap * sizeof *l->slow);
  }
  if (!s) {
    s = &l->slow[l->nslow++];
    *s = (struct slow){
        .from_ns = now_ns - length_ns, .kind = kind, .jumps = l->total};
  }
  s->to_ns = now_ns;
  s->length_ns += length_ns;
}

static double seconds(int64_t ns)
{
  return (double)ns / (double)NS_PER_S;
}

/* To the nanosecond: they are read again. */
static void write_jump(const struct jump *j, int64_t start_ns, struct buf *ret)
{
  buf_addf(ret, "{\"at_s\":%.9f,\"length_s\":%.9f,\"asked_s\":%.9f,",
           seconds(j->at_ns - start_ns), seconds(j->length_ns),
           seconds(j->asked_ns));
  buf_addf(ret, "\"pid\":%d,\"tid\":%d,\"thread\":", j->pid, j->tid);
  buf_add_json(ret, bytes_of(j->comm));
  buf_addf(ret, ",\"call\":\"%s\"}\n", j->call);
}

const char *const slow_words[] = {
    [SLOW_COMPUTING] = "computing", [SLOW_REAL_RATE] = "real rate", NULL};

static void write_slow(const struct slow *s, int64_t start_ns, struct buf *ret)
{
  buf_addf(ret,
           "{\"from_s\":%.9f,\"at_s\":%.9f,\"length_s\":%.9f,"
           "\"slow\":\"%s\"}\n",
           seconds(s->from_ns - start_ns), seconds(s->to_ns - start_ns),
           seconds(s->length_ns), slow_words[s->kind]);
}

void jump_log_write(const struct jump_log *l, int64_t start_ns, struct buf *ret)
{
  size_t k = 0;
  for (size_t i = 0; i < l->n; i++) {
    for (; k < l->nslow && l->slow[k].jumps <= i; k++)
      write_slow(&l->slow[k], start_ns, ret);
    write_jump(&l->jump[i], start_ns, ret);
  }
  for (; k < l->nslow; k++)
    write_slow(&l->slow[k], start_ns, ret);
  if (l->total > l->n)
    buf_addf(ret, "{\"left_out\":%llu}\n",
             (unsigned long long)(l->total - l->n));
}

/* The part of a stretch within the two. */
static int64_t overlap(int64_t begin, int64_t end, int64_t from_ns,
                       int64_t to_ns)
{
  begin = begin < from_ns ? from_ns : begin;
  end = end > to_ns ? to_ns : end;
  return end > begin ? end - begin : 0;
}

struct jump_sum jump_log_between(const struct jump_log *l, int64_t from_ns,
                                 int64_t to_ns)
{
  struct jump_sum sum = {0};
  sum.whole = l->total == l->n || (l->n && to_ns <= l->jump[l->n - 1].at_ns);
  for (size_t i = 0; i < l->n; i++) {
    const struct jump *j = &l->jump[i];
    int64_t ns = overlap(j->at_ns - j->length_ns, j->at_ns, from_ns, to_ns);
    sum.slept_ns += ns;
    if (ns && j->pid && j->asked_ns > sum.longest_ns)
      sum.longest_ns = j->asked_ns;
  }
  for (size_t i = 0; i < l->nslow; i++) {
    const struct slow *s = &l->slow[i];
    int64_t ns = overlap(s->from_ns, s->to_ns, from_ns, to_ns);
    ns = ns < s->length_ns ? ns : s->length_ns;
    if (s->kind == SLOW_COMPUTING)
      sum.computing_ns += ns;
    else
      sum.real_rate_ns += ns;
  }
  return sum;
}

/* Few names: programs have the threads they have. */
enum { MAX_NAMES = 64 };

struct name {
  const char *comm;
  size_t n;
  double asked_ns; /* sum */
};

/* NULL: there are too many. */
static struct name *name_of(struct name *list, size_t *n, const char *comm)
{
  for (size_t k = 0; k < *n; k++)
    if (strcmp(list[k].comm, comm) == 0)
      return &list[k];
  if (*n == MAX_NAMES)
    return NULL;
  list[*n] = (struct name){.comm = comm};
  return &list[(*n)++];
}

size_t jump_log_busiest(const struct jump_log *l, char ret_comm[17],
                        int64_t *ret_asked_ns)
{
  struct name list[MAX_NAMES];
  const struct name *best = NULL;
  size_t n = 0;
  for (size_t i = 0; i < l->n; i++) {
    struct name *one =
        l->jump[i].pid ? name_of(list, &n, l->jump[i].comm) : NULL;
    if (!one)
      continue;
    one->n++;
    one->asked_ns += (double)l->jump[i].asked_ns;
    if (!best || one->n > best->n)
      best = one;
  }
  snprintf(ret_comm, 17, "%s", best ? best->comm : "");
  *ret_asked_ns = best ? (int64_t)(best->asked_ns / (double)best->n) : 0;
  return best ? best->n : 0;
}
