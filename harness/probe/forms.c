/* Which ways of naming a wait the client understands, and what a zero and
 * a value nobody can read do. */
#include "harness/probe/obeyed.h"
#include "harness/probe/probe.h"
#include "harness/probe/trials.h"
#include "harness/probe/tries.h"

#include <math.h>
#include <string.h>

/* A wait that stands out from a client's first backoff. */
#define ASKED_S 3.0

enum form {
  FORM_SECONDS,
  FORM_FRACTION,
  FORM_DATE,
  FORM_MS,
  FORM_TEXT,
  FORM_RESET_HEADERS,
  NFORMS
};

static const struct {
  const char *name, *scenario;
  double extra_s; /* on top of the wait of the others */
  double cut_s;   /* lost where the form has whole seconds */
} rows[NFORMS] = {
    [FORM_SECONDS] = {"retry-after: seconds",
                      "rate-limit/429-then-wait-then-success", 0, 0},
    [FORM_FRACTION] = {"retry-after: a fraction", NULL, 0.5, 0.5},
    [FORM_DATE] = {"retry-after: HTTP date", "rate-limit/429-http-date", 0, 1},
    [FORM_MS] = {"retry-after-ms", "rate-limit/429-retry-after-ms", 0, 0},
    [FORM_TEXT] = {"wait in the body", NULL, 0, 0},
    [FORM_RESET_HEADERS] = {"reset headers", NULL, 0, 1},
};

/* NULL: the provider has no such form. */
static char *text_step(const struct face *face, double s)
{
  if (strncmp(face->provider, "openai", 6) == 0) {
    char *message = mem_format("Rate limit reached for requests. Please try "
                               "again in %.0fs.",
                               s);
    char *step = error_step(face, 429, message, "");
    free(message);
    return step;
  }
  if (strcmp(face->provider, "gemini") != 0)
    return NULL;
  return mem_format(
      "\"fault\":\"status\",\"status\":429,\"content_type\":"
      "\"application/json\",\"body\":\"{\\\"error\\\":{\\\"code\\\":429,"
      "\\\"message\\\":\\\"Quota exceeded.\\\",\\\"status\\\":"
      "\\\"RESOURCE_EXHAUSTED\\\",\\\"details\\\":[{\\\"@type\\\":"
      "\\\"type.googleapis.com/google.rpc.RetryInfo\\\",\\\"retryDelay\\\":"
      "\\\"%.0fs\\\"}]}}\"",
      s);
}

static char *step_of(const struct face *face, enum form form, double s)
{
  char *more = NULL;
  if (form == FORM_TEXT)
    return text_step(face, s);
  if (form == FORM_RESET_HEADERS && strcmp(face->provider, "gemini") == 0)
    return NULL;
  if (form == FORM_SECONDS || form == FORM_FRACTION)
    more = mem_format(",\"retry_after\":\"%g\"", s);
  else if (form == FORM_DATE)
    more = mem_format(",\"retry_after\":\"{{http_date:+%g}}\"", s);
  else if (form == FORM_MS)
    more = mem_format(",\"retry_after_ms\":\"%.0f\"", s * 1000);
  else
    more = mem_format(",\"quota_headers\":{\"requests\":{\"limit\":50,"
                      "\"remaining\":0,\"reset_s\":%.0f}}",
                      s);
  char *step = class_step(face, CLASS_RATE_LIMIT, more);
  free(more);
  return step;
}

static const struct sight *want(struct book *b, const char *name, char *step)
{
  struct trial_ask ask = {
      .steps =
          mem_format("[{%s},{\"reply\":\"message\"," REPLY_KEYS "}]", step)};
  free(step);
  return book_want(b, name, &ask);
}

/* One trial of a form. */
struct asked {
  enum form form;
  double asked_s, least_s;
  double own_s; /* the longest first wait of the client's own */
};

static char *word_of(const struct asked *q, const struct sight *s,
                     enum understood u)
{
  static const char *const words[] = {[UNDERSTOOD_UNKNOWN] = "unknown",
                                      [UNDERSTOOD_YES] = "understood",
                                      [UNDERSTOOD_NO] = "not understood",
                                      [UNDERSTOOD_STOPS] = "it stops",
                                      [UNDERSTOOD_LONG] = "waits much longer",
                                      [UNDERSTOOD_EITHER] =
                                          "not told apart from its own wait"};
  if (u == UNDERSTOOD_SHORT)
    return mem_format("understood, cut to %.1f s", sight_gap(s, 0));
  if (u == UNDERSTOOD_YES && q->form == FORM_FRACTION &&
      sight_gap(s, 0) < q->asked_s - 0.1)
    return mem_strdup("understood, the fraction cut off");
  return mem_strdup(words[u]);
}

static const struct sight *want_form(struct book *b, const struct asked *q,
                                     char *step)
{
  char *name = mem_format("429 once, %s %g", rows[q->form].name, q->asked_s);
  const struct sight *s = want(b, name, step);
  free(name);
  return s;
}

/* Returns what came of it. `tell`: not understanding it is a danger; a client
 * that obeys not even whole seconds is told of by the longest wait. */
static enum understood measure_form(struct book *b, struct findings *f,
                                    const struct asked *q, bool tell)
{
  const char *what = rows[q->form].name;
  char *step = step_of(&b->face, q->form, q->asked_s);
  if (!step) {
    take_nothing(f, what, mem_format("%s has no such thing", b->face.provider));
    return UNDERSTOOD_UNKNOWN;
  }
  const struct sight *s = want_form(b, q, step);
  if (!s)
    return UNDERSTOOD_UNKNOWN;
  enum understood u = understood_of(s, q->least_s, q->asked_s, q->own_s);
  char *seen = sight_sentence(s);
  if (u == UNDERSTOOD_UNKNOWN)
    take_nothing(f, what, mem_strdup(seen));
  else
    take_value(f, what, word_of(q, s, u),
               mem_format("asked for %g s: %s", q->asked_s, seen));
  free(seen);
  if (tell && u == UNDERSTOOD_NO && rows[q->form].scenario)
    take_case(f, HARM_ATTACKS, rows[q->form].scenario,
              "a wait is not understood, and it comes back early", what);
  return u;
}

static void measure_forms(struct book *b, struct findings *f, double own_s)
{
  double asked_s = ceil(own_s * 1.5) + 1;
  bool obeys = false;
  if (asked_s < ASKED_S)
    asked_s = ASKED_S;
  for (enum form form = 0; form < NFORMS; form++) {
    struct asked q = {.form = form,
                      .asked_s = asked_s + rows[form].extra_s,
                      .least_s =
                          asked_s + rows[form].extra_s - rows[form].cut_s,
                      .own_s = own_s};
    if (asked_s + 2 > b->limit_s) {
      take_nothing(f, rows[form].name,
                   mem_format("its own waits of up to %.1f s leave no room "
                              "within the limit of %g s",
                              own_s, b->limit_s));
      continue;
    }
    enum understood u = measure_form(b, f, &q, obeys);
    if (form == FORM_SECONDS)
      obeys = u == UNDERSTOOD_YES || u == UNDERSTOOD_SHORT;
  }
}

/* --- a zero ---------------------------------------------------------------
 */

static void measure_zero(struct book *b, struct findings *f, double own_s)
{
  static const char what[] = "retry-after: 0", key[] = "zero_retry_after";
  char *step = class_step(&b->face, CLASS_RATE_LIMIT, ",\"retry_after\":\"0\"");
  const struct sight *s = want(b, "429 once, retry-after 0", step);
  if (!s)
    return;
  double gap = s->why ? -1 : sight_gap(s, 0);
  char *seen = sight_sentence(s);
  /* Half of the shortest own wait is what equal jitter may give. */
  const char *word = own_s < 0.1 || gap < 0 ? NULL
                     : gap < own_s / 4      ? "immediate"
                     : gap > own_s * 0.45   ? "backoff"
                                            : NULL;
  if (word) {
    take_value(f, what, mem_strdup(word), mem_strdup(seen));
    take_setting(f, key, mem_format("\"%s\"", word), seen);
    return;
  }
  char *because = gap < 0 ? mem_format("it does not ask again: %s", seen)
                          : mem_format("its own wait of %.2f s and this one "
                                       "of %.2f s tell nothing apart",
                                       own_s, gap);
  take_nothing(f, what, mem_strdup(because));
  take_no_setting(f, key, because);
  free(seen);
}

/* --- a value nobody can read ----------------------------------------------
 */

static void measure_junk(struct book *b, struct findings *f)
{
  static const char what[] = "retry-after: junk";
  char *step =
      class_step(&b->face, CLASS_RATE_LIMIT, ",\"retry_after\":\"soon\"");
  const struct sight *s = want(b, "429 once, retry-after soon", step);
  if (!s)
    return;
  char *seen = sight_sentence(s);
  enum obeyed o = obeyed_of(s, 0);
  if (o == OBEYED_UNKNOWN) {
    take_nothing(f, what, seen);
    return;
  }
  const char *word = o == OBEYED_STOPPED  ? "it stops"
                     : o == OBEYED_SILENT ? "waits without end"
                                          : "its own wait";
  take_value(f, what, mem_strdup(word), seen);
  if (o == OBEYED_STOPPED)
    take_danger(f, HARM_GIVES_UP, "rate-limit/429-junk-retry-after",
                mem_strdup("a retry-after it cannot read ends the call that "
                           "would have been asked again without it"));
}

/* --- x-should-retry -------------------------------------------------------
 */

static void measure_should(struct book *b, struct findings *f, bool yes)
{
  const char *what = yes ? "x-should-retry: true (on a 400)"
                         : "x-should-retry: false (on a 429)";
  const char *more = yes ? ",\"headers\":[[\"x-should-retry\",\"true\"]]"
                         : ",\"headers\":[[\"x-should-retry\",\"false\"]]";
  char *step =
      class_step(&b->face, yes ? CLASS_BAD_REQUEST : CLASS_RATE_LIMIT, more);
  const struct sight *s = want(b, what, step);
  if (!s)
    return;
  if (s->why || s->ncalls == 0) {
    take_nothing(f, what, sight_sentence(s));
    return;
  }
  bool again = s->ncalls > 1;
  take_value(f, what, mem_strdup(again == yes ? "obeyed" : "not obeyed"),
             sight_sentence(s));
  if (!yes && again)
    take_danger(f, HARM_WASTES, "overload/overloaded-do-not-retry",
                mem_strdup("a server that says x-should-retry: false is asked "
                           "again"));
}

static void say_nothing(struct findings *f, const char *because)
{
  take_nothing(f, "forms of retry-after", mem_strdup(because));
  take_no_setting(f, "zero_retry_after", mem_strdup(because));
}

static void measure(struct book *b, struct findings *f)
{
  double least = 0, most = 0;
  const struct sight *plain = want_class(b, CLASS_RATE_LIMIT);
  const struct sight *hinted = want_hinted(b, CLASS_RATE_LIMIT);
  bool known = own_first_wait(b, &least, &most);
  if (b->face.command) {
    say_nothing(f, "a command has no headers");
    return;
  }
  if (!plain || !hinted || !known)
    return;
  if (tries_of(plain).n < 2 && tries_of(hinted).n < 2)
    say_nothing(f, "a 429 is never asked again");
  else {
    measure_forms(b, f, most);
    measure_zero(b, f, least);
    measure_junk(b, f);
    measure_should(b, f, false);
    measure_should(b, f, true);
  }
}

const struct probe probe_forms = {
    "forms", "which forms of retry-after it understands", measure};
