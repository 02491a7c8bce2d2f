#include "harness/run_limits.h"

/* Real seconds: what a suite of a hundred scenarios can bear. Calls: more
 * than any scenario asks for. A day: no provider tells a longer wait but a
 * week's usage limit, which no client sits out in one process. */
const struct run_limits run_limits_default = {
    .real_s = 60, .attempts = 10000, .largest_jump_s = 86400};

struct run_limits run_limits_read(const cJSON *object)
{
  struct run_limits l = {0};
  param_number(object, "real_limit_s", &l.real_s);
  param_int(object, "attempt_limit", &l.attempts);
  param_number(object, "largest_jump_s", &l.largest_jump_s);
  return l;
}

static void fill(struct run_limits *l, const struct run_limits *from)
{
  if (!(l->real_s > 0))
    l->real_s = from->real_s;
  if (l->attempts == 0)
    l->attempts = from->attempts;
  if (!(l->largest_jump_s > 0))
    l->largest_jump_s = from->largest_jump_s;
}

struct run_limits run_limits_choose(const struct run_limits *command,
                                    const struct run_limits *own,
                                    const struct run_limits *project)
{
  struct run_limits l = *command;
  fill(&l, own);
  fill(&l, project);
  fill(&l, &run_limits_default);
  return l;
}
