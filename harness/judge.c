#include "harness/judge.h"

#include "harness/check/common.h"
#include "mockserver/fault.h"

#include <string.h>

/* --- the checks -------------------------------------------------------- */

/* The first policy name an expectation needs and the policy lacks. */
static const char *missing_need(const struct evidence *e,
                                const struct expect *x)
{
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, param_node(x->node, "needs"))
  {
    if (!policy_has(e->policy, item->valuestring))
      return item->valuestring;
  }
  return NULL;
}

void judge_expect(const struct evidence *e, const struct expect *x,
                  struct judged *ret)
{
  const char *missing = missing_need(e, x);
  struct finding *f = &ret->finding;
  ret->check = x->check->name;
  ret->lane = x->lane ? x->lane : "";
  if (missing) {
    snprintf(f->text, sizeof f->text, "needs policy.%s", missing);
    finding_actual(f, VERDICT_SKIP, "the policy has no '%s'", missing);
    return;
  }
  x->check->judge(e, x, f);
  if (x->should && f->verdict == VERDICT_FAIL)
    f->verdict = VERDICT_WARN;
}

static bool saw_crash(const struct judged *list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (list[i].finding.kind == KIND_CRASH)
      return true;
  return false;
}

/* A scenario need not ask for it: nobody wants a crash. */
static size_t add_crash(const struct evidence *e, struct judged *list, size_t n)
{
  for (size_t i = 0; i < e->nstarts && !saw_crash(list, n); i++) {
    const struct client_start *s = &e->starts[i];
    char how[320];
    if (!s->launched || s->timed_out || s->signal == 0)
      continue;
    struct judged *j = &list[n++];
    *j = (struct judged){.check = "exit_code", .lane = s->lane};
    j->finding.kind = KIND_CRASH;
    snprintf(j->finding.text, sizeof j->finding.text,
             "the client ends by itself");
    snprintf(j->finding.expected, sizeof j->finding.expected, "no signal");
    start_format(s, how, sizeof how);
    finding_actual(&j->finding, VERDICT_FAIL, "%s", how);
  }
  return n;
}

struct judged *judge_checks(const struct evidence *e, size_t *ret_n)
{
  size_t n = e->spec->nexpects;
  struct judged *list = mem_zalloc((n + 1) * sizeof *list);
  for (size_t i = 0; i < n; i++)
    judge_expect(e, &e->spec->expects[i], &list[i]);
  *ret_n = add_crash(e, list, n);
  return list;
}

/* --- the word ----------------------------------------------------------- */

static const struct judged *first_with(const struct judged *list, size_t n,
                                       enum verdict v)
{
  for (size_t i = 0; i < n; i++)
    if (list[i].finding.verdict == v)
      return &list[i];
  return NULL;
}

/* A stall explains more than a hang, that more than a crash, and that more
 * than a number. */
static int weight(enum kind k)
{
  switch (k) {
  case KIND_STALLED:
    return 4;
  case KIND_HANG:
    return 3;
  case KIND_CRASH:
    return 2;
  default:
    return k != KIND_NONE && k != KIND_ASSERT;
  }
}

static enum kind gravest_kind(const struct judged *list, size_t n,
                              enum verdict v)
{
  enum kind kind = KIND_ASSERT;
  for (size_t i = 0; i < n; i++) {
    const struct finding *f = &list[i].finding;
    if (f->verdict == v && weight(f->kind) > weight(kind))
      kind = f->kind;
  }
  return kind;
}

static void decide(struct outcome *o, enum verdict v, enum kind kind,
                   const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void decide(struct outcome *o, enum verdict v, enum kind kind,
                   const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  o->verdict = v;
  o->kind = kind;
  vsnprintf(o->reason, sizeof o->reason, format, ap);
  va_end(ap);
}

static void decide_by(struct outcome *o, const struct judged *j, enum verdict v,
                      enum kind kind)
{
  const struct finding *f = &j->finding;
  if (f->expected[0])
    decide(o, v, kind, "%s: %s: expected %s, actual %s", j->check, f->text,
           f->expected, f->actual);
  else
    decide(o, v, kind, "%s: %s: %s", j->check, f->text, f->actual);
}

static const struct client_start *not_launched(const struct evidence *e)
{
  for (size_t i = 0; i < e->nstarts; i++)
    if (!e->starts[i].launched)
      return &e->starts[i];
  return NULL;
}

static bool was_delivered(const struct evidence *e, int step)
{
  for (size_t i = 0; i < e->nattempts; i++)
    if (e->attempts[i]->step == step && attempt_faulty(e->attempts[i]))
      return true;
  return false;
}

static bool met_stream(const struct evidence *e, int step)
{
  for (size_t i = 0; i < e->nattempts; i++)
    if (e->attempts[i]->step == step && e->attempts[i]->stream)
      return true;
  return false;
}

static bool wants_stream(const struct step *s)
{
  bool stream = false;
  param_bool(s->node, "stream", &stream);
  return stream || s->fault->needs_stream;
}

static bool was_shaken(const struct evidence *e, size_t fault)
{
  char rule[32];
  snprintf(rule, sizeof rule, "tls %zu", fault);
  for (size_t i = 0; i < e->nall; i++)
    if (e->all[i]->cls == ATTEMPT_HANDSHAKE && attempt_faulty(e->all[i]) &&
        strcmp(e->all[i]->rule, rule) == 0)
      return true;
  return false;
}

/* The same for faults in handshakes. */
static bool handshake_missed(const struct evidence *e, struct outcome *o)
{
  const struct tls_config *tls = e->scenario ? &e->scenario->tls : NULL;
  for (size_t i = 0; tls && i < tls->nfaults; i++)
    if (!was_shaken(e, i)) {
      decide(o, VERDICT_INCONCLUSIVE, KIND_NOT_DELIVERED,
             "tls.faults[%zu] (%s) met no handshake%s", i,
             tls->faults[i].kind->name,
             e->no_faults ? ": this is a run without faults" : "");
      return true;
    }
  return false;
}

/* The script has to have happened, or the checks judged something else. A
 * reply nobody asked for is no such thing: the client may well stop before. */
static bool script_missed(const struct evidence *e, struct outcome *o)
{
  if (e->no_faults && e->scenario && e->scenario->limits) {
    decide(o, VERDICT_INCONCLUSIVE, KIND_NOT_DELIVERED,
           "the limiter refused nothing: this is a run without faults");
    return true;
  }
  for (size_t i = 0; e->scenario && i < e->scenario->nsteps; i++) {
    const struct step *s = &e->scenario->steps[i];
    bool used = e->step_uses && e->step_uses[i] > 0;
    if (used && wants_stream(s) && !met_stream(e, s->index)) {
      decide(o, VERDICT_INCONCLUSIVE, KIND_NOT_DELIVERED,
             "steps[%d] is meant for a streamed call, and the client asked "
             "for none",
             s->index);
      return true;
    }
    if (s->faulty && !s->optional && !was_delivered(e, s->index)) {
      decide(o, VERDICT_INCONCLUSIVE, KIND_NOT_DELIVERED,
             "the fault of steps[%d] (%s) was never sent%s", s->index,
             strcmp(s->fault->name, "none") == 0 ? "wire" : s->fault->name,
             e->no_faults ? ": this is a run without faults" : "");
      return true;
    }
  }
  return false;
}

/* By the run and not by the scenario: what the client would have done in the
 * rest of its time nobody has seen. */
static bool cut_short(const struct evidence *e, struct outcome *o)
{
  char how[320];
  for (size_t i = 0; i < e->nstarts; i++) {
    const struct client_start *s = &e->starts[i];
    if (s->ended_by == START_LIMIT)
      continue;
    start_format(s, how, sizeof how);
    decide(o, VERDICT_INCONCLUSIVE, KIND_HANG, "the run was cut short: %s%s",
           s->timed_out ? "it " : "no further start, by ",
           s->timed_out ? how : s->ended_in);
    return true;
  }
  return false;
}

static bool nothing_proved(const struct evidence *e, struct outcome *o)
{
  const struct client_start *bad = not_launched(e);
  if (bad)
    decide(o, VERDICT_INCONCLUSIVE, KIND_HARNESS, "%s", bad->launch_error);
  else if (e->nattempts == 0 && evidence_distrust(e))
    decide(o, VERDICT_INCONCLUSIVE, KIND_NO_CONTACT,
           "not wired: a handshake without a fault failed: %s (does the client "
           "trust {CA}?)",
           evidence_distrust(e)->what);
  else if (e->nattempts == 0 && !e->nhandshakes && e->nside)
    decide(o, VERDICT_INCONCLUSIVE, KIND_NO_CONTACT,
           "not wired: no call arrived, only %zu requests of other kinds",
           e->nside);
  else if (e->nattempts == 0 && !e->nhandshakes)
    decide(o, VERDICT_INCONCLUSIVE, KIND_NO_CONTACT,
           "not wired: the client made no request to the server");
  else if (e->spec->nexpects == 0)
    decide(o, VERDICT_INCONCLUSIVE, KIND_HARNESS,
           "the scenario expects nothing");
  else
    return cut_short(e, o) || handshake_missed(e, o) || script_missed(e, o);
  return true;
}

static bool all_skipped(const struct judged *list, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (list[i].finding.verdict != VERDICT_SKIP)
      return false;
  return n > 0;
}

/* A call that was dropped for want of descriptors is no fault of the
 * client's, whatever it did about it. */
static bool server_starved(const struct evidence *e)
{
  for (size_t i = 0; i < e->nall; i++)
    if (e->all[i]->cls == ATTEMPT_REFUSED &&
        strcmp(e->all[i]->what, NO_DESCRIPTOR) == 0)
      return true;
  return false;
}

void judge_decide(const struct evidence *e, const struct judged *list, size_t n,
                  struct outcome *ret)
{
  const struct judged *j = first_with(list, n, VERDICT_FAIL);
  memset(ret, 0, sizeof *ret);
  if (server_starved(e)) {
    decide(ret, VERDICT_INCONCLUSIVE, KIND_HARNESS,
           "a call was dropped, since no more files may be open at once "
           "(ulimit -n)");
    return;
  }
  if (j) {
    decide_by(ret, j, VERDICT_FAIL, gravest_kind(list, n, VERDICT_FAIL));
    return;
  }
  if (nothing_proved(e, ret))
    return;
  j = first_with(list, n, VERDICT_INCONCLUSIVE);
  if (j) {
    decide_by(ret, j, VERDICT_INCONCLUSIVE,
              gravest_kind(list, n, VERDICT_INCONCLUSIVE));
    return;
  }
  j = first_with(list, n, VERDICT_WARN);
  if (j)
    decide_by(ret, j, VERDICT_WARN, gravest_kind(list, n, VERDICT_WARN));
  else if (all_skipped(list, n))
    decide(ret, VERDICT_SKIP, KIND_NONE, "%s", list[0].finding.actual);
  else
    ret->verdict = VERDICT_PASS;
}
