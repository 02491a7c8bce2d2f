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

/* Number of the first call of a lane that the step answers, from 1; 0: it
 * cannot be said. */
static double first_call(const struct scenario *s, int step)
{
  double first = 1;
  for (int i = 0; i <= step; i++) {
    if (!is_plain(&s->steps[i]))
      return 0;
    if (i < step && s->steps[i].times == INT64_MAX)
      return 0;
    if (i < step)
      first += (double)s->steps[i].times;
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

double scale_most_calls(const struct spec *spec)
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

static bool more_than(const struct expect *x, const char *key, double calls)
{
  double v = 0;
  return cJSON_IsNumber(param_node(x->node, key)) &&
         param_number(x->node, key, &v) && v > calls;
}

/* `calls`: those there would be if nobody waited and called again. */
static bool expects_wait(const struct spec *spec, double calls)
{
  for (size_t i = 0; i < spec->nexpects; i++) {
    const struct expect *x = &spec->expects[i];
    if (is_check(x, "gap") || is_check(x, "recovers") ||
        is_check(x, "wait_report"))
      return true;
    if ((is_check(x, "total_time") || is_check(x, "first_call")) &&
        param_has(x->node, "at_least"))
      return true;
    if (is_check(x, "attempts") &&
        (more_than(x, "exactly", calls) || more_than(x, "at_least", calls)))
      return true;
  }
  return false;
}

enum scale_told scale_told(const struct scenario *scenario,
                           const struct spec *spec, int step)
{
  if (step < 0) /* the limiter's, the port's: met by whoever calls */
    return TOLD_WAITED;
  double runs = (double)spec->nlanes * spec->starts;
  double first = first_call(scenario, step), most = scale_most_calls(spec);
  if (first > 0 && first >= most) /* the last call there may be */
    return TOLD_THRESHOLD;
  double calls = first > 0 ? first * runs : (double)INFINITY;
  return expects_wait(spec, calls) ? TOLD_WAITED : TOLD_UNSAID;
}
