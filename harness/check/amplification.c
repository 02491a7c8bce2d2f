#include "harness/herd.h"

#include "harness/check/all.h"
#include "harness/check/common.h"

enum { ALL, SDK, OUTER };
static const char *const layers[] = {"all", "sdk", "outer", NULL};
static const char *const sentences[] = {
    "attempts for each call, all layers together",
    "attempts for each request given to the SDK",
    "requests given to the SDK for each call"};

static void judge_value(const struct herd *h, int layer, const struct bounds *b,
                        struct finding *f)
{
  size_t top = layer == OUTER ? h->requests : h->attempts;
  size_t bottom = layer == SDK ? h->requests : h->calls;
  double value = (double)top / (double)bottom;
  finding_actual(f, bounds_hold(b, value) ? VERDICT_PASS : VERDICT_FAIL,
                 "%.3g (%zu to %zu), told apart by %s", value, top, bottom,
                 h->told ? "retry number or key" : "body");
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  struct expr_vars vars = vars_plain(e);
  struct bounds b;
  struct herd h;
  char why[160];
  int layer = param_word(x->node, "layer", layers, ALL);
  snprintf(ret->text, sizeof ret->text, "%s", sentences[layer]);
  enum expr_result r = bounds_read(x, &vars, &b, why, sizeof why);
  if (r != EXPR_OK) {
    finding_no_value(ret, r, why);
    return;
  }
  bounds_format_count(&b, ret->expected, sizeof ret->expected);
  if (no_contact(e, ret))
    return;
  herd_measure(&h, e, x->lane);
  if (h.calls == 0 || h.requests == 0)
    finding_actual(ret, VERDICT_INCONCLUSIVE, "no call arrived in this lane");
  else if (layer != ALL && !h.told)
    finding_actual(ret, VERDICT_INCONCLUSIVE,
                   "no retry number and no idempotency key tells the layers "
                   "apart");
  else
    judge_value(&h, layer, &b, ret);
}

static const struct param params[] = {
    {.name = "at_most",
     .type = PARAM_EXPR,
     .required = true,
     .summary = "attempts for each call, on average"},
    {.name = "layer",
     .type = PARAM_WORD,
     .words = layers,
     .summary = "all (default); or, when a retry number or an idempotency key "
                "tells: sdk, its tries of one request, or outer, the requests "
                "of one call"},
    {.name = NULL}};

const struct check check_amplification = {
    .name = "amplification",
    .summary = "how many attempts each call becomes: retries of retries "
               "multiply",
    .params = params,
    .judge = judge};
