#include "judge.h"

#include "answer.h"

static struct guard_verdict own(enum guard_class cls, bool retryable,
                                const char *rule)
{
  return (struct guard_verdict){
      .cls = cls, .retryable = retryable, .rule = rule};
}

static struct guard_verdict classify(const struct transfer *t,
                                     enum guard_channel channel,
                                     struct bytes body, int64_t now_epoch_ms)
{
  struct guard_answer a = {.provider = t->provider->classifier,
                           .channel = channel,
                           .status = t->status,
                           .headers = t->headers,
                           .nheaders = t->nheaders,
                           .body = body.p ? body.p : "",
                           .body_n = body.n,
                           .now_epoch_ms = now_epoch_ms};
  return guard_classify(&a);
}

/* An end of the transport without an answer that says more. */
static struct guard_verdict transport(const struct transfer *t)
{
  switch (t->end) {
  case TRANSFER_TIMEOUT:
    return own(GUARD_TIMEOUT, true, t->why);
  case TRANSFER_UNUSABLE:
  case TRANSFER_TOO_BIG:
    return own(GUARD_INVALID_REQUEST, false, t->why);
  default:
    return own(GUARD_STREAM_INTERRUPTED, true, t->why);
  }
}

static struct guard_verdict error_event(const struct transfer *t,
                                        int64_t now_epoch_ms)
{
  size_t n = 0;
  const char *json = guard_stream_error(t->events, &n);
  struct guard_verdict v =
      classify(t, GUARD_SSE, (struct bytes){json, n}, now_epoch_ms);
  return v.cls == GUARD_NONE ? own(GUARD_SERVER_ERROR, true, "error event") : v;
}

static struct guard_verdict event_stream(const struct transfer *t,
                                         int64_t now_epoch_ms,
                                         struct buf *ret_text)
{
  switch (guard_stream_state(t->events)) {
  case GUARD_STREAM_DONE:
    buf_adds(ret_text, guard_stream_text(t->events));
    return own(GUARD_NONE, false, "terminal event");
  case GUARD_STREAM_ERROR:
    return error_event(t, now_epoch_ms);
  case GUARD_STREAM_GARBLED:
    return own(GUARD_STREAM_INTERRUPTED, true, "garbled event");
  case GUARD_STREAM_OPEN:
    break;
  }
  if (t->end == TRANSFER_TIMEOUT || t->end == TRANSFER_TOO_BIG)
    return transport(t);
  return own(GUARD_STREAM_INTERRUPTED, true, "no terminal event");
}

/* An error status that guard_classify() has no name for. */
static struct guard_verdict by_status(int status)
{
  if (status >= 500)
    return own(GUARD_SERVER_ERROR, true, "status 5xx");
  if (status >= 400)
    return own(GUARD_INVALID_REQUEST, false, "status 4xx");
  return own(GUARD_INVALID_REQUEST, false, "redirect not followed");
}

static struct guard_verdict whole_answer(const struct transfer *t,
                                         int64_t now_epoch_ms,
                                         struct buf *ret_text)
{
  struct guard_verdict v =
      classify(t, GUARD_HTTP, buf_bytes(&t->body), now_epoch_ms);
  if (v.cls != GUARD_NONE)
    return v;
  if (t->stream)
    return own(GUARD_STREAM_INTERRUPTED, true, "not an event stream");
  if (answer_text(t->provider->shape, buf_bytes(&t->body), ret_text))
    return own(GUARD_NONE, false, "complete answer");
  buf_reset(ret_text);
  return own(GUARD_STREAM_INTERRUPTED, true, "not a complete answer");
}

struct guard_verdict judge(const struct transfer *t, int64_t now_epoch_ms,
                           struct buf *ret_text)
{
  if (t->status == 0 || t->end == TRANSFER_STOPPED)
    return transport(t);
  if (t->status < 200 || t->status > 299) {
    struct guard_verdict v =
        classify(t, GUARD_HTTP, buf_bytes(&t->body), now_epoch_ms);
    return v.cls == GUARD_NONE ? by_status(t->status) : v;
  }
  if (t->event_stream)
    return event_stream(t, now_epoch_ms, ret_text);
  if (t->end != TRANSFER_COMPLETE)
    return transport(t);
  return whole_answer(t, now_epoch_ms, ret_text);
}

bool judge_may_have_happened(const struct transfer *t,
                             const struct guard_verdict *v)
{
  /* the server's own time-outs: the work may go on behind them */
  enum { REQUEST_TIMEOUT = 408, CLIENT_CLOSED = 499 };
  if (!t->sent)
    return false;
  if (t->status == 0 || (t->status >= 200 && t->status <= 299) ||
      t->status == REQUEST_TIMEOUT || t->status == CLIENT_CLOSED)
    return true;
  return t->status >= 500 && !guard_class_is_limit(v->cls);
}
