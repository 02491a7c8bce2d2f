#include "harness/report/timeline.h"

#include "base/buf.h"
#include "base/param.h"
#include "harness/report/detail.h"

#include <string.h>

#define NS_PER_S_F 1e9
/* 2^53: above it numbers of JSON are not exact. */
#define MAX_NS 9007199254740992.0

/* What all of a picture's parts are measured by. */
struct clockwork {
  double zero_ns;
};

static double seconds_of(const struct clockwork *c, double ns)
{
  double s = (ns - c->zero_ns) / NS_PER_S_F;
  return s < 0 ? 0 : s;
}

static double number_of(const cJSON *o, const char *key)
{
  double d = 0;
  param_number(o, key, &d);
  /* Later than that (104 days) or no number: it did not happen. */
  return d > 0 && d < MAX_NS ? d : 0;
}

static bool is_true(const cJSON *o, const char *key)
{
  bool b = false;
  param_bool(o, key, &b);
  return b;
}

static bool text_is(const cJSON *o, const char *key, const char *want)
{
  return strcmp(detail_text(o, key), want) == 0;
}

/* --- lanes ---------------------------------------------------------------- */

static struct time_lane *lane_find(struct timeline *t, const char *name)
{
  for (size_t i = 0; i < t->nlanes; i++)
    if (strcmp(t->lanes[i].name, name) == 0)
      return &t->lanes[i];
  return NULL;
}

/* Room for all that one list may bring it. */
static void lane_add(struct timeline *t, const char *name, size_t max)
{
  if (lane_find(t, name))
    return;
  if (t->nlanes == TIMELINE_LANES) {
    t->left_out++;
    return;
  }
  t->lanes[t->nlanes++] = (struct time_lane){
      .name = name,
      .bars = mem_zalloc((max + 1) * sizeof(struct time_bar)),
      .waits = mem_zalloc((max + 1) * sizeof(struct time_wait)),
      .windows = mem_zalloc((max + 1) * sizeof(struct time_window)),
      .starts = mem_zalloc((max + 1) * sizeof(struct time_start)),
      .rows = 1};
}

static void add_lanes(struct timeline *t, const cJSON *list, size_t max)
{
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, list) lane_add(t, detail_text(item, "lane"), max);
}

/* --- attempts ------------------------------------------------------------- */

static enum bar_look look_of(const cJSON *a)
{
  if (text_is(a, "class", "refused"))
    return BAR_REFUSED;
  if (text_is(a, "class", "handshake"))
    return BAR_HANDSHAKE;
  if (text_is(a, "class", "side"))
    return BAR_SIDE;
  if (!is_true(a, "complete") ||
      (is_true(a, "stream_sent") && !is_true(a, "terminal_sent")))
    return BAR_CUT;
  if (number_of(a, "status") >= 300 ||
      (is_true(a, "injected") && is_true(a, "delivered")))
    return BAR_FAULT;
  return BAR_GOOD;
}

/* The last thing that happened to it, as far as the client is concerned. */
static double end_of(const cJSON *a)
{
  double end = number_of(a, "answer_last_ns");
  double left = number_of(a, "client_left_ns");
  double asked = number_of(a, "end_request_ns");
  if (left > 0 && (left < end || end <= 0 || !is_true(a, "complete")))
    end = left;
  if (end < asked)
    end = asked;
  return end < number_of(a, "first_byte_ns") ? number_of(a, "first_byte_ns")
                                             : end;
}

/* --- events of a stream --------------------------------------------------- */

/* As many as the journal keeps (mockserver/event_times.h). */
enum { MAX_EVENTS = 64 };

static bool take_event(const cJSON *pair, double first_ns,
                       const struct clockwork *c, struct time_event *ret)
{
  static const char letters[NEVENT_LOOKS + 1] = {[LOOK_CONTENT] = 'c',
                                                 [LOOK_PING] = 'p',
                                                 [LOOK_ERROR] = 'e',
                                                 [LOOK_TERMINAL] = 't'};
  const cJSON *ns = cJSON_GetArrayItem(pair, 0);
  const cJSON *letter = cJSON_GetArrayItem(pair, 1);
  if (!cJSON_IsNumber(ns) || !(ns->valuedouble >= 0) ||
      ns->valuedouble > MAX_NS || !cJSON_IsString(letter) ||
      strlen(letter->valuestring) != 1)
    return false;
  const char *known = strchr(letters, letter->valuestring[0]);
  if (!known)
    return false;
  ret->at_s = seconds_of(c, first_ns + ns->valuedouble);
  ret->look = (enum event_look)(known - letters);
  return true;
}

/* Until the first that is none or goes back in time. */
static void add_events(struct time_bar *b, const struct clockwork *c)
{
  const cJSON *list = param_node(b->attempt, "events"), *pair = NULL;
  double first_ns = number_of(b->attempt, "answer_first_ns");
  if (first_ns <= 0 || !cJSON_IsArray(list))
    return;
  b->list = mem_zalloc(MAX_EVENTS * sizeof *b->list);
  cJSON_ArrayForEach(pair, list)
  {
    struct time_event e;
    double before = b->nlist ? b->list[b->nlist - 1].at_s : 0;
    if (b->nlist == MAX_EVENTS || !take_event(pair, first_ns, c, &e) ||
        e.at_s < before)
      return;
    b->list[b->nlist++] = e;
  }
}

/* What comes behind the last of them is known if there are no others. */
static double silence_of(const struct time_bar *b)
{
  double longest = 0;
  for (size_t i = 0; i < b->nlist; i++) {
    bool is_last = i + 1 == b->nlist;
    double next = is_last ? b->until_s : b->list[i + 1].at_s;
    if (is_last && b->events != (int64_t)b->nlist)
      break;
    if (next - b->list[i].at_s > longest)
      longest = next - b->list[i].at_s;
  }
  return longest;
}

static struct time_bar bar_of(const struct clockwork *c, const cJSON *a)
{
  double first = number_of(a, "answer_first_ns");
  double left = number_of(a, "client_left_ns");
  return (struct time_bar){
      .attempt = a,
      .seq = (int64_t)number_of(a, "seq"),
      .status =
          (int)(number_of(a, "status") < 1000 ? number_of(a, "status") : 0),
      .look = look_of(a),
      .from_s = seconds_of(c, number_of(a, "first_byte_ns")),
      .first_s = first > 0 ? seconds_of(c, first) : -1,
      .until_s = seconds_of(c, end_of(a)),
      .events = (int64_t)number_of(a, "events_sent"),
      .stream = is_true(a, "stream_sent"),
      .terminal = is_true(a, "terminal_sent"),
      .left = left > 0 && !is_true(a, "complete"),
      .call = text_is(a, "class", "call")};
}

static void add_bar(struct timeline *t, const struct clockwork *c,
                    const cJSON *a)
{
  struct time_lane *lane = lane_find(t, detail_text(a, "lane"));
  if (!lane || number_of(a, "first_byte_ns") <= 0)
    return;
  if (lane->nbars == TIMELINE_BARS) {
    lane->left_out++;
    return;
  }
  struct time_bar *b = &lane->bars[lane->nbars++];
  *b = bar_of(c, a);
  add_events(b, c);
  b->silence_s = silence_of(b);
  lane->has_events |= b->nlist > 0;
}

static int by_time(const void *a, const void *b)
{
  const struct time_bar *x = a, *y = b;
  if (x->from_s < y->from_s || x->from_s > y->from_s)
    return x->from_s < y->from_s ? -1 : 1;
  return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Attempts that overlap stand below each other: the first row that is free. */
static void stack_bars(struct time_lane *lane)
{
  double free_from[TIMELINE_BARS] = {0};
  for (size_t i = 0; i < lane->nbars; i++) {
    struct time_bar *b = &lane->bars[i];
    while (b->row < lane->rows && free_from[b->row] > b->from_s)
      b->row++;
    if (b->row == lane->rows)
      lane->rows++;
    free_from[b->row] = b->until_s;
  }
}

static void add_waits(struct time_lane *lane)
{
  const struct time_bar *before = NULL;
  for (size_t i = 0; i < lane->nbars; i++) {
    const struct time_bar *b = &lane->bars[i];
    if (!b->call)
      continue;
    if (before && before->until_s < b->from_s)
      lane->waits[lane->nwaits++] =
          (struct time_wait){before->until_s, b->from_s, before->seq, b->seq};
    if (!before || b->until_s >= before->until_s)
      before = b;
  }
}

/* --- windows and starts --------------------------------------------------- */

/* The call that said it, and what came next in its lane. */
static struct time_lane *lane_of_seq(struct timeline *t, int64_t seq,
                                     const struct time_bar **ret_next)
{
  *ret_next = NULL;
  for (size_t i = 0; i < t->nlanes; i++)
    for (size_t k = 0; k < t->lanes[i].nbars; k++) {
      if (t->lanes[i].bars[k].seq != seq)
        continue;
      while (++k < t->lanes[i].nbars && !*ret_next)
        if (t->lanes[i].bars[k].call)
          *ret_next = &t->lanes[i].bars[k];
      return &t->lanes[i];
    }
  return NULL;
}

static void add_window(struct timeline *t, const struct clockwork *c,
                       const cJSON *w)
{
  const struct time_bar *next = NULL;
  int64_t seq = (int64_t)number_of(w, "seq");
  struct time_lane *lane = lane_of_seq(t, seq, &next);
  double until = 0; /* may be years away */
  if (!lane || lane->nwindows == lane->nbars ||
      !param_number(w, "until_ns", &until))
    return;
  lane->windows[lane->nwindows++] =
      (struct time_window){.from_s = seconds_of(c, number_of(w, "from_ns")),
                           .until_s = seconds_of(c, until),
                           .seq = seq};
  struct time_window *added = &lane->windows[lane->nwindows - 1];
  added->broken =
      next && next->from_s >= added->from_s && next->from_s < added->until_s;
}

static void add_start(struct timeline *t, const struct clockwork *c,
                      const cJSON *s)
{
  struct time_lane *lane = lane_find(t, detail_text(s, "lane"));
  double from = number_of(s, "start_ns"), until = number_of(s, "exit_ns");
  if (lane && lane->nstarts < TIMELINE_BARS && from > 0 && until >= from)
    lane->starts[lane->nstarts++] =
        (struct time_start){s, seconds_of(c, from), seconds_of(c, until)};
}

/* --- all of it ------------------------------------------------------------ */

/* From this part of the whole on, the time before the first request is left
 * out, but for some of it. */
#define LONG_START 0.25
#define KEPT_START 0.04
/* Windows may make the picture this much longer than what happened. */
#define MORE_FOR_WINDOWS 1.5

static double later(double a, double b)
{
  return a > b ? a : b;
}

static void measure_events(struct timeline *t)
{
  double first = -1, end = 0;
  for (size_t i = 0; i < t->nlanes; i++) {
    const struct time_lane *lane = &t->lanes[i];
    for (size_t k = 0; k < lane->nbars; k++) {
      end = later(end, lane->bars[k].until_s);
      if (first < 0 || lane->bars[k].from_s < first)
        first = lane->bars[k].from_s;
    }
    for (size_t k = 0; k < lane->nstarts; k++)
      end = later(end, lane->starts[k].until_s);
  }
  t->ended_s = later(end, 0.001); /* 1 ms: nothing is divided by 0 */
  if (first > LONG_START * t->ended_s)
    t->from_s = later(0, first - KEPT_START * t->ended_s);
}

static void measure(struct timeline *t)
{
  measure_events(t);
  double most = (t->ended_s - t->from_s) * (1 + MORE_FOR_WINDOWS) + t->from_s;
  t->until_s = t->ended_s;
  for (size_t i = 0; i < t->nlanes; i++)
    for (size_t k = 0; k < t->lanes[i].nwindows; k++) {
      double until = t->lanes[i].windows[k].until_s;
      if (until <= most)
        t->until_s = later(t->until_s, until);
    }
  for (size_t i = 0; i < t->nlanes; i++)
    for (size_t k = 0; k < t->lanes[i].nwindows; k++)
      t->lanes[i].windows[k].clipped =
          t->lanes[i].windows[k].until_s > t->until_s;
}

static void fill(struct timeline *t, const struct clockwork *c,
                 const cJSON *scenario)
{
  const cJSON *item = NULL;
  cJSON_ArrayForEach(item, param_node(scenario, "attempts"))
      add_bar(t, c, item);
  for (size_t i = 0; i < t->nlanes; i++) {
    struct time_lane *lane = &t->lanes[i];
    qsort(lane->bars, lane->nbars, sizeof *lane->bars, by_time);
    stack_bars(lane);
    add_waits(lane);
  }
  cJSON_ArrayForEach(item, param_node(scenario, "windows"))
      add_window(t, c, item);
  cJSON_ArrayForEach(item, param_node(scenario, "starts"))
      add_start(t, c, item);
  measure(t);
}

bool timeline_init(struct timeline *ret, const cJSON *scenario)
{
  struct clockwork c = {number_of(scenario, "start_ns")};
  const cJSON *attempts = param_node(scenario, "attempts");
  const cJSON *starts = param_node(scenario, "starts");
  size_t n =
      (size_t)cJSON_GetArraySize(attempts) + (size_t)cJSON_GetArraySize(starts);
  size_t max = n < TIMELINE_BARS ? n : TIMELINE_BARS;
  memset(ret, 0, sizeof *ret);
  if (c.zero_ns <= 0)
    return false;
  ret->lanes = mem_zalloc(TIMELINE_LANES * sizeof *ret->lanes);
  add_lanes(ret, starts, max);
  add_lanes(ret, attempts, max);
  fill(ret, &c, scenario);
  return ret->nlanes > 0;
}

void timeline_release(struct timeline *t)
{
  for (size_t i = 0; i < t->nlanes; i++) {
    for (size_t k = 0; k < t->lanes[i].nbars; k++)
      free(t->lanes[i].bars[k].list);
    free(t->lanes[i].bars);
    free(t->lanes[i].waits);
    free(t->lanes[i].windows);
    free(t->lanes[i].starts);
  }
  free(t->lanes);
  memset(t, 0, sizeof *t);
}
