#include "harness/probe/baseline.h"

#include "harness/probe/steps.h"

#include <string.h>

/* Of the client's last words. */
enum { MAX_WORDS = 300 };

const struct sight *want_baseline(struct book *b)
{
  struct trial_ask ask = {
      .steps = b->face.command
                   ? mem_format("[{\"command\":\"%s\",\"reply\":\"message\","
                                "\"times\":\"always\"}]",
                                b->face.command)
                   : one_step("\"reply\":\"message\"," REPLY_KEYS)};
  return book_want(b, "baseline", &ask);
}

enum wired wired_of(const struct sight *s)
{
  const struct sight_start *last = sight_last(s);
  if (s->why || !last)
    return WIRED_NO_START;
  if (s->total == 0)
    return WIRED_NO_CALL;
  if (last->timed_out)
    return WIRED; /* it goes on for ever, as a service does */
  return last->sig || last->code ? WIRED_FAILS : WIRED;
}

static const char how_http[] =
    "It must call the server of the trial, whose address is {BASE}: in its\n"
    "arguments, in --env NAME={BASE}, or in one of the variables that are\n"
    "set: ANTHROPIC_BASE_URL, OPENAI_BASE_URL ({BASE}/v1),\n"
    "GOOGLE_GEMINI_BASE_URL. HTTP_PROXY and the like are not set.\n";

static const char how_command[] =
    "It must start the command by its name, found on PATH, where a stand-in\n"
    "is first: --command NAME says which one, {COMMAND} and {SHIM} are\n"
    "replaced in its arguments.\n";

static const char *tail(const char *text)
{
  size_t n = strlen(text);
  return n > MAX_WORDS ? text + n - MAX_WORDS : text;
}

char *wired_text(const struct sight *s, enum wired w, bool command)
{
  const struct sight_start *last = sight_last(s);
  struct buf b;
  buf_init(&b, 8192);
  if (w == WIRED_NO_START) {
    buf_addf(&b, "the client could not be started: %s\n",
             s->why ? s->why : "nothing came of it");
    return buf_detach(&b);
  }
  if (w == WIRED_NO_CALL)
    buf_addf(&b, "not wired: the client made no call%s%s.\n%s",
             s->side ? ", only requests that are none" : "",
             last->timed_out ? " and was still running at the limit" : "",
             command ? how_command : how_http);
  else
    buf_addf(&b,
             "the client fails at a plain 200 (exit %d), so nothing it does "
             "at an error can be told from that.\n",
             last->code);
  if (*last->err || *last->out)
    buf_addf(&b, "Its last words: %s\n",
             tail(*last->err ? last->err : last->out));
  return buf_detach(&b);
}
