/*
 * fuzz_http_answer.c - a raw HTTP/1.1 answer behind one byte of options, as
 * `guard http` judges it.
 *
 * libcurl reads HTTP for the guard program, so a small splitter stands in for
 * it here; what is put to the test is all that stands behind it: status,
 * headers in any order, a whole body, or a stream.
 */
#include "fuzz/answer.h"
#include "fuzz/fuzz.h"
#include "fuzz/split.h"
#include "lib/guard/command/judge.h"

#define MAX_EVENT_BYTES 65536

static void feed_event(void *arg, const struct guard_sse_event *e)
{
  guard_stream_event(arg, e);
}

static void transfer_init(struct transfer *t, const struct fuzz_answer *a,
                          uint8_t choice)
{
  static const char *const names[] = {"anthropic", "openai", "openai-responses",
                                      "gemini"};
  struct diag diag = {0};
  struct bytes type = {0};

  memset(t, 0, sizeof(*t));
  t->provider = provider_by_name(names[choice & 3], &diag);
  PROPERTY(t->provider, "the four providers are known");
  t->stream = choice & 4;
  t->strict = choice & 8;
  t->end = choice & 16 ? TRANSFER_BROKEN : TRANSFER_COMPLETE;
  t->why = "fuzz";
  t->status = a->answer.status;
  t->nheaders = a->answer.nheaders;
  memcpy(t->headers, a->headers, sizeof(a->headers));
  for (size_t i = 0; i < t->nheaders; i++)
    if (bytes_equal_nocase(bytes_of(t->headers[i].name), BYTES("content-type")))
      type = bytes_of(t->headers[i].value);
  t->event_stream = type.p && bytes_starts(type, BYTES("text/event-stream"));
  buf_init(&t->body, SIZE_MAX / 2);
}

/* Fills the transfer's body or stream and judges it. */
static struct guard_verdict judge_body(struct transfer *t, struct bytes body,
                                       struct buf *text)
{
  struct guard_verdict v;

  buf_reset(text);
  buf_reset(&t->body);
  t->events = guard_stream_new(t->provider->name, t->strict);
  if (t->event_stream) {
    struct guard_sse *sse =
        guard_sse_new(MAX_EVENT_BYTES, feed_event, t->events);

    guard_sse_feed(sse, body.p, body.n);
    guard_sse_free(sse);
  } else {
    buf_addb(&t->body, body);
  }
  v = judge(t, FUZZ_NOW_EPOCH_S * 1000, text);
  fuzz_check_verdict(&v);
  if (v.cls != GUARD_NONE)
    PROPERTY(text->n == 0, "only a success has a text");
  guard_stream_free(t->events);
  t->events = NULL;
  return v;
}

static void check_status(const struct transfer *t,
                         const struct guard_verdict *v)
{
  if (t->status < 200 || t->status > 299)
    PROPERTY(v->cls != GUARD_NONE, "only 2xx can be a success");
  if (t->end != TRANSFER_COMPLETE && !t->event_stream)
    PROPERTY(v->cls != GUARD_NONE, "a broken transfer is no success");
  if (t->stream && !t->event_stream)
    PROPERTY(v->cls != GUARD_NONE, "a stream was asked for");
}

static bool names_are_unique(const struct transfer *t)
{
  for (size_t i = 0; i < t->nheaders; i++)
    for (size_t j = 0; j < i; j++)
      if (bytes_equal_nocase(bytes_of(t->headers[i].name),
                             bytes_of(t->headers[j].name)))
        return false;
  return true;
}

static void check_order(struct transfer *t, struct bytes body,
                        const struct guard_verdict *v, struct buf *text)
{
  struct guard_verdict w;

  if (!names_are_unique(t))
    return;
  for (size_t i = 0; i < t->nheaders / 2; i++) {
    struct guard_header kept = t->headers[i];

    t->headers[i] = t->headers[t->nheaders - 1 - i];
    t->headers[t->nheaders - 1 - i] = kept;
  }
  w = judge_body(t, body, text);
  PROPERTY(v->cls == w.cls && v->retryable == w.retryable,
           "the order of headers does not change the class");
  PROPERTY(v->hint == w.hint &&
               (v->hint != GUARD_HINT_WAIT || v->wait_ms == w.wait_ms),
           "the order of headers does not change the wait");
}

/* A whole answer less its last byte is no whole answer. */
static void check_cut(struct transfer *t, struct bytes body, struct buf *text)
{
  while (body.n > 0 && (unsigned char)body.p[body.n - 1] <= ' ')
    body.n--;
  if (t->event_stream || body.n == 0)
    return;
  body.n--;
  PROPERTY(judge_body(t, body, text).cls != GUARD_NONE,
           "a cut answer is no success");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct fuzz_answer a;
  struct transfer t;
  struct guard_verdict v;
  struct buf answer, text;

  if (size == 0)
    return 0;
  buf_init(&answer, SIZE_MAX / 2);
  buf_init(&text, SIZE_MAX / 2);
  split_answer(&answer, (struct bytes){(const char *)data + 1, size - 1});
  fuzz_answer_init(&a, buf_str(&answer), answer.n);
  transfer_init(&t, &a, data[0]);
  v = judge_body(&t, (struct bytes){a.body, a.answer.body_n}, &text);
  check_status(&t, &v);
  check_order(&t, (struct bytes){a.body, a.answer.body_n}, &v, &text);
  if (v.cls == GUARD_NONE)
    check_cut(&t, (struct bytes){a.body, a.answer.body_n}, &text);
  buf_release(&t.body);
  fuzz_answer_release(&a);
  buf_release(&text);
  buf_release(&answer);
  return 0;
}
