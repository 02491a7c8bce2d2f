#include "harness/check/all.h"
#include "harness/check/common.h"

/*
 * Handshakes with a fault, and failed ones, are attempts of a class of their
 * own: before a request there is neither lane nor call, so they count over
 * the whole run.
 */

/* When it was over for the client. */
static int64_t end_ns(const struct attempt *a)
{
  return a->client_left_ns && !a->complete ? a->client_left_ns
                                           : attempt_end_ns(a);
}

/* What the client did next on a connection of its own; NULL: nothing. */
static const struct attempt *next_of(const struct evidence *e, size_t i)
{
  for (size_t k = i + 1; k < e->nall; k++)
    if (e->all[k]->conn_id != e->all[i]->conn_id)
      return e->all[k];
  return NULL;
}

struct tally {
  size_t n, next;           /* handshakes; those something followed */
  double pause_s, stay_s;   /* shortest pause, longest stay */
  size_t pause_of, stay_of; /* which: numbers from 1 */
};

static void count(const struct evidence *e, struct tally *t)
{
  for (size_t i = 0; i < e->nall; i++) {
    const struct attempt *a = e->all[i], *next = next_of(e, i);
    if (a->cls != ATTEMPT_HANDSHAKE)
      continue;
    t->n++;
    double stay = ns_to_s(end_ns(a) - a->first_byte_ns);
    if (a->end == END_CLIENT && stay > t->stay_s) {
      t->stay_s = stay;
      t->stay_of = t->n;
    }
    if (!next || a->complete)
      continue;
    double pause = ns_to_s(next->first_byte_ns - end_ns(a));
    if (!t->next++ || pause < t->pause_s) {
      t->pause_s = pause;
      t->pause_of = t->n;
    }
  }
}

static bool number_ok(const struct evidence *e, const struct expect *x,
                      const struct tally *t, struct finding *ret)
{
  struct bounds b;
  char why[160];
  struct expr_vars vars = vars_plain(e);
  snprintf(ret->text, sizeof ret->text,
           "number of TLS handshakes that were "
           "faulty or failed");
  enum expr_result r = bounds_read(x, &vars, &b, why, sizeof why);
  if (r != EXPR_OK) {
    finding_no_value(ret, r, why);
    return false;
  }
  if (!b.has_low && !b.has_high)
    return true;
  bounds_format_count(&b, ret->expected, sizeof ret->expected);
  finding_actual(ret,
                 bounds_hold(&b, (double)t->n) ? VERDICT_PASS : VERDICT_FAIL,
                 "%zu", t->n);
  return ret->verdict == VERDICT_PASS;
}

static bool pause_ok(const struct expect *x, const struct tally *t,
                     struct finding *ret)
{
  double s = 0;
  if (!param_number(x->node, "pause_at_least_s", &s) || !t->next)
    return true;
  snprintf(ret->text, sizeof ret->text,
           "pause behind a broken handshake, in seconds");
  snprintf(ret->expected, sizeof ret->expected, "%.15g or more", s);
  finding_actual(ret, t->pause_s >= s ? VERDICT_PASS : VERDICT_FAIL,
                 "%.3f (handshake %zu)", t->pause_s, t->pause_of);
  return ret->verdict == VERDICT_PASS;
}

static void stay_ok(const struct expect *x, const struct tally *t,
                    struct finding *ret)
{
  double s = 0;
  if (!param_number(x->node, "leaves_within_s", &s))
    return;
  snprintf(ret->text, sizeof ret->text,
           "how long the client stays in a handshake, in seconds");
  snprintf(ret->expected, sizeof ret->expected, "%.15g or less", s);
  if (t->stay_of)
    finding_actual(ret, t->stay_s <= s ? VERDICT_PASS : VERDICT_FAIL,
                   "%.3f (handshake %zu)", t->stay_s, t->stay_of);
}

static void judge(const struct evidence *e, const struct expect *x,
                  struct finding *ret)
{
  struct tally t = {0};
  snprintf(ret->text, sizeof ret->text, "TLS handshakes");
  if (no_contact(e, ret))
    return;
  count(e, &t);
  finding_actual(ret, VERDICT_PASS, "%zu", t.n);
  if (number_ok(e, x, &t, ret) && pause_ok(x, &t, ret))
    stay_ok(x, &t, ret);
}

static int check(const struct jval *expect, struct diag *diag)
{
  static const char *const keys[] = {"exactly",         "at_least",
                                     "at_most",         "pause_at_least_s",
                                     "leaves_within_s", NULL};
  for (size_t i = 0; keys[i]; i++)
    if (param_has(expect->node, keys[i]))
      return 0;
  return jval_error(expect, diag,
                    "needs 'exactly', 'at_least', 'at_most', "
                    "'pause_at_least_s' or 'leaves_within_s'");
}

static const struct param params[] = {
    {.name = "exactly", .type = PARAM_EXPR, .summary = "this many"},
    {.name = "at_least", .type = PARAM_EXPR, .summary = "this many or more"},
    {.name = "at_most", .type = PARAM_EXPR, .summary = "this many or fewer"},
    {.name = "pause_at_least_s",
     .type = PARAM_NUMBER,
     .max = 86400,
     .summary = "seconds between one that broke and what the client does "
                "next"},
    {.name = "leaves_within_s",
     .type = PARAM_NUMBER,
     .max = 86400,
     .summary = "seconds the client stays at most in one that stalls"},
    {.name = NULL}};

const struct check check_handshakes = {
    .name = "handshakes",
    .summary = "how many TLS handshakes were faulty or failed, and what the "
               "client did about them",
    .params = params,
    .check = check,
    .judge = judge};
