/* Verdicts, statuses and waits: what all readers share. */
#include "guard/classify/evidence.h"

static bool usually_retryable(enum guard_class cls)
{
  switch (cls) {
  case GUARD_RATE_LIMIT:
  case GUARD_OVERLOADED:
  case GUARD_TIMEOUT:
  case GUARD_SERVER_ERROR:
  case GUARD_STREAM_INTERRUPTED:
    return true;
  default:
    return false;
  }
}

struct guard_verdict guard_verdict_of(enum guard_class cls, const char *rule)
{
  return (struct guard_verdict){.cls = cls,
                                .retryable = usually_retryable(cls),
                                .hint = GUARD_HINT_ABSENT,
                                .rule = rule};
}

void guard_verdict_wait(struct guard_verdict *v,
                        const struct guard_hint_value *hint)
{
  v->hint = GUARD_HINT_WAIT;
  v->wait_ms = hint->wait_ms;
  if (hint->reset_epoch_s > 0)
    v->reset_epoch_s = hint->reset_epoch_s;
}

static enum guard_class class_of_status(int status)
{
  static const struct {
    int status;
    enum guard_class cls;
  } table[] = {
      {401, GUARD_AUTH},       {402, GUARD_QUOTA_EXHAUSTED},
      {403, GUARD_AUTH},       {407, GUARD_AUTH},
      {408, GUARD_TIMEOUT},    {429, GUARD_RATE_LIMIT},
      {504, GUARD_TIMEOUT},    {522, GUARD_TIMEOUT}, /* Cloudflare: connect */
      {524, GUARD_TIMEOUT},                          /* Cloudflare: origin */
      {529, GUARD_OVERLOADED},
  };

  for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
    if (table[i].status == status)
      return table[i].cls;
  return status >= 300 && status < 500 ? GUARD_INVALID_REQUEST
                                       : GUARD_SERVER_ERROR;
}

struct guard_verdict guard_by_status(int status)
{
  struct guard_verdict v;

  if (status >= 200 && status < 300)
    return guard_verdict_of(GUARD_NONE, "status: success");
  v = guard_verdict_of(class_of_status(status), "status");
  if (status == 409) /* the official SDKs retry a conflict */
    v.retryable = true;
  if (status == 526) /* Cloudflare: a certificate does not heal by waiting */
    v.retryable = false;
  return v;
}

void guard_add_text_hint(struct guard_scan text, int64_t now_ms,
                         struct guard_verdict *v)
{
  struct guard_hint_value hint;

  if (v->hint == GUARD_HINT_ABSENT && v->cls != GUARD_NONE &&
      guard_hint_text(text, now_ms, &hint) == GUARD_HINT_WAIT)
    guard_verdict_wait(v, &hint);
}

/* A wait told twice: the longer one is obeyed, header "578" and text
 * "9m38.016s" are the same limit. */
void guard_add_hints(const struct guard_evidence *e, struct guard_verdict *v)
{
  const struct guard_answer *a = e->answer;
  struct guard_hint_value hint;
  enum guard_hint seen;

  if (v->cls == GUARD_NONE || v->hint == GUARD_HINT_INVALID)
    return;
  guard_add_text_hint(guard_scan_str(e->message), a->now_epoch_ms, v);
  if (v->cls == GUARD_INVALID_REQUEST || v->cls == GUARD_AUTH)
    v->hint = GUARD_HINT_ABSENT; /* "... and try again" is no wait */
  seen = guard_hint_headers(a->headers, a->nheaders, a->now_epoch_ms, &hint);
  if (seen == GUARD_HINT_WAIT) {
    if (v->hint == GUARD_HINT_WAIT && v->wait_ms > hint.wait_ms)
      hint.wait_ms = v->wait_ms;
    guard_verdict_wait(v, &hint);
  } else if (seen == GUARD_HINT_STOP) {
    v->hint = GUARD_HINT_STOP;
    v->retryable = false;
  } else if (v->hint == GUARD_HINT_ABSENT) {
    v->hint = seen;
  }
}
