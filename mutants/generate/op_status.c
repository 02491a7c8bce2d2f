/*
 * Statuses: the wrong one, the wrong side, too many.
 */
#include "mutants/generate/names.h"
#include "mutants/generate/operator.h"

#include "base/number.h"

static const struct {
  const char *from, *to;
} NUMBERS[] = {{"429", "430"}, {"529", "530"}, {"503", "504"}, {"408", "409"}};

void operator_status_number(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++)
    for (size_t k = 0; k < sizeof NUMBERS / sizeof NUMBERS[0]; k++) {
      struct bytes inner = source_inner(s, i);
      if (source_is_number(s, i) && source_is(s, i, NUMBERS[k].from))
        suggest_token(ret, i, NUMBERS[k].to);
      else if (bytes_equal(inner, bytes_of(NUMBERS[k].from)))
        suggest(ret, s->token[i].inner_start, s->token[i].inner_end, "%s",
                NUMBERS[k].to);
    }
}

static const struct {
  const char *from, *to;
} NAMED[] = {{"StatusTooManyRequests", "StatusTeapot"},
             {"StatusServiceUnavailable", "StatusGatewayTimeout"},
             {"StatusRequestTimeout", "StatusConflict"},
             {"TOO_MANY_REQUESTS", "IM_A_TEAPOT"},
             {"SERVICE_UNAVAILABLE", "GATEWAY_TIMEOUT"},
             {"REQUEST_TIMEOUT", "CONFLICT"},
             {"HTTP_UNAVAILABLE", "HTTP_GATEWAY_TIMEOUT"},
             {"HTTP_CLIENT_TIMEOUT", "HTTP_CONFLICT"}};

void operator_status_name(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++)
    for (size_t k = 0; k < sizeof NAMED / sizeof NAMED[0]; k++)
      if (source_is(s, i, NAMED[k].from) &&
          (source_is(s, i - 1, ".") || source_is(s, i - 1, "::")))
        suggest_token(ret, i, NAMED[k].to);
}

/* 400 to 599, and no part of a sum: year % 400 */
static bool is_status_number(const struct source *s, int i)
{
  static const char *const sums[] = {"%", "*", "/", "+", "-", NULL};
  uint64_t value;
  return source_is_number(s, i) && !source_is_one_of(s, i - 1, sums) &&
         number_u64(source_text(s, i), 599, &value) == NUMBER_OK &&
         value >= 400;
}

static bool is_status_name(const struct source *s, int i)
{
  static const char *const words[] = {"status*", NULL};
  return source_is_name(s, i) && name_has(source_text(s, i), words);
}

void operator_status_flip(const struct source *s, struct suggestions *ret)
{
  static const struct {
    const char *from, *to;
  } flips[] = {{"==", "!="}, {"!=", "=="}, {"===", "!=="}, {"!==", "==="}};
  for (int i = 0; i < s->n; i++)
    for (size_t k = 0; k < sizeof flips / sizeof flips[0]; k++)
      if (source_is(s, i, flips[k].from) &&
          (is_status_number(s, i - 1) || is_status_number(s, i + 1) ||
           is_status_name(s, i - 1)))
        suggest_token(ret, i, flips[k].to);
}

void operator_fatal_retried(const struct source *s, struct suggestions *ret)
{
  for (int i = 0; i < s->n; i++) {
    bool status = is_status_name(s, i - 1) || is_status_name(s, i - 2) ||
                  is_status_name(s, i - 3) || source_is(s, i - 1, "code");
    if (source_is(s, i, ">=") && source_is(s, i + 1, "500") && status)
      suggest_token(ret, i + 1, "400");
    else if (source_is(s, i, ">") && source_is(s, i + 1, "499") && status)
      suggest_token(ret, i + 1, "399");
    else if (source_is(s, i, "is_server_error") && source_is(s, i + 1, "("))
      suggest_token(ret, i, "is_client_error");
  }
}
