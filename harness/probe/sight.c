#include "harness/probe/sight.h"

#include "base/clock.h"

#include <string.h>

/* The calls one sentence names; of more the first ones. */
enum { NAMED_CALLS = 8 };
#define MAX_SENTENCE ((size_t)4096)

static double seconds(const struct evidence *e, int64_t ns)
{
  return (double)(ns - e->start_ns) / (double)NS_PER_S;
}

static int start_of(const struct evidence *e, const struct attempt *a)
{
  for (size_t i = 0; i < e->nstarts; i++)
    if (e->starts[i].start_ns <= a->first_byte_ns &&
        a->first_byte_ns <= e->starts[i].exit_ns &&
        strcmp(e->starts[i].lane, a->lane) == 0)
      return (int)i;
  return -1;
}

static void take_call(struct sight_call *c, const struct evidence *e,
                      const struct attempt *a)
{
  *c = (struct sight_call){.at_s = seconds(e, a->first_byte_ns),
                           .end_s = seconds(e, attempt_end_ns(a)),
                           .left = a->end == END_CLIENT && !a->complete &&
                                   a->client_left_ns,
                           .stream = a->stream,
                           .status = a->status,
                           .start = start_of(e, a),
                           .body = a->body_hash};
}

static void take_start(struct sight_start *s, const struct evidence *e,
                       const struct client_start *from)
{
  *s = (struct sight_start){.start_s = seconds(e, from->start_ns),
                            .exit_s = seconds(e, from->exit_ns),
                            .code = from->exit_code,
                            .sig = from->signal,
                            .timed_out = from->timed_out,
                            .out = bytes_dup(from->out),
                            .err = bytes_dup(from->err)};
}

/* The first start that could not be made, or NULL. */
static const char *launch_error(const struct evidence *e)
{
  for (size_t i = 0; i < e->nstarts; i++)
    if (!e->starts[i].launched)
      return e->starts[i].launch_error;
  return NULL;
}

void sight_of(struct sight *ret, const struct evidence *e)
{
  const char *error = launch_error(e);
  memset(ret, 0, sizeof *ret);
  if (error) {
    ret->why = mem_strdup(error);
    return;
  }
  ret->total = e->nattempts;
  ret->side = e->nside;
  ret->ncalls = e->nattempts < SIGHT_CALLS ? e->nattempts : SIGHT_CALLS;
  ret->calls = mem_zalloc((ret->ncalls + 1) * sizeof *ret->calls);
  for (size_t i = 0; i < ret->ncalls; i++)
    take_call(&ret->calls[i], e, e->attempts[i]);
  ret->nstarts = e->nstarts;
  ret->starts = mem_zalloc((ret->nstarts + 1) * sizeof *ret->starts);
  for (size_t i = 0; i < ret->nstarts; i++)
    take_start(&ret->starts[i], e, &e->starts[i]);
  if (e->nattempts)
    snprintf(ret->provider, sizeof ret->provider, "%s",
             e->attempts[0]->provider);
}

void sight_none(struct sight *ret, const char *why)
{
  memset(ret, 0, sizeof *ret);
  ret->why = mem_strdup(why);
}

void sight_release(struct sight *s)
{
  for (size_t i = 0; i < s->nstarts; i++) {
    free(s->starts[i].out);
    free(s->starts[i].err);
  }
  free(s->why);
  free(s->calls);
  free(s->starts);
  memset(s, 0, sizeof *s);
}

double sight_gap(const struct sight *s, size_t i)
{
  if (i + 1 >= s->ncalls)
    return -1;
  double gap = s->calls[i + 1].at_s - s->calls[i].end_s;
  return gap < 0 ? 0 : gap;
}

bool sight_ended(const struct sight *s)
{
  for (size_t i = 0; i < s->nstarts; i++)
    if (s->starts[i].timed_out)
      return false;
  return s->nstarts > 0;
}

const struct sight_start *sight_last(const struct sight *s)
{
  return s->nstarts ? &s->starts[s->nstarts - 1] : NULL;
}

double sight_quiet_s(const struct sight *s)
{
  const struct sight_start *last = sight_last(s);
  if (!last || s->ncalls == 0)
    return 0;
  double quiet = last->exit_s - s->calls[s->ncalls - 1].end_s;
  return quiet < 0 ? 0 : quiet;
}

double sight_took_s(const struct sight *s)
{
  const struct sight_start *last = sight_last(s);
  return last && s->ncalls ? last->exit_s - s->calls[0].at_s : 0;
}

size_t sight_calls_of(const struct sight *s, int n)
{
  size_t count = 0;
  for (size_t i = 0; i < s->ncalls; i++)
    count += s->calls[i].start == n;
  return count;
}

static void add_calls(const struct sight *s, struct buf *b)
{
  buf_addf(b, "%zu request%s", s->total, s->total == 1 ? "" : "s");
  for (size_t i = 0; i < s->ncalls && i < NAMED_CALLS; i++)
    buf_addf(b, "%s%.2f", i ? " " : " at ",
             s->calls[i].at_s - s->calls[0].at_s);
  if (s->total > NAMED_CALLS)
    buf_adds(b, " ...");
  if (s->ncalls)
    buf_adds(b, " s");
}

static void add_end(const struct sight *s, struct buf *b)
{
  const struct sight_start *last = sight_last(s);
  if (!last)
    return;
  if (s->ncalls == 0 && !sight_ended(s)) {
    buf_addf(b, " in %.1f s, then it was ended", last->exit_s - last->start_s);
    return;
  }
  if (s->nstarts > 1)
    buf_addf(b, " by %zu starts", s->nstarts);
  if (!sight_ended(s))
    buf_addf(b, ", still running after %.1f s", sight_took_s(s));
  else if (last->sig)
    buf_addf(b, ", died of signal %d", last->sig);
  else if (s->ncalls)
    buf_addf(b, ", exit %d after %.2f s", last->code, sight_took_s(s));
  else
    buf_addf(b, ", exit %d", last->code);
}

char *sight_sentence(const struct sight *s)
{
  struct buf b;
  if (s->why)
    return mem_strdup(s->why);
  buf_init(&b, MAX_SENTENCE);
  add_calls(s, &b);
  add_end(s, &b);
  return buf_detach(&b);
}
