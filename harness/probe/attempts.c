/* How often each error class is asked again, and how the client ends. */
#include "harness/probe/probe.h"
#include "harness/probe/trials.h"
#include "harness/probe/tries.h"

static const char *scenario_for(enum error_class c)
{
  switch (c) {
  case CLASS_BAD_REQUEST:
  case CLASS_TOO_LARGE:
  case CLASS_UNPROCESSABLE:
  case CLASS_NOT_FOUND:
    return "auth/400-not-retried";
  case CLASS_AUTH:
  case CLASS_PERMISSION:
    return "auth/401-not-retried";
  case CLASS_USAGE_LIMIT:
    return "usage-limit/reset-hours-away";
  case CLASS_QUOTA:
    return "usage-limit/openai-insufficient-quota";
  case CLASS_RATE_LIMIT:
    return "rate-limit/429-no-retry-after";
  case CLASS_RESET:
    return "timeout/reset-then-success";
  default:
    return "overload/server-error-every-time";
  }
}

static void judge_retryable(struct findings *f, enum error_class c,
                            const struct tries *t)
{
  if (!t->ended && t->n >= HAMMERS)
    take_case(f, HARM_NEVER_ENDS, scenario_for(c),
              "it asks again and again, no end was seen", class_name(c));
  else if (t->n > 1 && t->fast)
    take_case(f, HARM_ATTACKS, scenario_for(c),
              "it asks again at once, without any wait", class_name(c));
  else if (t->n == 1 && t->ended)
    take_case(f, HARM_GIVES_UP, scenario_for(c),
              "what passes by itself is not asked again", class_name(c));
}

static void judge_final(struct findings *f, enum error_class c,
                        const struct tries *t)
{
  char *what = mem_format("%s (%zu times%s)", class_name(c), t->n,
                          t->ended ? "" : " or more");
  if (t->n > 1)
    take_case(f, HARM_WASTES, scenario_for(c),
              "what cannot pass by itself is asked again", what);
  free(what);
}

static void judge(struct findings *f, enum error_class c, const struct tries *t)
{
  if (t->ended && t->code == 0 && !t->sig)
    take_case(f, HARM_WRONG_RESULT, scenario_for(c),
              "an error ends with exit code 0, as a success does",
              class_name(c));
  if (class_is_retried(c))
    judge_retryable(f, c, t);
  else
    judge_final(f, c, t);
}

/* The policy's number is that of the class with the most attempts, of those
 * whose end was seen. */
static void set_attempts(struct findings *f, size_t most,
                         const struct sight *seen, const char *name)
{
  if (most == 0) {
    take_no_setting(f, "attempts",
                    mem_strdup("no class that may be asked again was seen to "
                               "its end within the limit"));
    return;
  }
  char *evidence = sight_sentence(seen);
  take_setting(f, "attempts", mem_format("%zu", most),
               mem_format("%s: %s", name, evidence));
  free(evidence);
}

static void say(struct findings *f, const char *what, const struct sight *s)
{
  struct tries t = tries_of(s);
  char *name = mem_format("attempts: %s", what);
  if (s->why)
    take_nothing(f, name, mem_strdup(s->why));
  else if (s->total == 0)
    take_nothing(f, name, mem_strdup("it made no request"));
  else
    take_value(f, name, tries_text(&t), sight_sentence(s));
  free(name);
}

/* The trial that shows the end: without a wait named, else with one. */
static const struct sight *choose(struct book *b, enum error_class c)
{
  const struct sight *s = want_class(b, c);
  if (!s || s->why || !class_is_retried(c))
    return s;
  struct tries t = tries_of(s);
  if (t.ended || t.n < 2)
    return s;
  const struct sight *hinted = want_hinted(b, c);
  if (!hinted)
    return NULL;
  return hinted->why || tries_of(hinted).n < t.n ? s : hinted;
}

static void measure(struct book *b, struct findings *f)
{
  size_t most = 0;
  const struct sight *best = NULL;
  const char *name = NULL;
  for (enum error_class c = 0; c < NCLASSES; c++) {
    if (!class_exists(&b->face, c))
      continue;
    const struct sight *s = choose(b, c);
    if (!s)
      continue;
    say(f, class_name(c), s);
    if (s->why || s->total == 0)
      continue;
    struct tries t = tries_of(s);
    judge(f, c, &t);
    if (class_is_retried(c) && t.ended && t.n > most) {
      most = t.n;
      best = s;
      name = class_name(c);
    }
  }
  set_attempts(f, most, best, name);
}

const struct probe probe_attempts = {
    "attempts", "how often each class of error is asked again", measure};
