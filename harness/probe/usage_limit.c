/* What the client does when a quota is used up for hours. */
#include "harness/probe/probe.h"
#include "harness/probe/trials.h"
#include "harness/probe/tries.h"

/* Probes lie further apart than any backoff begins. */
#define SPACED_S 5.0

static bool is_spaced(const struct sight *s)
{
  for (size_t i = 0; i + 1 < s->ncalls; i++)
    if (sight_gap(s, i) < SPACED_S)
      return false;
  return true;
}

/* NULL: none of the policy's words fits. */
static const char *word_of(const struct sight *s)
{
  struct tries t = tries_of(s);
  if (t.n == 1)
    return t.ended ? "stop" : "wait";
  return is_spaced(s) ? "probe" : NULL;
}

static const char key[] = "usage_limit";

static void measure(struct book *b, struct findings *f)
{
  const struct sight *s = want_class(b, CLASS_USAGE_LIMIT);
  if (!s)
    return;
  const char *word = s->why || s->total == 0 ? NULL : word_of(s);
  char *evidence = sight_sentence(s);
  if (s->why || s->total == 0) {
    take_nothing(f, "usage limit", mem_strdup(evidence));
    take_no_setting(f, key, mem_strdup(evidence));
  } else if (word) {
    take_value(f, "usage limit", mem_strdup(word), mem_strdup(evidence));
    take_setting(f, key, mem_format("\"%s\"", word), mem_strdup(evidence));
  } else {
    take_value(f, "usage limit", mem_strdup("taken for a burst limit"),
               mem_strdup(evidence));
    take_no_setting(f, key,
                    mem_format("asked again as after a burst limit, which is "
                               "none of stop, wait and probe: %s",
                               evidence));
  }
  free(evidence);
}

const struct probe probe_usage_limit = {
    "usage_limit", "what it does when a quota is used up for hours", measure};
