#include "continuation.h"

#include "guard/resume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void continuation_init(struct continuation *c, bool wanted,
                       const struct request *original, const char *call_id)
{
  *c = (struct continuation){
      .wanted = wanted, .original = original, .call_id = call_id};
  buf_init(&c->kept, GUARD_STREAM_TEXT_MAX);
}

/* The next try starts over. */
static void forget(struct continuation *c)
{
  if (c->request.body)
    request_release(&c->request);
  buf_reset(&c->kept);
  c->may_repeat = false;
}

void continuation_release(struct continuation *c)
{
  forget(c);
  buf_release(&c->kept);
}

const struct request *continuation_next(const struct continuation *c,
                                        struct seam *ret_seam)
{
  *ret_seam =
      (struct seam){.kept = buf_bytes(&c->kept), .may_repeat = c->may_repeat};
  return c->request.body ? &c->request : c->original;
}

void continuation_join(const struct continuation *c, struct buf *text)
{
  struct seam seam;
  size_t skip = 0;
  continuation_next(c, &seam);
  if (seam.kept.n == 0)
    return;
  seam_skip(&seam, buf_bytes(text), true, &skip);
  buf_consume(text, skip);
  struct buf whole;
  buf_init(&whole, text->max);
  buf_addb(&whole, seam.kept);
  buf_addb(&whole, buf_bytes(text));
  buf_release(text);
  *text = whole;
}

/* The request that goes on from |cut|; the text it stands on is kept. A key
 * of its own: a server that knows such keys refuses another body under the
 * old one, or answers with the half it has. */
static enum guard_resume build(struct continuation *c,
                               const struct guard_cut *cut)
{
  struct guard_resumed resumed;
  char id[96];
  size_t size = guard_resume_room(cut);
  char *body = mem_alloc(size);
  enum guard_resume way = guard_resume(cut, body, size, &resumed);
  if (way != GUARD_RESUME_ASSISTANT && way != GUARD_RESUME_USER) {
    free(body);
    return way;
  }
  forget(c);
  buf_add(&c->kept, cut->text, resumed.kept_n);
  c->may_repeat = way == GUARD_RESUME_USER;
  snprintf(id, sizeof id, "%s-continued-%d", c->call_id, ++c->number);
  request_with_body(&c->request, c->original, body, resumed.body_n, id);
  return way;
}

static bool is_cut(const struct transfer *t)
{
  return t->event_stream &&
         (guard_stream_state(t->events) == GUARD_STREAM_OPEN ||
          guard_stream_state(t->events) == GUARD_STREAM_ERROR);
}

static bool go_on(struct continuation *c, const struct transfer *t)
{
  struct buf text;
  buf_init(&text, GUARD_STREAM_TEXT_MAX);
  buf_adds(&text, guard_stream_text(t->events));
  continuation_join(c, &text);
  const struct guard_cut cut = {.provider = t->provider->name,
                                .request = c->original->body,
                                .request_n = c->original->body_n,
                                .text = buf_str(&text),
                                .text_n = text.n,
                                .blocks = t->blocks};
  enum guard_resume way = build(c, &cut);
  bool goes_on = way == GUARD_RESUME_ASSISTANT || way == GUARD_RESUME_USER;
  if (!goes_on) {
    forget(c);
    if (text.n > 0)
      fprintf(stderr, "guard: a cut stream: %s\n", guard_resume_why(way));
  }
  buf_release(&text);
  return goes_on;
}

bool continuation_failed(struct continuation *c, const struct transfer *t)
{
  if (!c->wanted)
    return false;
  if (is_cut(t))
    return go_on(c, t);
  /* refused before it began: what is kept stays; garbled: nothing is sure */
  if (t->event_stream)
    forget(c);
  return c->kept.n > 0;
}
