/* Answers with status 200 whose body is not the answer. */
#include "harness/probe/probe.h"
#include "harness/probe/steps.h"
#include "harness/probe/tries.h"
#include "harness/probe/verdict_of.h"

static const struct row {
  const char *name, *keys, *scenario;
} rows[] = {
    {"200 with an error in its body", NULL, "stream/error-body-in-a-200"},
    {"200 with an empty body", "\"fault\":\"bad_body\",\"how\":\"empty\"",
     "body/empty-200"},
    {"200 with a page", "\"fault\":\"bad_body\",\"how\":\"html\"",
     "body/page-of-an-edge"},
    {"200 with half of its JSON",
     "\"fault\":\"bad_body\",\"how\":\"truncated\"", "body/truncated-json"},
};
enum { NROWS = sizeof rows / sizeof rows[0] };

static const struct sight *want(struct book *b, const struct row *row)
{
  char *error = NULL;
  if (!row->keys)
    error = error_step(&b->face, 200, "Overloaded, try again later.", "");
  struct trial_ask ask = {.steps = one_step(error ? error : row->keys)};
  free(error);
  return book_want(b, row->name, &ask);
}

static void judge(struct findings *f, const struct row *row,
                  const struct outcome_seen *o)
{
  if (o->verdict == SEEN_HANGS)
    take_case(f, HARM_NEVER_ENDS, row->scenario, "it hangs", row->name);
  else if (o->verdict == SEEN_AGAIN && o->tries >= HAMMERS)
    take_case(f, HARM_NEVER_ENDS, row->scenario,
              "it asks again and again, no end was seen", row->name);
  else if (o->verdict != SEEN_ERROR && o->verdict != SEEN_AGAIN)
    take_case(f, HARM_WRONG_RESULT, row->scenario,
              "no answer is taken for one, exit code 0", row->name);
}

static void measure(struct book *b, struct findings *f)
{
  if (b->face.command) {
    take_nothing(f, "200 with a wrong body",
                 mem_strdup("a command has no status"));
    return;
  }
  for (int i = 0; i < NROWS; i++) {
    const struct sight *s = want(b, &rows[i]);
    if (!s)
      continue;
    struct outcome_seen o = outcome_seen(s);
    if (o.verdict == SEEN_NOTHING) {
      take_nothing(f, rows[i].name, sight_sentence(s));
      continue;
    }
    take_value(f, rows[i].name, outcome_text(&o), sight_sentence(s));
    judge(f, &rows[i], &o);
  }
}

const struct probe probe_bodies = {
    "bodies", "what a 200 that is no answer does", measure};
