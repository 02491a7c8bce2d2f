#include "harness/check/all.h"
#include "harness/check/common.h"

#include <string.h>

/* The work of the lane got its whole answer. */
static bool served(const struct lane_view *v)
{
  for (size_t i = 0; i < v->na; i++)
    if (attempt_whole(v->a[i]) && !attempt_faulty(v->a[i]) &&
        v->a[i]->status >= 200 && v->a[i]->status < 300)
      return true;
  return false;
}

static bool all_ended_well(const struct lane_view *v)
{
  for (size_t i = 0; i < v->ns; i++)
    if (v->s[i]->timed_out || v->s[i]->signal || v->s[i]->exit_code != 0)
      return false;
  return v->ns > 0;
}

/* Somebody else was refused, or there was nothing to be kept apart from. */
static bool others_faulty(const struct evidence *e, const char *lane)
{
  for (size_t i = 0; i < e->nattempts; i++)
    if (strcmp(e->attempts[i]->lane, lane) != 0 &&
        attempt_faulty(e->attempts[i]))
      return true;
  return false;
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  struct lane_view v;
  lane_view_init(&v, e, x->lane);
  snprintf(ret->text, sizeof ret->text,
           "the work of this lane does not suffer from another's fault");
  snprintf(ret->expected, sizeof ret->expected,
           "a whole answer, and exit 0 of every start");
  if (no_contact(e, ret))
    ret->kind = KIND_NO_CONTACT;
  else if (!others_faulty(e, x->lane))
    finding_actual(ret, VERDICT_INCONCLUSIVE, "no other lane met a fault");
  else
    finding_actual(
        ret, served(&v) && all_ended_well(&v) ? VERDICT_PASS : VERDICT_FAIL,
        "%s, %s", served(&v) ? "a whole answer" : "no whole answer",
        all_ended_well(&v) ? "exit 0" : "not exit 0 every time");
  lane_view_release(&v);
}

static int check(const struct jval *expect, struct diag *diag)
{
  return param_has(expect->node, "lane")
             ? 0
             : jval_error(expect, diag, "needs 'lane'");
}

static const struct param params[] = {{.name = NULL}};

const struct check check_isolation = {
    .name = "isolation",
    .summary = "whether the work of one lane goes on while others are refused",
    .params = params,
    .check = check,
    .judge = judge};
