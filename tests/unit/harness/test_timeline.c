#include "base/buf.h"
#include "harness/report/timeline.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <string.h>

/* Times below are in ms from the start, which is at 5000 s. */
#define START "5000000000000"

static cJSON *scenario_of(const char *rest)
{
  char *text = mem_format("{\"start_ns\":" START ",%s}", rest);
  cJSON *o = cJSON_Parse(text);
  if (!o)
    fail_msg("bad JSON: %s", text);
  free(text);
  return o;
}

/* An attempt with times in ms; answer 0: none. */
static char *att(int seq, int from, int answer, int last, const char *more)
{
  char first[40] = "0", end[40] = "0";
  if (answer) {
    snprintf(first, sizeof first, "%d%03d000000", 5000 + answer / 1000,
             answer % 1000);
    snprintf(end, sizeof end, "%d%03d000000", 5000 + last / 1000, last % 1000);
  }
  return mem_format("{\"seq\":%d,\"class\":\"call\",\"lane\":\"\","
                    "\"first_byte_ns\":%d%03d000000,\"complete\":true,"
                    "\"answer_first_ns\":%s,\"answer_last_ns\":%s,"
                    "\"status\":200%s}",
                    seq, 5000 + from / 1000, from % 1000, first, end, more);
}

#define NEAR(a, b)                                                             \
  do {                                                                         \
    if (fabs((a) - (b)) > 1e-6)                                                \
      fail_msg("%s is %g, not %g", #a, (double)(a), (double)(b));              \
  } while (0)

static void a_lane_has_its_bars_and_the_waits_between_them(void **state)
{
  (void)state;
  struct timeline t;
  char *a = att(1, 10, 20, 30, ""), *b = att(2, 2030, 2040, 2050, "");
  char *text = mem_format("\"attempts\":[%s,%s]", b, a);
  cJSON *o = scenario_of(text);
  assert_true(timeline_init(&t, o));
  assert_int_equal(t.nlanes, 1);
  assert_int_equal(t.lanes[0].nbars, 2);
  assert_int_equal(t.lanes[0].bars[0].seq, 1);
  NEAR(t.lanes[0].bars[0].from_s, 0.010);
  NEAR(t.lanes[0].bars[0].first_s, 0.020);
  NEAR(t.lanes[0].bars[0].until_s, 0.030);
  assert_int_equal(t.lanes[0].nwaits, 1);
  NEAR(t.lanes[0].waits[0].from_s, 0.030);
  NEAR(t.lanes[0].waits[0].until_s, 2.030);
  NEAR(t.ended_s, 2.050);
  NEAR(t.from_s, 0);
  timeline_release(&t);
  cJSON_Delete(o);
  free(text);
  free(a);
  free(b);
}

static void calls_that_overlap_stand_below_each_other(void **state)
{
  (void)state;
  struct timeline t;
  char *a = att(1, 10, 20, 500, ""), *b = att(2, 100, 110, 300, ""),
       *c = att(3, 350, 360, 700, ""), *d = att(4, 600, 610, 620, "");
  char *text = mem_format("\"attempts\":[%s,%s,%s,%s]", a, b, c, d);
  cJSON *o = scenario_of(text);
  assert_true(timeline_init(&t, o));
  static const int rows[] = {0, 1, 1, 0};
  for (int i = 0; i < 4; i++)
    assert_int_equal(t.lanes[0].bars[i].row, rows[i]);
  assert_int_equal(t.lanes[0].rows, 2);
  assert_int_equal(t.lanes[0].nwaits, 0);
  timeline_release(&t);
  cJSON_Delete(o);
  free(text);
  free(a);
  free(b);
  free(c);
  free(d);
}

static void each_kind_of_attempt_has_its_look(void **state)
{
  (void)state;
  static const struct {
    const char *id, *more;
    enum bar_look look;
  } rows[] = {
      {"whole", "", BAR_GOOD},
      {"a fault of the script in a 200",
       ",\"injected\":true,\"delivered\":true", BAR_FAULT},
      {"a fault that was not sent", ",\"injected\":true,\"delivered\":false",
       BAR_GOOD},
      {"a stream to its end", ",\"stream_sent\":true,\"terminal_sent\":true",
       BAR_GOOD},
      {"a stream without its end", ",\"stream_sent\":true", BAR_CUT},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct timeline t;
    char *a = att(1, 10, 20, 30, rows[i].more);
    char *text = mem_format("\"attempts\":[%s]", a);
    cJSON *o = scenario_of(text);
    assert_true(timeline_init(&t, o));
    if (t.lanes[0].bars[0].look != rows[i].look)
      fail_msg("%s: look %d", rows[i].id, (int)t.lanes[0].bars[0].look);
    timeline_release(&t);
    cJSON_Delete(o);
    free(text);
    free(a);
  }
}

static void classes_and_states_decide_the_look_too(void **state)
{
  (void)state;
  static const struct {
    const char *id, *attempt;
    enum bar_look look;
    bool left;
  } rows[] = {
      {"side", "\"class\":\"side\",\"complete\":true", BAR_SIDE, false},
      {"refused", "\"class\":\"refused\"", BAR_REFUSED, false},
      {"handshake", "\"class\":\"handshake\"", BAR_HANDSHAKE, false},
      {"error status", "\"class\":\"call\",\"complete\":true,\"status\":529",
       BAR_FAULT, false},
      {"no answer", "\"class\":\"call\",\"complete\":false", BAR_CUT, false},
      {"the client left",
       "\"class\":\"call\",\"complete\":false,\"client_left_ns\":"
       "5003000000000",
       BAR_CUT, true},
      {"left behind a whole answer",
       "\"class\":\"call\",\"complete\":true,\"client_left_ns\":5003000000000",
       BAR_GOOD, false},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct timeline t;
    char *text = mem_format("\"attempts\":[{\"seq\":1,\"lane\":\"\","
                            "\"first_byte_ns\":5001000000000,%s}]",
                            rows[i].attempt);
    cJSON *o = scenario_of(text);
    assert_true(timeline_init(&t, o));
    const struct time_bar *b = &t.lanes[0].bars[0];
    if (b->look != rows[i].look || b->left != rows[i].left)
      fail_msg("%s: look %d, left %d", rows[i].id, (int)b->look, b->left);
    NEAR(b->until_s, rows[i].left                      ? 3
                     : strstr(rows[i].attempt, "left") ? 3
                                                       : 1);
    timeline_release(&t);
    cJSON_Delete(o);
    free(text);
  }
}

/* One 429 that asks for `until`, and a call 2 s after the start. */
static void with_window(const char *until, struct timeline *ret, cJSON **ret_o)
{
  char *a = att(1, 10, 20, 30, ""), *b = att(2, 2000, 2010, 2100, "");
  char *text = mem_format("\"attempts\":[%s,%s],\"windows\":[{\"seq\":1,"
                          "\"from_ns\":5000030000000,\"until_ns\":%s}]",
                          a, b, until);
  *ret_o = scenario_of(text);
  assert_true(timeline_init(ret, *ret_o));
  free(text);
  free(a);
  free(b);
}

static void a_window_is_broken_by_a_call_inside_it(void **state)
{
  (void)state;
  static const struct {
    const char *id, *until;
    bool broken, clipped;
    double axis_s;
  } rows[] = {
      {"over just before", "5001999000000", false, false, 2.1},
      {"over at that moment", "5002000000000", false, false, 2.1},
      {"over just after", "5002001000000", true, false, 2.1},
      {"a bit longer than the run", "5003000000000", true, false, 3.0},
      {"much longer than the run", "5099000000000", true, true, 2.1},
      {"a hundred years", "3159000000000000000", true, true, 2.1},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct timeline t;
    cJSON *o = NULL;
    with_window(rows[i].until, &t, &o);
    assert_int_equal(t.lanes[0].nwindows, 1);
    const struct time_window *w = &t.lanes[0].windows[0];
    if (w->broken != rows[i].broken || w->clipped != rows[i].clipped)
      fail_msg("%s: broken %d, clipped %d", rows[i].id, w->broken, w->clipped);
    NEAR(t.until_s, rows[i].axis_s);
    timeline_release(&t);
    cJSON_Delete(o);
  }
}

static void a_slow_start_is_left_out_of_the_picture(void **state)
{
  (void)state;
  struct timeline t;
  char *a = att(1, 9000, 9010, 9020, "");
  char *text = mem_format("\"attempts\":[%s],\"starts\":[{\"lane\":\"\","
                          "\"start_ns\":" START ",\"exit_ns\":5010000000000}]",
                          a);
  cJSON *o = scenario_of(text);
  assert_true(timeline_init(&t, o));
  NEAR(t.ended_s, 10);
  NEAR(t.from_s, 8.6);
  assert_int_equal(t.lanes[0].nstarts, 1);
  timeline_release(&t);
  cJSON_Delete(o);
  free(text);
  free(a);
}

static void without_times_there_is_no_picture(void **state)
{
  (void)state;
  static const char *const texts[] = {
      "{}", "[]", "{\"start_ns\":0,\"attempts\":[]}",
      "{\"start_ns\":5,\"attempts\":[],\"starts\":[]}",
      "{\"start_ns\":\"5\",\"attempts\":[{}]}"};
  for (size_t i = 0; i < COUNT(texts); i++) {
    struct timeline t;
    cJSON *o = cJSON_Parse(texts[i]);
    if (timeline_init(&t, o))
      fail_msg("%s: a picture", texts[i]);
    timeline_release(&t);
    cJSON_Delete(o);
  }
}

static void what_is_too_much_is_counted(void **state)
{
  (void)state;
  struct timeline t;
  struct buf b;
  buf_init(&b, (size_t)1 << 20);
  buf_adds(&b, "\"attempts\":[");
  for (int i = 0; i < TIMELINE_BARS + 7; i++)
    buf_addf(&b, "%s{\"seq\":%d,\"lane\":\"a\",\"first_byte_ns\":50010%08d}",
             i ? "," : "", i + 1, i);
  for (int i = 0; i < TIMELINE_LANES + 3; i++)
    buf_addf(&b, ",{\"seq\":%d,\"lane\":\"x%d\",\"first_byte_ns\":1}", i, i);
  buf_adds(&b, "]");
  cJSON *o = scenario_of(buf_str(&b));
  assert_true(timeline_init(&t, o));
  assert_int_equal(t.nlanes, TIMELINE_LANES);
  assert_int_equal(t.left_out, 4);
  assert_int_equal(t.lanes[0].nbars, TIMELINE_BARS);
  assert_int_equal(t.lanes[0].left_out, 7);
  timeline_release(&t);
  cJSON_Delete(o);
  buf_release(&b);
}

static void events_stand_at_their_times(void **state)
{
  (void)state;
  struct timeline t;
  char *a = att(1, 10, 20, 3000,
                ",\"stream_sent\":true,\"events_sent\":4,\"events\":[[0,\"c\"],"
                "[5000000,\"p\"],[2005000000,\"e\"],[2980000000,\"t\"]]");
  char *text = mem_format("\"attempts\":[%s]", a);
  cJSON *o = scenario_of(text);
  assert_true(timeline_init(&t, o));
  const struct time_bar *b = &t.lanes[0].bars[0];
  static const double at[] = {.020, .025, 2.025, 3.0};
  assert_int_equal(b->nlist, 4);
  for (int i = 0; i < 4; i++) {
    NEAR(b->list[i].at_s, at[i]);
    assert_int_equal(b->list[i].look, LOOK_CONTENT + i);
  }
  NEAR(b->silence_s, 2.0);
  assert_true(t.lanes[0].has_events);
  timeline_release(&t);
  cJSON_Delete(o);
  free(text);
  free(a);
}

static void
a_silence_behind_the_last_event_counts_if_it_is_the_last(void **state)
{
  (void)state;
  static const struct {
    int sent;
    double want;
  } rows[] = {{2, 3.5}, {3, .5}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct timeline t;
    char *more = mem_format(",\"events_sent\":%d,\"complete\":false,"
                            "\"client_left_ns\":5004020000000,\"events\":"
                            "[[0,\"c\"],[500000000,\"c\"]]",
                            rows[i].sent);
    char *text = mem_format("\"attempts\":[{\"seq\":1,\"lane\":\"\",\"class\":"
                            "\"call\",\"first_byte_ns\":5000010000000,"
                            "\"answer_first_ns\":5000020000000%s}]",
                            more);
    cJSON *o = scenario_of(text);
    assert_true(timeline_init(&t, o));
    NEAR(t.lanes[0].bars[0].silence_s, rows[i].want);
    timeline_release(&t);
    cJSON_Delete(o);
    free(text);
    free(more);
  }
}

/* A report may hold anything. */
static void events_end_at_the_first_that_is_none(void **state)
{
  (void)state;
  static const struct {
    const char *id, *events;
    size_t n;
  } rows[] = {{"none", "[]", 0},
              {"no list", "{\"a\":[1,\"c\"]}", 0},
              {"no pair", "[[1,\"c\"],7]", 1},
              {"no number", "[[\"1\",\"c\"]]", 0},
              {"negative", "[[-1,\"c\"]]", 0},
              {"too large", "[[1e300,\"c\"]]", 0},
              {"no letter", "[[1,\"\"]]", 0},
              {"another letter", "[[1,\"x\"]]", 0},
              {"two letters", "[[1,\"cp\"]]", 0},
              {"back in time", "[[5,\"c\"],[4,\"c\"],[6,\"c\"]]", 1}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct timeline t;
    char *more = mem_format(",\"events\":%s", rows[i].events);
    char *a = att(1, 10, 20, 30, more);
    char *text = mem_format("\"attempts\":[%s]", a);
    cJSON *o = scenario_of(text);
    assert_true(timeline_init(&t, o));
    if (t.lanes[0].bars[0].nlist != rows[i].n)
      fail_msg("%s: %zu events", rows[i].id, t.lanes[0].bars[0].nlist);
    timeline_release(&t);
    cJSON_Delete(o);
    free(text);
    free(a);
    free(more);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_lane_has_its_bars_and_the_waits_between_them),
      cmocka_unit_test(calls_that_overlap_stand_below_each_other),
      cmocka_unit_test(each_kind_of_attempt_has_its_look),
      cmocka_unit_test(classes_and_states_decide_the_look_too),
      cmocka_unit_test(a_window_is_broken_by_a_call_inside_it),
      cmocka_unit_test(a_slow_start_is_left_out_of_the_picture),
      cmocka_unit_test(without_times_there_is_no_picture),
      cmocka_unit_test(what_is_too_much_is_counted),
      cmocka_unit_test(events_stand_at_their_times),
      cmocka_unit_test(
          a_silence_behind_the_last_event_counts_if_it_is_the_last),
      cmocka_unit_test(events_end_at_the_first_that_is_none),
  };
  return cmocka_run_group_tests_name("timeline", tests, NULL, NULL);
}
