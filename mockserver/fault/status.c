#include "mockserver/base64.h"
#include "mockserver/exchange.h"
#include "mockserver/step_check.h"

#include <string.h>

static const struct param params[] = {
    {.name = "error",
     .type = PARAM_STRING,
     .summary = "a documented error of the provider by name"},
    {.name = "status",
     .type = PARAM_INT,
     .min = 200,
     .max = 999,
     .summary = "status of an answer of your own, instead of `error`"},
    {.name = "reason",
     .type = PARAM_STRING,
     .summary = "reason phrase; default: the usual one of the status"},
    {.name = "body",
     .type = PARAM_STRING,
     .summary = "body as text, with {{...}} values; absent: empty"},
    {.name = "body_base64",
     .type = PARAM_STRING,
     .summary = "body as any bytes"},
    {.name = "default_headers",
     .type = PARAM_BOOL,
     .summary = "date, content-type, content-length, request id and "
                "x-faultwire; default true"},
    STEP_PARAM_RETRY_AFTER,
    STEP_PARAM_RETRY_AFTER_MS,
    STEP_PARAM_HINT_S,
    {.name = NULL}};

/* Ceiling of a decoded body. */
enum { MAX_BODY = 16 << 20 };

static int check_base64(const struct jval *step, struct diag *diag)
{
  struct jval value;
  struct buf bytes;
  const char *text = NULL;
  if (!jval_member(step, "body_base64", &value) ||
      !param_string(step->node, "body_base64", &text))
    return 0;
  buf_init(&bytes, MAX_BODY);
  bool right = base64_decode(bytes_of(text), &bytes);
  buf_release(&bytes);
  return right ? 0 : jval_error(&value, diag, "is not base64 (RFC 4648)");
}

static int check_own(const struct jval *step, struct diag *diag)
{
  struct jval value;
  if (jval_member(step, "reason", &value) &&
      step_check_header_text(&value, diag) < 0)
    return -1;
  if (jval_member(step, "body", &value) && step_check_text(&value, diag) < 0)
    return -1;
  if (step_check_one_of(step, "body", "body_base64", diag) < 0)
    return -1;
  return check_base64(step, diag);
}

static int check(const struct jval *step, struct diag *diag)
{
  static const char *const own[] = {"status",      "reason",          "body",
                                    "body_base64", "default_headers", NULL};
  if (!param_has(step->node, "error") && !param_has(step->node, "status"))
    return jval_error(step, diag,
                      "needs 'error' (a documented error by name) or "
                      "'status' (a number)");
  for (const char *const *key = own; *key; key++)
    if (step_check_one_of(step, "error", *key, diag) < 0)
      return -1;
  if (step_check_error(step, "error", "", diag) < 0)
    return -1;
  return check_own(step, diag);
}

static void run_own(struct exchange *x, const cJSON *step)
{
  int64_t status = 0;
  const char *base64 = NULL;
  struct buf raw;
  struct exchange_answer a = {.default_headers = true};
  buf_init(&raw, MAX_BODY);
  param_int(step, "status", &status);
  param_string(step, "reason", &a.reason);
  param_string(step, "body", &a.text);
  param_bool(step, "default_headers", &a.default_headers);
  if (param_string(step, "body_base64", &base64) &&
      base64_decode(bytes_of(base64), &raw))
    a.raw = buf_bytes(&raw);
  a.status = (int)status;
  exchange_answer(x, &a);
  buf_release(&raw);
}

static void run(struct exchange *x)
{
  const char *error = NULL;
  if (param_string(exchange_step(x), "error", &error))
    exchange_error(x, error);
  else
    run_own(x, exchange_step(x));
}

const struct fault fault_status = {
    .name = "status",
    .summary = "Any status: a documented error by name, or an answer of your "
               "own.",
    .params = params,
    .check = check,
    .run = run};
