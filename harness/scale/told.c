#include "harness/scale/told.h"

#include "harness/check/check.h"

#include "base/param.h"
#include "mockserver/step_when.h"

#include <math.h>
#include <string.h>

/* Takes the calls of its lane in their order, whatever they are. */
static bool is_plain(const struct step *s)
{
  const struct match *m = &s->match;
  return !s->lane && s->chance <= 0 && !s->optional && !m->path && !m->model &&
         m->stream < 0 && m->reused < 0 && !m->header_name && !m->body &&
         !m->endpoint && !m->messages && !m->argv && !m->in && !m->env &&
         when_takes_all(&s->when);
}

/* Nothing can be said from the first step on that is not plain, and behind
 * one that takes all calls. */
static double *first_calls(const struct scenario *s)
{
  double *first = mem_zalloc((s->nsteps + 1) * sizeof *first), next = 1;
  for (size_t i = 0; i < s->nsteps && is_plain(&s->steps[i]); i++) {
    first[i] = next;
    if (s->steps[i].times == INT64_MAX)
      break;
    next += (double)s->steps[i].times;
  }
  return first;
}

static bool is_check(const struct expect *x, const char *name)
{
  return strcmp(x->check->name, name) == 0;
}

static void lower(double *most, const cJSON *node, const char *key)
{
  double v = 0;
  if (cJSON_IsNumber(param_node(node, key)) && param_number(node, key, &v))
    *most = v < *most ? v : *most;
}

static double most_calls(const struct spec *spec)
{
  double most = (double)INFINITY;
  for (size_t i = 0; i < spec->nexpects; i++) {
    const struct expect *x = &spec->expects[i];
    if (x->lane || x->should)
      continue;
    if (is_check(x, "attempts") && !param_has(x->node, "within_s")) {
      lower(&most, x->node, "exactly");
      lower(&most, x->node, "at_most");
    }
    if (is_check(x, "silence") && !param_has(x->node, "for_s"))
      lower(&most, x->node, "from_attempt");
  }
  return most;
}

static void higher(double *calls, const cJSON *node, const char *key)
{
  double v = 0;
  if (cJSON_IsNumber(param_node(node, key)) && param_number(node, key, &v))
    *calls = v > *calls ? v : *calls;
}

/* Whoever expects a gap expects a wait, and so does who expects more calls
 * than there are without one. */
static void read_waits(struct scale_expected *ret, const struct spec *spec)
{
  for (size_t i = 0; i < spec->nexpects; i++) {
    const struct expect *x = &spec->expects[i];
    bool total = is_check(x, "total_time") || is_check(x, "first_call");
    if (is_check(x, "gap") || is_check(x, "recovers") ||
        is_check(x, "wait_report") || (total && param_has(x->node, "at_least")))
      ret->wait = true;
    if (!is_check(x, "attempts"))
      continue;
    higher(&ret->calls, x->node, "exactly");
    higher(&ret->calls, x->node, "at_least");
  }
}

void scale_expected_read(struct scale_expected *ret,
                         const struct scenario *scenario,
                         const struct spec *spec)
{
  *ret = (struct scale_expected){.most = most_calls(spec),
                                 .runs = (double)spec->nlanes * spec->starts,
                                 .first = first_calls(scenario)};
  read_waits(ret, spec);
}

void scale_expected_release(struct scale_expected *x)
{
  free(x->first);
}

enum scale_told scale_told(const struct scale_expected *x, int step)
{
  if (step < 0) /* the limiter's, the port's: met by whoever calls */
    return TOLD_WAITED;
  double first = x->first[step];
  if (first > 0 && first >= x->most) /* the last call there may be */
    return TOLD_THRESHOLD;
  /* those there would be if nobody waited and called again */
  double calls = first > 0 ? first * x->runs : (double)INFINITY;
  return x->wait || x->calls > calls ? TOLD_WAITED : TOLD_UNSAID;
}
