/*
 * Texts that must be spelt as the server spells them.
 */
#include "mutants/generate/operator.h"

#include <ctype.h>
#include <string.h>

static const char *const HEADERS[] = {"retry-after",         "retry-after-ms",
                                      "x-retry-after",       "x-should-retry",
                                      "idempotency-key",     "ratelimit-reset",
                                      "ratelimit-remaining", NULL};
static const char *const HEADER_BEGINNINGS[] = {
    "x-ratelimit-", "anthropic-ratelimit-", "x-rate-limit-", NULL};
static const char *const SIGNATURES[] = {"rate_limit_error",
                                         "rate_limit_exceeded",
                                         "overloaded_error",
                                         "insufficient_quota",
                                         "resource_exhausted",
                                         "server_is_overloaded",
                                         "usage limit reached",
                                         "rate limit",
                                         "try again in",
                                         "throttlingexception",
                                         NULL};
static const char *const STREAM_ENDS[] = {
    "message_stop",  "[DONE]",       "response.completed", "response.failed",
    "finish_reason", "finishReason", "content_block_stop", NULL};

/* What may stand beside the word in its text: "data: [DONE]". */
enum { BESIDE = 12 };

static bool equal_nocase(struct bytes a, const char *word)
{
  return bytes_equal_nocase(a, bytes_of(word));
}

/* Length of the header's name at the beginning of a text; 0: none. */
static size_t header_length(struct bytes text)
{
  size_t n = 0;
  while (n < text.n && (isalnum((unsigned char)text.p[n]) || text.p[n] == '-'))
    n++;
  if (n < 3 || (n < text.n && text.p[n] != ':'))
    return 0;
  struct bytes name = {text.p, n};
  for (const char *const *h = HEADERS; *h; h++)
    if (equal_nocase(name, *h))
      return n;
  for (const char *const *h = HEADER_BEGINNINGS; *h; h++)
    if (n > strlen(*h) && equal_nocase((struct bytes){name.p, strlen(*h)}, *h))
      return n;
  return 0;
}

/* Where a word of the list is in a text that has little else; -1: nowhere. */
static ptrdiff_t find_word(struct bytes text, const char *const *list,
                           size_t *ret_n)
{
  for (; *list; list++) {
    size_t n = strlen(*list);
    for (size_t at = 0; at + n <= text.n && text.n <= n + BESIDE; at++)
      if (equal_nocase((struct bytes){text.p + at, n}, *list)) {
        *ret_n = n;
        return (ptrdiff_t)at;
      }
  }
  return -1;
}

/* Only its length is used. */
static bool is_measured(const struct source *s, int i)
{
  return source_is(s, i - 2, "strlen") || source_is(s, i - 2, "sizeof") ||
         source_is(s, i - 1, "sizeof");
}

/* The last letter but one is lost: still a word, and no longer the same. */
static void misspell(const struct source *s, int i, size_t at, size_t n,
                     struct suggestions *ret)
{
  size_t start = s->token[i].inner_start + at;
  struct bytes word = {s->text.p + start, n};
  suggest(ret, start, start + n, "%.*s%c", (int)(n - 2), word.p, word.p[n - 1]);
}

void operator_header(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    size_t n = is_measured(s, i) ? 0 : header_length(source_inner(s, i));
    if (n > 0)
      misspell(s, i, 0, n, ret);
    else if (s->lang->id == LANGUAGE_RUST && source_is(s, i, "RETRY_AFTER") &&
             source_is(s, i - 1, "::"))
      suggest_token(ret, i, "AGE");
  }
}

static void misspell_words(const struct source *s, const char *const *list,
                           struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    size_t n;
    ptrdiff_t at =
        is_measured(s, i) ? -1 : find_word(source_inner(s, i), list, &n);
    if (at >= 0)
      misspell(s, i, (size_t)at, n, ret);
  }
}

void operator_signature(const struct source *s, struct suggestions *ret)
{
  misspell_words(s, SIGNATURES, ret);
}

void operator_stream_end(const struct source *s, struct suggestions *ret)
{
  misspell_words(s, STREAM_ENDS, ret);
}
