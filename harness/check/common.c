#include "harness/check/common.h"

#include "base/clock.h"
#include "harness/check/slow.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { MAX_LANES = 256 };

void finding_set(struct finding *f, enum verdict v)
{
  f->verdict = v;
  if (v == VERDICT_FAIL && f->kind == KIND_NONE)
    f->kind = KIND_ASSERT;
}

void finding_actual(struct finding *f, enum verdict v, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  vsnprintf(f->actual, sizeof f->actual, format, ap);
  va_end(ap);
  finding_set(f, v);
}

static int gravity(enum verdict v)
{
  switch (v) {
  case VERDICT_FAIL:
    return 4;
  case VERDICT_INCONCLUSIVE:
    return 3;
  case VERDICT_WARN:
    return 2;
  case VERDICT_SKIP:
    return 1;
  default:
    return 0;
  }
}

void finding_merge(struct finding *into, const struct finding *f)
{
  if (into->text[0] == '\0' || gravity(f->verdict) > gravity(into->verdict))
    *into = *f;
}

bool no_contact(const struct evidence *e, struct finding *ret)
{
  const struct attempt *distrust = evidence_distrust(e);
  /* a faulty handshake is contact: a right client may go no further */
  if (e->nattempts || (e->nhandshakes && !distrust))
    return false;
  ret->kind = KIND_NO_CONTACT;
  if (distrust)
    finding_actual(ret, VERDICT_INCONCLUSIVE,
                   "a handshake without a fault failed: %s", distrust->what);
  else if (e->nside)
    finding_actual(ret, VERDICT_INCONCLUSIVE,
                   "no call arrived, only %zu requests of other kinds",
                   e->nside);
  else
    finding_actual(ret, VERDICT_INCONCLUSIVE, "no request arrived");
  return true;
}

static void name_lane(struct finding *f, const char *lane)
{
  char text[sizeof f->text];
  if (lane[0] == '\0')
    return;
  memcpy(text, f->text, sizeof text);
  snprintf(f->text, sizeof f->text, "lane %s: %.180s", lane, text);
}

/* A lane without calls proves nothing, unless its client crashed. */
static void settle_without_calls(const struct evidence *e, struct finding *f)
{
  if (f->verdict == VERDICT_FAIL || f->verdict == VERDICT_SKIP ||
      f->kind == KIND_HARNESS || no_contact(e, f))
    return;
  if (f->verdict == VERDICT_INCONCLUSIVE) {
    f->kind = KIND_NO_CONTACT;
    finding_actual(f, VERDICT_INCONCLUSIVE, "no call arrived in this lane");
  }
}

void judge_lanes(const struct evidence *e, const struct expect *x,
                 lane_judge_fn *fn, struct finding *ret)
{
  const char *lanes[MAX_LANES];
  size_t n = evidence_lanes(e, x, lanes, MAX_LANES);
  for (size_t i = 0; i < n; i++) {
    struct finding f = {0};
    struct lane_view v;
    lane_view_init(&v, e, lanes[i]);
    fn(&v, x, &f);
    if (v.na == 0)
      settle_without_calls(e, &f);
    lane_view_release(&v);
    if (!x->lane) /* a report names that one by itself */
      name_lane(&f, lanes[i]);
    finding_merge(ret, &f);
  }
}

struct expr_vars vars_plain(const struct evidence *e)
{
  struct expr_vars vars = {
      .policy = e->policy, .step = -1, .calls = (double)e->nattempts};
  slow_slack(e, e->start_ns, INT64_MAX, &vars);
  return vars;
}

/* The keys an end can come from, and what they say. */
struct bound {
  const char *key;
  bool has;
  double value;
};

static enum expr_result read_bounds(const struct expect *x,
                                    const struct expr_vars *vars,
                                    struct bound b[3], char *ret_notes,
                                    char *ret_why, size_t size)
{
  struct buf notes;
  enum expr_result r = EXPR_OK;
  buf_init(&notes, 1024);
  for (int i = 0; r == EXPR_OK && i < 3; i++) {
    const cJSON *node = param_node(x->node, b[i].key);
    b[i].has = node != NULL;
    if (node)
      r = expr_eval_node(node, vars, &notes, &b[i].value, ret_why, size);
  }
  snprintf(ret_notes, sizeof(((struct bounds *)0)->notes), "%s",
           buf_str(&notes));
  buf_release(&notes);
  return r;
}

enum expr_result bounds_read(const struct expect *x,
                             const struct expr_vars *vars, struct bounds *ret,
                             char *ret_why, size_t size)
{
  struct bounds b = {0};
  struct bound key[3] = {
      {"at_least", false, 0}, {"at_most", false, 0}, {"exactly", false, 0}};
  enum expr_result r = read_bounds(x, vars, key, b.notes, ret_why, size);
  const struct bound *low = key[2].has ? &key[2] : &key[0];
  const struct bound *high = key[2].has ? &key[2] : &key[1];
  b.has_low = low->has;
  b.low = low->value;
  b.has_high = high->has;
  b.high = high->value;
  if (r == EXPR_OK)
    *ret = b;
  return r;
}

int bounds_check(const struct jval *expect, struct diag *diag)
{
  bool exact = param_has(expect->node, "exactly");
  bool range =
      param_has(expect->node, "at_least") || param_has(expect->node, "at_most");
  if (exact && range)
    return jval_error(expect, diag,
                      "'exactly' and 'at_least' / 'at_most' exclude each "
                      "other");
  if (!exact && !range)
    return jval_error(expect, diag, "needs 'at_least' or 'at_most'");
  return 0;
}

bool bounds_hold(const struct bounds *b, double value)
{
  return !(b->has_low && value < b->low) && !(b->has_high && value > b->high);
}

static void add_notes(const struct bounds *b, char *ret, size_t size)
{
  size_t n = strlen(ret);
  if (b->notes[0] && n < size)
    snprintf(ret + n, size - n, "   (%s)", b->notes);
}

/* In "3600005 ms" nobody sees the hour. */
#define SECONDS_FROM_MS 10000.0

struct span_text span_text(double ms)
{
  struct span_text t;
  if (fabs(ms) < SECONDS_FROM_MS)
    snprintf(t.s, sizeof t.s, "%.0f ms", ms);
  else
    snprintf(t.s, sizeof t.s, "%.3f s", ms / 1000);
  return t;
}

void bounds_format_ms(const struct bounds *b, char *ret, size_t size)
{
  double low = b->low * 1000, high = b->high * 1000;
  if (b->has_low && b->has_high && high >= SECONDS_FROM_MS)
    snprintf(ret, size, "%.3f..%.3f s", b->low, b->high);
  else if (b->has_low && b->has_high)
    snprintf(ret, size, "%.0f..%.0f ms", low, high);
  else if (b->has_low)
    snprintf(ret, size, "%s or more", span_text(low).s);
  else
    snprintf(ret, size, "%s or less", span_text(high).s);
  add_notes(b, ret, size);
}

void bounds_format_count(const struct bounds *b, char *ret, size_t size)
{
  if (b->has_low && b->has_high && !(b->low < b->high))
    snprintf(ret, size, "%g", b->low);
  else if (b->has_low && b->has_high)
    snprintf(ret, size, "%g..%g", b->low, b->high);
  else if (b->has_low)
    snprintf(ret, size, "%g or more", b->low);
  else
    snprintf(ret, size, "%g or fewer", b->high);
  add_notes(b, ret, size);
}

void finding_no_value(struct finding *f, enum expr_result r, const char *why)
{
  finding_actual(f, r == EXPR_NO_POLICY ? VERDICT_SKIP : VERDICT_INCONCLUSIVE,
                 "%s", why);
}

double ns_to_ms(int64_t ns)
{
  return (double)ns / (double)NS_PER_MS;
}

double ns_to_s(int64_t ns)
{
  return (double)ns / (double)NS_PER_S;
}

enum kind start_hang_kind(const struct client_start *s)
{
  return s->stalled_ns > 0 ? KIND_STALLED : KIND_HANG;
}

const char *start_label(const struct lane_view *v, size_t i, char *ret,
                        size_t size)
{
  ret[0] = '\0';
  if (v->ns > 1)
    snprintf(ret, size, "(start %zu) ", i + 1);
  return ret;
}

void start_format(const struct client_start *s, char *ret, size_t size)
{
  double seconds = ns_to_s(s->exit_ns - s->start_ns);
  if (!s->launched)
    snprintf(ret, size, "could not be started: %s", s->launch_error);
  else if (s->timed_out && s->stalled_ns > 0)
    snprintf(ret, size,
             "waits for ever: nothing it waits for has a time-out%s%s%s",
             s->stalled_in[0] ? " (" : "", s->stalled_in,
             s->stalled_in[0] ? ")" : "");
  else if (s->timed_out && s->ended_by == START_REAL_LIMIT)
    snprintf(ret, size,
             "still ran when the real time of the run was over (%s), after "
             "%.2f s virtual",
             s->ended_in[0] ? s->ended_in : "--real-limit", seconds);
  else if (s->timed_out && s->ended_by == START_ATTEMPTS)
    snprintf(ret, size,
             "still ran after more calls than a run in virtual time may have "
             "(%s), in %.2f s virtual",
             s->ended_in[0] ? s->ended_in : "--attempt-limit", seconds);
  else if (s->timed_out && s->ended_by == START_TOO_FAR)
    snprintf(ret, size,
             "would wait longer than a run in virtual time may jump: %s; ended "
             "after %.2f s virtual",
             s->ended_in[0] ? s->ended_in : "--largest-jump", seconds);
  else if (s->timed_out)
    snprintf(ret, size, "still ran at its limit, ended after %.2f s", seconds);
  else if (s->signal)
    snprintf(ret, size, "ended by signal %d (%s) after %.2f s", s->signal,
             strsignal(s->signal), seconds);
  else
    snprintf(ret, size, "exit %d after %.2f s", s->exit_code, seconds);
}
