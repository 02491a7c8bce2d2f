#include "harness/vtime/jump_log.h"

#include "base/clock.h"

void jump_log_init(struct jump_log *l)
{
  *l = (struct jump_log){.n = 0};
}

void jump_log_release(struct jump_log *l)
{
  free(l->jump);
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

static double seconds(int64_t ns)
{
  return (double)ns / (double)NS_PER_S;
}

void jump_log_write(const struct jump_log *l, int64_t start_ns, struct buf *ret)
{
  for (size_t i = 0; i < l->n; i++) {
    const struct jump *j = &l->jump[i];
    buf_addf(ret, "{\"at_s\":%.6f,\"length_s\":%.6f,\"asked_s\":%.6f,",
             seconds(j->at_ns - start_ns), seconds(j->length_ns),
             seconds(j->asked_ns));
    buf_addf(ret, "\"pid\":%d,\"tid\":%d,\"thread\":", j->pid, j->tid);
    buf_add_json(ret, bytes_of(j->comm));
    buf_addf(ret, ",\"call\":\"%s\"}\n", j->call);
  }
  if (l->total > l->n)
    buf_addf(ret, "{\"left_out\":%llu}\n",
             (unsigned long long)(l->total - l->n));
}

/* The part of the jump within the two. */
static int64_t overlap(const struct jump *j, int64_t from_ns, int64_t to_ns)
{
  int64_t begin = j->at_ns - j->length_ns, end = j->at_ns;
  begin = begin < from_ns ? from_ns : begin;
  end = end > to_ns ? to_ns : end;
  return end > begin ? end - begin : 0;
}

struct jump_sum jump_log_between(const struct jump_log *l, int64_t from_ns,
                                 int64_t to_ns)
{
  struct jump_sum sum = {0, 0};
  for (size_t i = 0; i < l->n; i++) {
    const struct jump *j = &l->jump[i];
    int64_t ns = overlap(j, from_ns, to_ns);
    sum.slept_ns += ns;
    if (ns && j->pid && j->asked_ns > sum.longest_ns)
      sum.longest_ns = j->asked_ns;
  }
  return sum;
}
