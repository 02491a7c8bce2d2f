#include "mockserver/wire_calls.h"

#include <string.h>

/* Lists above it are looked through from the end only. */
enum { MAX_OPEN = 1000 };

bool attempt_failed(const struct attempt *a)
{
  if (a->is_start)
    return a->end != END_EXIT || a->exit_code || a->exit_signal;
  return a->status >= 400 || !a->complete;
}

static int64_t end_ns(const struct attempt *a)
{
  return a->answer_last_ns   ? a->answer_last_ns
         : a->client_left_ns ? a->client_left_ns
                             : a->end_request_ns;
}

int64_t attempt_gap_ns(const struct attempt *before,
                       const struct attempt *after)
{
  int64_t from =
      before->answer_first_ns ? before->answer_first_ns : end_ns(before);
  return after->first_byte_ns - from;
}

static bool is_same_place(const struct attempt *a, const struct attempt *b)
{
  return a->is_start == b->is_start && strcmp(a->lane, b->lane) == 0 &&
         strcmp(a->provider, b->provider) == 0 &&
         (a->is_start || a->route == b->route);
}

static bool is_same_body(const struct attempt *a, const struct attempt *b)
{
  return a->body_hash == b->body_hash && a->body_bytes == b->body_bytes &&
         (!a->is_start || strcmp(a->target, b->target) == 0);
}

static const struct attempt *last_of(const struct wire_call_seen *c)
{
  return c->attempts[c->n - 1];
}

/* A call that may have got a retry by now. */
static bool is_open(const struct wire_call_seen *c, const struct attempt *a)
{
  const struct attempt *last = last_of(c);
  return is_same_place(last, a) && attempt_failed(last) &&
         last->end != END_OPEN && end_ns(last) <= a->first_byte_ns;
}

static bool has_key(const struct attempt *a)
{
  return a->idempotency_key[0];
}

/* The call `a` goes on with, NULL: it is a new one. */
static struct wire_call_seen *find_call(struct wire_calls *calls,
                                        const struct attempt *a)
{
  struct wire_call_seen *alone = NULL;
  size_t nopen = 0, looked = 0;
  for (size_t i = calls->n; i-- > 0 && looked < MAX_OPEN; looked++) {
    struct wire_call_seen *c = &calls->list[i];
    if (!is_open(c, a))
      continue;
    const struct attempt *last = last_of(c);
    if (has_key(a) && has_key(last)) {
      if (strcmp(a->idempotency_key, last->idempotency_key) == 0)
        return c;
      continue; /* two keys are two calls, whatever they say */
    }
    if (is_same_body(a, last))
      return c;
    alone = c;
    nopen++;
  }
  return a->retry_count > 0 && nopen == 1 ? alone : NULL;
}

static void add_attempt(struct wire_call_seen *c, const struct attempt *a)
{
  if ((c->n & (c->n - 1)) == 0) /* full at every power of two */
    c->attempts =
        mem_realloc(c->attempts, (c->n ? 2 * c->n : 1) * sizeof *c->attempts);
  c->attempts[c->n++] = a;
}

/* With a key each, two that run at once are told apart. */
static void mark_overlap(struct wire_calls *calls, const struct attempt *a,
                         struct wire_call_seen *own)
{
  size_t looked = 0;
  for (size_t i = calls->n; i-- > 0 && looked < MAX_OPEN; looked++) {
    struct wire_call_seen *c = &calls->list[i];
    const struct attempt *last = last_of(c);
    if (c == own || !is_same_place(last, a) || !is_same_body(last, a) ||
        (has_key(last) && has_key(a)))
      continue;
    if (last->end == END_OPEN || end_ns(last) > a->first_byte_ns ||
        c->ambiguous)
      c->ambiguous = own->ambiguous = true;
  }
}

static void take(struct wire_calls *calls, const struct attempt *a)
{
  struct wire_call_seen *c = find_call(calls, a);
  if (!c) {
    if ((calls->n & (calls->n - 1)) == 0)
      calls->list = mem_realloc(calls->list, (calls->n ? 2 * calls->n : 1) *
                                                 sizeof *calls->list);
    c = &calls->list[calls->n++];
    *c = (struct wire_call_seen){.n = 0};
  }
  add_attempt(c, a);
  mark_overlap(calls, a, c);
}

void wire_calls_find(const struct journal *j, struct wire_calls *ret)
{
  *ret = (struct wire_calls){NULL, 0};
  for (size_t i = 0; i < journal_count(j); i++)
    if (journal_get(j, i)->cls == ATTEMPT_CALL)
      take(ret, journal_get(j, i));
}

void wire_calls_release(struct wire_calls *c)
{
  for (size_t i = 0; i < c->n; i++)
    free(c->list[i].attempts);
  free(c->list);
}
