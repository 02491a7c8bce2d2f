#include "mockserver/talk.h"

#include <string.h>

/* Ceiling of a text that is looked at; the engine's ceiling of a request is
 * above it, and nobody matches on more. */
enum { MAX_TEXT = 8 << 20 };

void talk_init(struct talk *t)
{
  memset(t, 0, sizeof *t);
  buf_init(&t->user, MAX_TEXT);
  buf_init(&t->result, MAX_TEXT);
}

void talk_release(struct talk *t)
{
  buf_release(&t->user);
  buf_release(&t->result);
  for (size_t i = 0; i < t->nresults; i++)
    free(t->results[i]);
  memset(t, 0, sizeof *t);
}

void talk_user(struct talk *t)
{
  buf_reset(&t->user);
  t->ends_with_result = false;
}

void talk_model(struct talk *t)
{
  t->turns++;
  t->ends_with_result = false;
}

void talk_say(struct talk *t, const char *text)
{
  if (text)
    buf_adds(&t->user, text);
}

void talk_result(struct talk *t, const char *id, const char *text)
{
  t->ends_with_result = true;
  buf_reset(&t->result);
  if (text)
    buf_adds(&t->result, text);
  if (id && t->nresults < TALK_MAX_RESULTS)
    t->results[t->nresults++] = mem_strdup(id);
}
