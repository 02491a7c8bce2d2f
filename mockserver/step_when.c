#include "mockserver/step_when.h"

#include "base/clock.h"

/* A day, the longest a client is watched. */
#define MAX_S 86400
/* As many connections as a machine holds with the usual limits. */
#define MAX_HELD 10000

static const char *const across_words[] = {"lanes", "lane", NULL};
enum { ACROSS_LANES, WITHIN_LANE };

const struct param when_params[] = {
    {.name = "attempts",
     .type = PARAM_RANGE,
     .min = 1,
     .max = 1e9,
     .summary = "only these calls of a lane, by their number in it: 3, "
                "\"2-5\", \"4+\""},
    {.name = "from_s",
     .type = PARAM_NUMBER,
     .min = 0,
     .max = MAX_S,
     .summary = "only calls so many seconds after the lane's first, or "
                "later"},
    {.name = "until_s",
     .type = PARAM_NUMBER,
     .min = 0.001,
     .max = MAX_S,
     .summary = "only calls less than so many seconds after the lane's "
                "first"},
    {.name = "barrier",
     .type = PARAM_OBJECT,
     .summary = "holds calls and answers them at the same instant: "
                "requests, for_s, across"},
    {.name = "chance",
     .type = PARAM_NUMBER,
     .min = 0.0001,
     .max = 1,
     .summary = "share of the calls it takes, drawn from the seed: 0.05"},
    {.name = "optional",
     .type = PARAM_BOOL,
     .summary = "a right client may never meet this step: nothing is "
                "inconclusive without it"},
    {.name = NULL}};

const struct param barrier_params[] = {
    {.name = "requests",
     .type = PARAM_INT,
     .min = 2,
     .max = MAX_HELD,
     .required = true,
     .summary = "calls of a round: the last one opens it"},
    {.name = "for_s",
     .type = PARAM_NUMBER,
     .min = 0.001,
     .max = MAX_S,
     .required = true,
     .summary = "seconds after which those that came are answered"},
    {.name = "across",
     .type = PARAM_WORD,
     .words = across_words,
     .summary = "lanes (default): a round is made of all lanes together; "
                "lane: each lane has its own"},
    {.name = NULL}};

static int64_t seconds_ns(const cJSON *object, const char *key,
                          int64_t otherwise)
{
  double s = 0;
  return param_number(object, key, &s) ? (int64_t)(s * (double)NS_PER_S)
                                       : otherwise;
}

static int read_window(struct when *ret, const struct jval *v,
                       struct diag *diag)
{
  struct jval until;
  *ret = (struct when){.first = 1, .last = INT64_MAX};
  param_range(v->node, "attempts", &ret->first, &ret->last);
  ret->from_ns = seconds_ns(v->node, "from_s", 0);
  ret->until_ns = seconds_ns(v->node, "until_s", INT64_MAX);
  if (ret->from_ns >= ret->until_ns && jval_member(v, "until_s", &until))
    return jval_error(&until, diag, "is not behind from_s");
  return 0;
}

static int read_barrier(struct step *ret, const struct jval *v,
                        struct diag *diag)
{
  static const struct param *const tables[] = {barrier_params};
  struct jval b;
  if (!jval_member(v, "barrier", &b))
    return 0;
  if (param_check(&b, tables, 1, NULL, diag) < 0)
    return -1;
  param_int(b.node, "requests", &ret->barrier.requests);
  ret->barrier.for_ns = seconds_ns(b.node, "for_s", 0);
  ret->barrier.across_lanes =
      param_word(b.node, "across", across_words, ACROSS_LANES) == ACROSS_LANES;
  ret->shared = ret->barrier.across_lanes;
  return 0;
}

int step_when_read(struct step *ret, const struct jval *v, struct diag *diag)
{
  /* who asks for a chance cannot ask that it comes */
  ret->optional = param_number(v->node, "chance", &ret->chance);
  param_bool(v->node, "optional", &ret->optional);
  if (read_window(&ret->when, v, diag) < 0)
    return -1;
  return read_barrier(ret, v, diag);
}

int64_t step_when_times(const struct step *step)
{
  if (step->barrier.requests)
    return step->barrier.requests;
  return when_takes_all(&step->when) && step->chance <= 0 ? 1 : INT64_MAX;
}

bool when_fits(const struct when *w, int64_t n, int64_t since_ns)
{
  return n >= w->first && n <= w->last && since_ns >= w->from_ns &&
         since_ns < w->until_ns;
}

bool when_takes_all(const struct when *w)
{
  return w->first == 1 && w->last == INT64_MAX && w->from_ns == 0 &&
         w->until_ns == INT64_MAX;
}
