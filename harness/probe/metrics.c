/* The line of counters: there also when nothing went wrong, else a peaceful
 * night and a detection that matches nothing look alike. */
#include "harness/probe/baseline.h"
#include "harness/probe/metrics_line.h"
#include "harness/probe/probe.h"
#include "harness/probe/trials.h"

static const char what[] = "metrics line", key[] = "metrics_line";

/* Of either output of the last start. */
static char *find(const struct sight *s, char **ret_line)
{
  const struct sight_start *last = sight_last(s);
  if (!last)
    return NULL;
  char *pattern = metrics_pattern(last->err, ret_line);
  return pattern ? pattern : metrics_pattern(last->out, ret_line);
}

static void say_pattern(struct findings *f, char *pattern, char *line)
{
  struct buf json;
  buf_init(&json, (size_t)64 << 10);
  buf_add_json(&json, bytes_of(pattern));
  take_value(f, what, mem_strdup("there, at zero too"), mem_strdup(line));
  take_setting(f, key, buf_detach(&json),
               mem_format("suggested from the line of a plain 200: %s", line));
  free(line);
  free(pattern);
}

static void measure(struct book *b, struct findings *f)
{
  char *line = NULL, *pattern = NULL;
  const struct sight *calm = want_baseline(b);
  const struct sight *storm = want_class(b, CLASS_RATE_LIMIT);
  if (!calm || !storm)
    return;
  if ((pattern = find(calm, &line))) {
    say_pattern(f, pattern, line);
    return;
  }
  if ((pattern = find(storm, &line))) {
    take_value(f, what, mem_strdup("there, but after a 429 only"),
               mem_strdup(line));
    take_danger(f, HARM_SAYS_NOTHING, "baseline/metrics-line-at-zero",
                mem_strdup("its metrics line is not there when nothing "
                           "happened: silence and a dead detector look alike"));
    free(line);
    free(pattern);
  } else {
    take_value(f, what, mem_strdup("none"),
               mem_strdup("no line with two numbers by name, neither after a "
                          "200 nor after a 429"));
  }
  take_no_setting(f, key,
                  mem_strdup("no such line was written after a plain 200"));
}

const struct probe probe_metrics = {"metrics", "the line of counters it writes",
                                    measure};
