#include "harness/probe/verdict_of.h"

#include "harness/probe/steps.h"
#include "harness/probe/tries.h"

static enum seen_verdict verdict_of(const struct answer *a)
{
  if (!a->success)
    return SEEN_ERROR;
  if (a->firsts > 1)
    return SEEN_DOUBLED;
  if (a->firsts == 0)
    return SEEN_EMPTY;
  return a->lasts ? SEEN_WHOLE : SEEN_PARTIAL;
}

struct outcome_seen outcome_seen(const struct sight *s)
{
  struct outcome_seen o = {.verdict = SEEN_NOTHING};
  const struct sight_start *last = sight_last(s);
  if (s->why || s->ncalls == 0 || !last)
    return o;
  struct answer a = answer_of(s, FIRST_WORD, LAST_WORD);
  o.tries = s->total;
  o.copies = a.firsts;
  o.code = last->code;
  if (sight_ended(s))
    o.verdict = verdict_of(&a);
  else
    o.verdict = s->total > 1 ? SEEN_AGAIN : SEEN_HANGS;
  return o;
}

char *outcome_text(const struct outcome_seen *o)
{
  static const char *const words[] = {
      [SEEN_NOTHING] = "nothing",
      [SEEN_HANGS] = "hangs",
      [SEEN_AGAIN] = "asked again, its end was not seen",
      [SEEN_ERROR] = "error",
      [SEEN_WHOLE] = "success, the whole text",
      [SEEN_PARTIAL] = "SUCCESS with a part of the text",
      [SEEN_DOUBLED] = "SUCCESS with the text more than once",
      [SEEN_EMPTY] = "SUCCESS without the text"};
  bool error = o->verdict == SEEN_ERROR;
  struct buf out;
  buf_init(&out, 512);
  buf_adds(&out, words[o->verdict]);
  if (o->verdict != SEEN_HANGS && o->verdict != SEEN_AGAIN)
    buf_addf(&out, ", exit %d", o->code);
  buf_addf(&out, ", %zu request%s", o->tries, o->tries == 1 ? "" : "s");
  if (error && o->copies)
    buf_addf(&out, ", a part of the text was printed%s",
             o->copies > 1 ? " more than once" : "");
  return buf_detach(&out);
}
