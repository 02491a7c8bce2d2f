/*
 * Messages by their first words, for places where an SDK or a CLI prints the
 * message without its type. Only beginnings: a message may quote anything
 * further on.
 */
#include "guard/classify/evidence.h"

static const struct guard_word beginnings[] = {
    {"Rate limit reached for", GUARD_RATE_LIMIT},
    {"Rate limit is exceeded", GUARD_RATE_LIMIT},
    {"Rate limit exceeded", GUARD_RATE_LIMIT},
    {"This request would exceed your", GUARD_RATE_LIMIT},
    {"Number of request tokens has exceeded", GUARD_RATE_LIMIT},
    {"Number of input tokens has exceeded", GUARD_RATE_LIMIT},
    {"Number of requests has exceeded", GUARD_RATE_LIMIT},
    {"Resource has been exhausted", GUARD_RATE_LIMIT},
    {"Resource exhausted", GUARD_RATE_LIMIT},
    {"Your request rate increased too quickly", GUARD_RATE_LIMIT},
    {"Quota exceeded for quota metric", GUARD_RATE_LIMIT},
    {"Request too large for", GUARD_INVALID_REQUEST},
    {"Your credit balance is too low", GUARD_QUOTA_EXHAUSTED},
    {"You exceeded your current quota", GUARD_QUOTA_EXHAUSTED},
    {"This request requires more credits", GUARD_QUOTA_EXHAUSTED},
    {"Insufficient credits", GUARD_QUOTA_EXHAUSTED},
    {"You have exhausted your daily quota", GUARD_QUOTA_EXHAUSTED},
    {"You have exhausted your capacity on this model", GUARD_USAGE_LIMIT},
    {"The model is overloaded", GUARD_OVERLOADED},
    {"The engine is currently overloaded", GUARD_OVERLOADED},
    {"Our servers are currently overloaded", GUARD_OVERLOADED},
    {"The system is currently experiencing high demand", GUARD_OVERLOADED},
    {"Overloaded", GUARD_OVERLOADED},
    {"The server had an error", GUARD_SERVER_ERROR},
    {"An error occurred while processing your request", GUARD_SERVER_ERROR},
    {"Internal server error", GUARD_SERVER_ERROR},
    {NULL, GUARD_NONE},
};

/* Google says "quota" for a limit per minute as well; then it names a limit
 * that is not 0. */
static enum guard_class quota_class(const char *message)
{
  struct guard_scan s = guard_scan_str(message);
  int64_t limit = 0;

  if (!guard_contains(message, "ai.google.dev"))
    return GUARD_QUOTA_EXHAUSTED;
  if (guard_scan_past(&s, ", limit: ") &&
      guard_scan_number(&s, INT64_MAX, &limit) && limit == 0)
    return GUARD_QUOTA_EXHAUSTED;
  return GUARD_RATE_LIMIT;
}

bool guard_by_message(const char *message, struct guard_verdict *ret)
{
  for (const struct guard_word *b = beginnings; b->word; b++) {
    if (!guard_begins(message, b->word))
      continue;
    *ret = guard_verdict_of(b->cls, "message");
    if (guard_begins(message, "Quota exceeded for quota metric") &&
        guard_contains(message, "per day")) /* Google's older text */
      *ret = guard_verdict_of(GUARD_QUOTA_EXHAUSTED, "message: per day");
    if (guard_begins(message, "You exceeded your current quota")) {
      *ret = guard_verdict_of(quota_class(message), "message: quota");
      if (ret->cls == GUARD_QUOTA_EXHAUSTED)
        ret->hint = GUARD_HINT_INVALID; /* a wait that would not help */
    }
    return true;
  }
  return false;
}
