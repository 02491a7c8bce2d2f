/*
 * The picture of one scenario: inline SVG in units of a pixel at full width.
 * A lane has, from top to bottom: labels, a bar per attempt, the waits, the
 * client's own life. Behind them the windows of retry-after.
 */
#include "harness/report/html_part.h"

#include "base/param.h"
#include "harness/report/detail.h"
#include "harness/report/escape_html.h"
#include "harness/report/html_events.h"
#include "harness/report/timeline.h"

#include <math.h>
#include <string.h>

/* Sizes in units; the font is monospaced, 11 units high, so a text's width is
 * known: 0.62 em a character at the widest of the usual fonts. */
enum {
  WIDTH = 960,
  LEFT = 8,
  RIGHT = 952,
  TEXT_HEIGHT = 14,
  ROW_HEIGHT = 16,
  WAIT_HEIGHT = 26,
  WINDOW_HEIGHT = 16,
  START_HEIGHT = 20,
  LANE_SPACE = 12,
  AXIS_HEIGHT = 26
};
#define CHARACTER 6.9
#define GAP 8.0

struct pen {
  struct buf *out;
  double from_s; /* at the left side */
  double scale;  /* units per second */
  double y;      /* top of what comes next */
};

static double at(const struct pen *p, double seconds)
{
  double x = LEFT + (seconds - p->from_s) * p->scale;
  return x > RIGHT ? RIGHT : x < LEFT ? LEFT : x;
}

/* One line of texts of which none may touch another. */
struct shelf {
  double free_from;
};

static double width_of(const char *text)
{
  return (double)strlen(text) * CHARACTER;
}

/* Takes the room for `text` at x, or left of it at the right side. */
static bool reserve(struct shelf *shelf, double *x, const char *text)
{
  double w = width_of(text);
  if (*x + w > RIGHT)
    *x = RIGHT - w;
  if (*x < shelf->free_from)
    return false;
  shelf->free_from = *x + w + GAP;
  return true;
}

/* Writes `text`, which is ours, near x if there is room on the shelf. */
static bool put_text(const struct pen *p, struct shelf *shelf, double x,
                     double baseline, const char *text)
{
  if (!reserve(shelf, &x, text))
    return false;
  buf_addf(p->out, "<text x=\"%.1f\" y=\"%.1f\">%s</text>", x, baseline, text);
  return true;
}

static const char *const look_classes[NBAR_LOOKS] = {
    [BAR_GOOD] = "g", [BAR_FAULT] = "f",   [BAR_CUT] = "c",
    [BAR_SIDE] = "s", [BAR_REFUSED] = "r", [BAR_HANDSHAKE] = "h"};

/* --- bars ----------------------------------------------------------------- */

static double row_height(const struct time_lane *lane)
{
  return lane->rows <= 6 ? ROW_HEIGHT : lane->rows <= 20 ? 9 : 5;
}

/* Below each bar, when there is room for what can be told apart. */
static double strip_height(const struct time_lane *lane)
{
  return lane->has_events && row_height(lane) >= ROW_HEIGHT ? EVENT_STRIP : 0;
}

static void add_stream_tip(const struct pen *p, const struct time_bar *b)
{
  buf_addf(p->out, "\n%lld stream events, %s", (long long)b->events,
           b->terminal ? "terminal event sent" : "no terminal event");
  if (b->nlist) {
    buf_adds(p->out, ", longest silence ");
    html_seconds(b->silence_s, p->out);
  }
  if (b->nlist && b->events > (int64_t)b->nlist)
    buf_addf(p->out, " (of the first %zu)", b->nlist);
}

static void add_tip(const struct pen *p, const struct time_bar *b)
{
  buf_addf(p->out, "<title>#%lld ", (long long)b->seq);
  escape_html(p->out, detail_text(b->attempt, "method"));
  buf_addc(p->out, ' ');
  escape_html(p->out, detail_text(b->attempt, "target"));
  buf_adds(p->out, " -&gt; ");
  escape_html(p->out, detail_text(b->attempt, "what"));
  if (detail_text(b->attempt, "retry_after")[0]) {
    buf_adds(p->out, ", retry-after: ");
    escape_html(p->out, detail_text(b->attempt, "retry_after"));
  }
  buf_addf(p->out, "\nrequest at %.3f s", b->from_s);
  if (b->first_s >= 0)
    buf_addf(p->out, ", first byte at %.3f s", b->first_s);
  buf_addf(p->out, ", over at %.3f s", b->until_s);
  if (b->stream)
    add_stream_tip(p, b);
  if (b->left)
    buf_adds(p->out, "\nthe client left");
  buf_adds(p->out, "</title>");
}

/* The torn end of an answer that broke off. */
static void add_tear(const struct pen *p, double x, double y, double h)
{
  buf_addf(p->out,
           "<path class=\"tear\" d=\"M%.1f %.1fl3 %.1fl-6 %.1fl6 %.1fl-3 "
           "%.1f\"/>",
           x, y - 2, h / 4 + 1, h / 4 + 1, h / 4 + 1, h / 4 + 1);
}

static void add_events(const struct pen *p, const struct time_bar *b, double y)
{
  struct event_place place = {LEFT, RIGHT, p->from_s, p->scale, y};
  html_events(b, &place, p->out);
}

static void add_bar(const struct pen *p, const struct time_lane *lane,
                    const struct time_bar *b)
{
  double h = row_height(lane), strip = strip_height(lane);
  double y = p->y + b->row * (h + strip), x = at(p, b->from_s),
         end = at(p, b->until_s);
  double first = b->first_s >= 0 ? at(p, b->first_s) : end;
  double w = end - x > 3 ? end - x : 3; /* 3 units can be seen and hit */
  double thick = h > 6 ? h - 3 : h - 1;
  if (x + w > RIGHT + 3)
    x = RIGHT + 3 - w;
  buf_addf(p->out, "<g class=\"b %s\">", look_classes[b->look]);
  add_tip(p, b);
  buf_addf(p->out,
           "<rect class=\"w\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
           "height=\"%.1f\" rx=\"1.5\"/>",
           x, y, w, thick);
  if (first < end - 0.5 || w <= 3)
    buf_addf(p->out,
             "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
             "rx=\"1.5\"/>",
             w <= 3 ? x : first, y, w <= 3 ? w : end - first, thick);
  if (b->look == BAR_CUT)
    add_tear(p, x + w, y, thick);
  if (b->left)
    buf_addf(p->out, "<path class=\"left\" d=\"M%.1f %.1fv%.1f\"/>", x + w,
             y - 2, thick + 4);
  if (strip > 0)
    add_events(p, b, y + thick + 2);
  buf_adds(p->out, "</g>");
}

static void label_of(const struct time_bar *b, char *ret, size_t size)
{
  int n = snprintf(ret, size, "#%lld", (long long)b->seq);
  if (b->status > 0)
    n += snprintf(ret + n, size - (size_t)n, " %d", b->status);
  if (b->stream && b->look == BAR_CUT)
    n += snprintf(ret + n, size - (size_t)n, " cut at %lld",
                  (long long)b->events);
  if (b->left)
    snprintf(ret + n, size - (size_t)n, " left");
}

/* One shelf if all labels fit there, else two and what still fits. */
static int shelves_of(const struct pen *p, const struct time_lane *lane)
{
  struct shelf shelf = {LEFT};
  char text[96];
  for (size_t i = 0; i < lane->nbars; i++) {
    double x = at(p, lane->bars[i].from_s);
    label_of(&lane->bars[i], text, sizeof text);
    if (!reserve(&shelf, &x, text))
      return 2;
  }
  return 1;
}

static void add_labels(struct pen *p, const struct time_lane *lane)
{
  struct shelf shelves[2] = {{LEFT}, {LEFT}};
  char text[96];
  int n = shelves_of(p, lane);
  for (size_t i = 0; i < lane->nbars; i++) {
    label_of(&lane->bars[i], text, sizeof text);
    for (int k = n - 1; k >= 0; k--)
      if (put_text(p, &shelves[k], at(p, lane->bars[i].from_s),
                   p->y + TEXT_HEIGHT * (k + 1) - 4, text))
        break;
  }
  p->y += TEXT_HEIGHT * n;
}

/* --- waits and windows ---------------------------------------------------- */

static void format_seconds(double s, char *ret, size_t size)
{
  struct buf b;
  buf_init(&b, size - 1);
  html_seconds(s, &b);
  snprintf(ret, size, "%s", buf_str(&b));
  buf_release(&b);
}

static void add_wait(const struct pen *p, const struct time_wait *w,
                     struct shelf *shelf)
{
  double x = at(p, w->from_s), end = at(p, w->until_s), y = p->y + 8;
  char text[64];
  if (end - x < 8) /* the strokes at both ends would touch */
    return;
  buf_addf(p->out, "<path class=\"wait\" d=\"M%.1f %.1fv6m0 -3H%.1fm0 -3v6\"/>",
           x, y - 3, end);
  format_seconds(w->until_s - w->from_s, text, sizeof text);
  if (width_of(text) <= end - x)
    put_text(p, shelf, (x + end - width_of(text)) / 2, p->y + 21, text);
}

static void add_waits(struct pen *p, const struct time_lane *lane)
{
  struct shelf shelf = {LEFT};
  if (lane->nwaits == 0)
    return;
  for (size_t i = 0; i < lane->nwaits; i++)
    add_wait(p, &lane->waits[i], &shelf);
  p->y += WAIT_HEIGHT;
}

/* Under the waits: how long to stay away. */
static void add_window_texts(struct pen *p, const struct time_lane *lane)
{
  struct shelf shelf = {LEFT};
  char text[64], length[32];
  if (lane->nwindows == 0)
    return;
  for (size_t i = 0; i < lane->nwindows; i++) {
    const struct time_window *w = &lane->windows[i];
    format_seconds(w->until_s - w->from_s, length, sizeof length);
    snprintf(text, sizeof text, "asked to wait %s", length);
    put_text(p, &shelf, at(p, w->from_s) + 3, p->y + 10, text);
  }
  p->y += WINDOW_HEIGHT;
}

static void add_window(const struct pen *p, const struct time_window *w,
                       double height)
{
  double x = at(p, w->from_s), end = at(p, w->until_s);
  buf_addf(p->out, "<g class=\"win%s\"><title>#%lld: stay away for ",
           w->broken ? " broken" : "", (long long)w->seq);
  html_seconds(w->until_s - w->from_s, p->out);
  buf_addf(p->out,
           "%s</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
           "height=\"%.1f\"/></g>",
           w->broken ? "; the next call came before that" : "", x, p->y - 2,
           end - x > 1 ? end - x : 1, height);
}

/* --- the client's own life ------------------------------------------------ */

static void start_text(const cJSON *s, char *ret, size_t size)
{
  double code = 0, signal = 0;
  bool timed_out = false, launched = true;
  const char *state = "";
  param_number(s, "exit_code", &code);
  param_number(s, "signal", &signal);
  param_bool(s, "timed_out", &timed_out);
  param_bool(s, "launched", &launched);
  param_string(param_node(s, "metrics"), "state", &state);
  if (!launched)
    snprintf(ret, size, "not started");
  else if (param_has(s, "stalled_in"))
    snprintf(ret, size, "waits for ever");
  else if (timed_out)
    snprintf(ret, size, "ended at %s",
             param_has(s, "ended_by") ? "the run's limit" : "its limit");
  else if (signal > 0)
    snprintf(ret, size, "killed by signal %.0f", signal);
  else
    snprintf(ret, size, "exit %.0f", code);
  /* The client's own words; only those of a breaker are ours to draw. */
  static const char *const states[] = {"open", "closed", "half_open",
                                       "half-open"};
  size_t n = strlen(ret);
  for (size_t i = 0; i < sizeof states / sizeof *states; i++)
    if (strcmp(state, states[i]) == 0)
      snprintf(ret + n, size - n, ", breaker %s", state);
}

static void add_starts(struct pen *p, const struct time_lane *lane)
{
  struct shelf shelf = {LEFT};
  char how[96], text[192], length[64];
  for (size_t i = 0; i < lane->nstarts; i++) {
    const struct time_start *s = &lane->starts[i];
    double x = at(p, s->from_s), end = at(p, s->until_s);
    start_text(s->start, how, sizeof how);
    format_seconds(s->until_s - s->from_s, length, sizeof length);
    snprintf(text, sizeof text, "client: %s after %s", how, length);
    buf_addf(p->out,
             "<g class=\"life\"><title>%s</title><rect x=\"%.1f\" y=\"%.1f\" "
             "width=\"%.1f\" height=\"4\"/></g>",
             text, x, p->y + 2, end - x > 4 ? end - x - 2 : 2);
    put_text(p, &shelf, x, p->y + 17, text);
  }
  if (lane->nstarts > 0)
    p->y += START_HEIGHT;
}

/* --- a lane, the axis, all ------------------------------------------------ */

static double lane_height(const struct pen *p, const struct time_lane *lane,
                          bool named)
{
  return (named ? TEXT_HEIGHT + 2 : 0) + TEXT_HEIGHT * shelves_of(p, lane) +
         lane->rows * (row_height(lane) + strip_height(lane)) +
         (lane->nwaits ? WAIT_HEIGHT : 0) +
         (lane->nwindows ? WINDOW_HEIGHT : 0) +
         (lane->nstarts ? START_HEIGHT : 0) + LANE_SPACE;
}

static void add_lane(struct pen *p, const struct time_lane *lane, bool named)
{
  double bars = lane->rows * (row_height(lane) + strip_height(lane));
  if (named) {
    buf_addf(p->out, "<text class=\"lane\" x=\"%d\" y=\"%.1f\">lane ", LEFT,
             p->y + 11);
    escape_html(p->out, lane->name[0] ? lane->name : "(none)");
    buf_adds(p->out, "</text>");
    p->y += TEXT_HEIGHT + 2;
  }
  add_labels(p, lane);
  for (size_t i = 0; i < lane->nwindows; i++)
    add_window(p, &lane->windows[i],
               bars + (lane->nwaits ? WAIT_HEIGHT : 0) + WINDOW_HEIGHT);
  for (size_t i = 0; i < lane->nbars; i++)
    add_bar(p, lane, &lane->bars[i]);
  p->y += bars;
  add_waits(p, lane);
  add_window_texts(p, lane);
  add_starts(p, lane);
  p->y += LANE_SPACE;
}

/* 1, 2 or 5 times a power of ten, at most ten of them on the axis. */
static double tick_of(double seconds)
{
  double base = pow(10, floor(log10(seconds / 10)));
  for (int i = 0; i < 3; i++) {
    static const double steps[] = {1, 2, 5};
    if (seconds / (base * steps[i]) <= 10)
      return base * steps[i];
  }
  return base * 10;
}

static void add_axis(const struct pen *p, const struct timeline *t,
                     double height)
{
  double tick = tick_of(t->until_s - t->from_s);
  double first = ceil(t->from_s / tick - 1e-9);
  struct shelf shelf = {0};
  char text[64];
  for (int i = 0; i <= 10 && (first + i) * tick <= t->until_s * 1.0001; i++) {
    double s = (first + i) * tick, x = at(p, s);
    buf_addf(p->out, "<path class=\"grid\" d=\"M%.1f 0V%.1f\"/>", x,
             height - 16);
    snprintf(text, sizeof text, "%.6g s", round(s * 1e6) / 1e6);
    put_text(p, &shelf, x, height - 4, text);
  }
}

static size_t count_bars(const struct timeline *t)
{
  size_t n = 0;
  for (size_t i = 0; i < t->nlanes; i++)
    n += t->lanes[i].nbars + t->lanes[i].left_out;
  return n;
}

static void add_svg(const struct timeline *t, struct buf *out)
{
  struct pen p = {out, t->from_s, (RIGHT - LEFT) / (t->until_s - t->from_s), 0};
  double height = AXIS_HEIGHT;
  bool named = t->nlanes > 1 || t->lanes[0].name[0];
  for (size_t i = 0; i < t->nlanes; i++)
    height += lane_height(&p, &t->lanes[i], named);
  buf_addf(out,
           "<svg viewBox=\"0 0 %d %.0f\" role=\"img\"><title>%zu requests in "
           "%zu lanes over ",
           WIDTH, height, count_bars(t), t->nlanes);
  html_seconds(t->ended_s, out);
  buf_adds(out, "; the transcript says the same in words</title>");
  add_axis(&p, t, height);
  for (size_t i = 0; i < t->nlanes; i++)
    add_lane(&p, &t->lanes[i], named);
  buf_adds(out, "</svg>");
}

static void add_left_out(const struct timeline *t, struct buf *out)
{
  size_t bars = 0;
  for (size_t i = 0; i < t->nlanes; i++)
    bars += t->lanes[i].left_out;
  if (bars || t->left_out)
    buf_addf(out,
             "<p class=\"note\">Not drawn: %zu requests of these lanes and "
             "%zu entries of other lanes.</p>",
             bars, t->left_out);
}

void html_timeline(const cJSON *scenario, struct buf *out)
{
  struct timeline t;
  if (timeline_init(&t, scenario)) {
    buf_adds(out, "<figure><div class=\"scroll\" tabindex=\"0\" "
                  "role=\"group\" aria-label=\"timeline\">");
    add_svg(&t, out);
    buf_adds(out, "</div>");
    add_left_out(&t, out);
    buf_adds(out, "</figure>\n");
  }
  timeline_release(&t);
}
