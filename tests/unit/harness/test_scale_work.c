/* Does scaling take twice the work for twice the steps? The sources of
 * harness/scale are in this program once more, built to count each branch
 * they take (-fsanitize-coverage=trace-pc): a number that no load of the
 * machine changes. */
#include "tests/unit/unit.h"

#include "harness/policy.h"
#include "harness/scale/scale.h"

#include "base/json.h"

#include <string.h>

static uint64_t work;
void __sanitizer_cov_trace_pc(void);

/* Called by the code that is counted. */
void __sanitizer_cov_trace_pc(void)
{
  work++;
}

/* One piece of a scenario, again and again; `%d` in it is its number. */
static const struct row {
  const char *id, *steps, *expect;
  bool divided; /* else a reason is found */
} rows[] = {
    {"told", "{\"fault\":\"rate_limit\",\"retry_after\":\"60\"}", NULL, true},
    {"each another", "{\"fault\":\"rate_limit\",\"retry_after\":\"%d0\"}", NULL,
     false},
    {"done", "{\"reply\":\"message\",\"delay_ms\":60000}", NULL, true},
    {"events of one answer",
     "{\"reply\":\"message\",\"stream\":true,\"pauses\":[[\"body\",60000],"
     "[\"end\",60000]]}",
     NULL, true},
    {"expectations", "{\"fault\":\"rate_limit\",\"retry_after\":\"60\"}",
     "{\"check\":\"gap\",\"at_least\":\"retry_after\",\"at_most\":%d99}", true},
    {"figures in texts", "{\"fault\":\"rate_limit\",\"retry_after\":\"60\"}",
     "{\"check\":\"gap\",\"at_least\":2},{\"check\":\"output\",\"contains\":"
     "\"7%d7 8%d8\"}",
     true},
    {"a figure that is told",
     "{\"fault\":\"rate_limit\",\"retry_after\":\"%d0\"}",
     "{\"check\":\"output\",\"contains\":\"wait %d1\"}", false},
    {"kept", "{\"fault\":\"rate_limit\",\"retry_after\":\"60\"}",
     "{\"check\":\"attempts\",\"at_most\":1}", false},
};

static void add_list(struct buf *b, const char *one, int n)
{
  for (int i = 0; i < n; i++) {
    const char *p = one;
    buf_adds(b, i ? ",\n" : "");
    for (const char *at; (at = strstr(p, "%d")) != NULL; p = at + 2) {
      buf_add(b, p, (size_t)(at - p));
      buf_addf(b, "%d", i + 10);
    }
    buf_adds(b, p);
  }
}

static void text_of(const struct row *r, int n, struct buf *ret)
{
  buf_init(ret, JSON_MAX_BYTES);
  buf_adds(ret, "{\"name\":\"n\",\"why\":\"w\",\"provider\":\"anthropic\","
                "\"client\":{\"limit_s\":80000},\"steps\":[\n");
  add_list(ret, r->steps, n);
  buf_adds(ret, ",\n{\"reply\":\"message\"}],\"expect\":[\n");
  if (r->expect)
    add_list(ret, r->expect, n);
  else
    buf_adds(ret, "{\"check\":\"gap\",\"at_least\":2}");
  buf_adds(ret, "]}");
}

static uint64_t work_for(const struct row *r, int n)
{
  struct scenario scenario;
  struct spec spec;
  struct scaled s;
  struct diag diag = {0};
  struct scale_options o = {.real_limit_s = 86400};
  struct buf text;
  text_of(r, n, &text);
  if (scenario_parse(&scenario, "s.json", buf_bytes(&text), &diag) < 0 ||
      spec_load(&spec, &scenario, &diag) < 0)
    fail_msg("%s: %s", r->id, diag.text);
  work = 0;
  scale_scenario(&s, &scenario, &spec, &o);
  uint64_t took = work;
  if (r->divided && !(s.k > 1))
    fail_msg("%s: it is not divided: %s", r->id,
             s.json ? cJSON_PrintUnformatted(s.json) : "");
  scaled_release(&s);
  spec_release(&spec);
  scenario_release(&scenario);
  buf_release(&text);
  return took;
}

/* n log n: four times the steps are a little more than four times the work,
 * and sixteen times when each looks at all the others. */
static void
four_times_the_steps_are_no_more_than_six_times_the_work(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    uint64_t some = work_for(&rows[i], 500), many = work_for(&rows[i], 2000);
    print_message("%s: %.1f and %.1f branches a step\n", rows[i].id,
                  (double)some / 500, (double)many / 2000);
    if (some < 500 * 50)
      fail_msg("%s: nothing is counted", rows[i].id);
    if (many > 6 * some)
      fail_msg("%s: %llu for 500, %llu for 2000", rows[i].id,
               (unsigned long long)some, (unsigned long long)many);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(
          four_times_the_steps_are_no_more_than_six_times_the_work),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
