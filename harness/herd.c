#include "harness/herd.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

/* A range this narrow is that of a client which repeats at once. */
#define LEAST_BASELINE_MS 200.0
#define BIN_SHARE 0.1

/* --- one number from many ------------------------------------------------ */

static int by_moment(const void *a, const void *b)
{
  const int64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

size_t herd_peak(int64_t *moments, size_t n, int64_t window_ns)
{
  size_t most = 0, from = 0;
  if (n)
    qsort(moments, n, sizeof *moments, by_moment);
  for (size_t i = 0; i < n; i++) {
    while (moments[i] - moments[from] > window_ns)
      from++;
    most = i - from + 1 > most ? i - from + 1 : most;
  }
  return most;
}

/* Term by term from k = 0, so that nothing overflows: n is at most some
 * hundreds here. */
static double binomial_tail(size_t n, size_t least, double p)
{
  double below = 0, term = pow(1 - p, (double)n);
  for (size_t k = 0; k < least; k++) {
    below += term;
    term *= (double)(n - k) / (double)(k + 1) * p / (1 - p);
  }
  /* what is left of 1 loses its digits when the tail is tiny: sum that */
  double tail = 0;
  for (size_t k = least; k <= n; k++) {
    tail += term;
    term *= (double)(n - k) / (double)(k + 1) * p / (1 - p);
  }
  return below > 0.5 ? tail : 1 - below;
}

double herd_chance(size_t n, size_t peak, double share)
{
  if (n == 0 || peak <= 1 || share >= 1)
    return 1;
  double p = (double)n * binomial_tail(n - 1, peak - 1, share);
  return p > 1 ? 1 : p;
}

static int by_wait(const void *a, const void *b)
{
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static size_t most_in_bin(const double *sorted, size_t n, double bin_ms)
{
  size_t most = 0, from = 0;
  for (size_t i = 0; i < n; i++) {
    while (sorted[i] - sorted[from] > bin_ms)
      from++;
    most = i - from + 1 > most ? i - from + 1 : most;
  }
  return most;
}

void herd_lockstep(struct herd_lockstep *ret, double *waits_ms, size_t n)
{
  *ret = (struct herd_lockstep){.n = n, .p = 1};
  if (n < HERD_MIN_WAITS)
    return;
  qsort(waits_ms, n, sizeof *waits_ms, by_wait);
  double half = waits_ms[n / 2] / 2;
  ret->baseline_ms = half > LEAST_BASELINE_MS ? half : LEAST_BASELINE_MS;
  ret->bin_ms = fmin(ret->baseline_ms * BIN_SHARE,
                     (double)HERD_WINDOW_NS / (double)NS_PER_MS);
  ret->peak = most_in_bin(waits_ms, n, ret->bin_ms);
  ret->p = herd_chance(n, ret->peak, ret->bin_ms / ret->baseline_ms);
  ret->step = ret->p <= HERD_THRESHOLD ? HERD_IN_STEP : HERD_APART;
}

/* --- from the evidence ----------------------------------------------------
 */

/* A stream that reached its end is whole, however slowly it came. */
static bool is_good(const struct attempt *a)
{
  if (!attempt_whole(a) || a->status >= 400)
    return false;
  if (a->stream_sent)
    return true;
  if (attempt_faulty(a))
    return false;
  return a->is_start ? a->exit_code == 0 && a->exit_signal == 0 : a->status > 0;
}

/* What a body is about, whatever else is in it: a repeat may ask another
 * model, or for no stream. A body nobody can read counts byte by byte. */
static uint64_t call_hash(const struct attempt *a)
{
  static const char *const keys[] = {"messages", "input", "contents", "prompt"};
  bool whole = a->body && a->body_kept == a->body_bytes;
  cJSON *json = whole ? cJSON_ParseWithLength(a->body, a->body_kept) : NULL;
  uint64_t hash = a->body_hash;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const cJSON *about = cJSON_GetObjectItemCaseSensitive(json, keys[i]);
    char *text = about ? cJSON_PrintUnformatted(about) : NULL;
    if (text)
      hash = bytes_hash(bytes_of(text));
    cJSON_free(text);
  }
  cJSON_Delete(json);
  return hash;
}

/* The lane's calls and what was found out about each. */
struct call_walk {
  const struct lane_view *v;
  uint64_t *about;
  int *start;      /* of the client, for each attempt */
  bool *completes; /* its call has had its good answer with this one */
  struct herd *h;
};

/* The latest earlier attempt of the same start that `i` could repeat. */
static bool find_before(const struct call_walk *w, size_t i, bool by_key,
                        size_t *ret)
{
  const struct attempt *a = w->v->a[i];
  for (size_t k = i; k-- > 0;) {
    const struct attempt *b = w->v->a[k];
    bool alike = by_key ? strcmp(a->idempotency_key, b->idempotency_key) == 0
                        : w->about[k] == w->about[i];
    if (w->start[k] != w->start[i] || !alike)
      continue;
    *ret = k;
    return true;
  }
  return false;
}

static void walk_attempt(struct call_walk *w, size_t i)
{
  const struct attempt *a = w->v->a[i];
  size_t before = 0;
  bool keyed = a->idempotency_key[0] != '\0';
  bool again =
      a->retry_count > 0 || (keyed && find_before(w, i, true, &before));
  bool found = find_before(w, i, false, &before);
  bool same_call = again || (found && !w->completes[before]);
  bool had_one = same_call && found && w->completes[before];
  w->h->told |= a->retry_count >= 0 || keyed;
  w->h->requests += !again;
  w->h->calls += !same_call;
  w->h->completed += is_good(a) && !had_one;
  w->completes[i] = is_good(a) || had_one;
}

static void walk_calls(const struct lane_view *v, struct herd *h)
{
  struct call_walk w = {.v = v, .h = h};
  w.start = mem_zalloc((v->na + 1) * sizeof *w.start);
  w.completes = mem_zalloc((v->na + 1) * sizeof *w.completes);
  w.about = mem_zalloc((v->na + 1) * sizeof *w.about);
  for (size_t i = 0; i < v->na; i++) {
    w.about[i] = call_hash(v->a[i]);
    w.start[i] = lane_start_of(v, v->a[i]);
    walk_attempt(&w, i);
  }
  free(w.about);
  free(w.start);
  free(w.completes);
}

/* An answer still open when the next request came had asked for nothing yet. */
static size_t count_waste(const struct lane_view *v)
{
  size_t n = 0;
  int64_t *until = mem_zalloc((v->na + 1) * sizeof *until);
  for (size_t i = 0; i < v->na; i++) {
    int64_t now = v->a[i]->first_byte_ns;
    double s = 0;
    bool inside = false;
    for (size_t k = 0; k < i && !inside; k++)
      inside = attempt_end_ns(v->a[k]) <= now && now < until[k];
    n += inside;
    if (attempt_retry_after_s(v->e, v->a[i], &s))
      until[i] = attempt_end_ns(v->a[i]) + (int64_t)(s * (double)NS_PER_S);
  }
  free(until);
  return n;
}

/* Of all lanes together. */
struct crowd {
  int64_t *arrivals, *repeats, *firsts;
  double *waits_ms;
  size_t narrivals, nrepeats, nfirsts;
};

static bool behind_a_fault(const struct lane_view *v, size_t i)
{
  return i > 0 && attempt_faulty(v->a[i - 1]) &&
         lane_start_of(v, v->a[i]) == lane_start_of(v, v->a[i - 1]);
}

static void add_first_wait(const struct lane_view *v, struct crowd *c)
{
  struct gap g;
  for (size_t i = 0; i < v->na; i++) {
    if (!attempt_faulty(v->a[i]))
      continue;
    if (lane_gap(v, i, &g) &&
        lane_start_of(v, g.before) == lane_start_of(v, g.after)) {
      c->waits_ms[c->nfirsts] = (double)g.ns / (double)NS_PER_MS;
      c->firsts[c->nfirsts++] = g.after->first_byte_ns;
    }
    return;
  }
}

static void add_lane(const struct lane_view *v, struct crowd *c)
{
  for (size_t i = 0; i < v->na; i++) {
    c->arrivals[c->narrivals++] = v->a[i]->first_byte_ns;
    if (behind_a_fault(v, i))
      c->repeats[c->nrepeats++] = v->a[i]->first_byte_ns;
  }
  add_first_wait(v, c);
}

static void crowd_init(struct crowd *c, size_t n)
{
  *c = (struct crowd){0};
  c->arrivals = mem_zalloc((n + 1) * sizeof *c->arrivals);
  c->repeats = mem_zalloc((n + 1) * sizeof *c->repeats);
  c->firsts = mem_zalloc((n + 1) * sizeof *c->firsts);
  c->waits_ms = mem_zalloc((n + 1) * sizeof *c->waits_ms);
}

static void crowd_release(struct crowd *c)
{
  free(c->arrivals);
  free(c->repeats);
  free(c->firsts);
  free(c->waits_ms);
}

static void measure_crowd(struct crowd *c, struct herd *h)
{
  h->peak = herd_peak(c->arrivals, c->narrivals, HERD_WINDOW_NS);
  h->peak_repeats = herd_peak(c->repeats, c->nrepeats, HERD_WINDOW_NS);
  herd_peak(c->firsts, c->nfirsts, 0); /* sorts */
  h->first_repeats = c->nfirsts;
  if (c->nfirsts > 1)
    h->spread_s =
        (double)(c->firsts[c->nfirsts - 1] - c->firsts[0]) / (double)NS_PER_S;
  herd_lockstep(&h->lockstep, c->waits_ms, c->nfirsts);
}

void herd_measure(struct herd *ret, const struct evidence *e, const char *lane)
{
  const char *lanes[256];
  struct expect one = {.lane = lane};
  struct crowd c;
  *ret = (struct herd){0};
  crowd_init(&c, e->nattempts);
  size_t n = evidence_lanes(e, &one, lanes, sizeof lanes / sizeof *lanes);
  for (size_t i = 0; i < n; i++) {
    struct lane_view v;
    lane_view_init(&v, e, lanes[i]);
    ret->lanes += v.na > 0;
    ret->attempts += v.na;
    ret->waste += count_waste(&v);
    walk_calls(&v, ret);
    add_lane(&v, &c);
    lane_view_release(&v);
  }
  measure_crowd(&c, ret);
  crowd_release(&c);
}

double herd_amplification(const struct herd *h)
{
  return h->calls ? (double)h->attempts / (double)h->calls : 0;
}

const char *herd_step_name(enum herd_step s)
{
  static const char *const names[] = {[HERD_UNKNOWN] = "unknown",
                                      [HERD_APART] = "apart",
                                      [HERD_IN_STEP] = "in step"};
  return names[s];
}
