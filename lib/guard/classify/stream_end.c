/*
 * A whole recorded stream as an answer: a reader of events runs over it and
 * the provider's end is what counts, not the 200 in front.
 */
#include "guard/classify/stream_end.h"

#include "guard/sse.h"

#include <string.h>

enum { MAX_EVENT_BYTES = 16 << 20 };

struct run {
  const struct guard_evidence *e;
  struct guard_stream *stream;
};

/* A foreign provider is told by its first event. */
static const char *guess(const struct guard_sse_event *event)
{
  struct guard_scan type = guard_scan_of(event->type, event->type_n);
  struct guard_scan data = guard_scan_of(event->data, event->data_n);
  const size_t head = 64;

  if (guard_scan_lit(&type, "response."))
    return "openai-responses";
  if (event->type_n > 0)
    return "anthropic";
  if (guard_scan_left(&data) > head)
    data.end = data.p + head;
  if (guard_scan_has(data, "\"candidates\""))
    return "gemini";
  if (guard_scan_has(data, "\"message_start\""))
    return "anthropic";
  return guard_scan_has(data, "\"response.") ? "openai-responses" : "openai";
}

static void on_event(void *arg, const struct guard_sse_event *event)
{
  struct run *run = arg;

  if (!run->stream) {
    const char *provider = run->e->answer->provider;

    run->stream = guard_stream_new(provider, true);
    if (!run->stream) /* compatible servers end less strictly */
      run->stream = guard_stream_new(guess(event), false);
  }
  if (run->stream)
    guard_stream_event(run->stream, event);
}

static struct guard_verdict judge_error(const struct run *run)
{
  size_t n = 0;
  const char *error = guard_stream_error(run->stream, &n);
  struct guard_verdict v = guard_judge_part(run->e, 0, guard_scan_of(error, n));

  if (v.cls == GUARD_NONE)
    v = guard_verdict_of(GUARD_SERVER_ERROR, "stream: unknown error event");
  return v;
}

static struct guard_verdict judge_state(const struct run *run)
{
  if (!run->stream)
    return guard_verdict_of(GUARD_STREAM_INTERRUPTED, "stream: no event");
  switch (guard_stream_state(run->stream)) {
  case GUARD_STREAM_DONE:
    return guard_verdict_of(GUARD_NONE, "stream: terminal event");
  case GUARD_STREAM_ERROR:
    return judge_error(run);
  case GUARD_STREAM_GARBLED:
    return guard_verdict_of(GUARD_STREAM_INTERRUPTED, "stream: garbled");
  case GUARD_STREAM_OPEN:
    break;
  }
  return guard_verdict_of(GUARD_STREAM_INTERRUPTED,
                          "stream: no terminal event");
}

struct guard_verdict guard_judge_stream(const struct guard_evidence *e)
{
  const struct guard_answer *a = e->answer;
  struct run run = {e, NULL};
  struct guard_sse *sse = guard_sse_new(MAX_EVENT_BYTES, on_event, &run);
  struct guard_verdict v;

  if (!sse)
    return guard_verdict_of(GUARD_STREAM_INTERRUPTED, "stream: no memory");
  if (a->body)
    guard_sse_feed(sse, a->body, a->body_n);
  guard_sse_free(sse);
  v = judge_state(&run);
  guard_stream_free(run.stream);
  return v;
}
