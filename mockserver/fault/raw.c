#include "mockserver/base64.h"
#include "mockserver/exchange.h"
#include "mockserver/step_check.h"

/* Ceiling of decoded bytes. */
enum { MAX_BYTES = 16 << 20 };

static const struct param params[] = {
    {.name = "bytes",
     .type = PARAM_STRING,
     .summary = "the answer from its first byte, with {{...}} values"},
    {.name = "bytes_base64",
     .type = PARAM_STRING,
     .summary = "the same as any bytes"},
    {.name = "file",
     .type = PARAM_STRING,
     .summary = "the same from a file; its path counts from the scenario's "
                "folder"},
    {.name = NULL}};

static int check_base64(const struct jval *step, struct diag *diag)
{
  struct jval value;
  struct buf bytes;
  const char *text = NULL;
  if (!jval_member(step, "bytes_base64", &value) ||
      !param_string(step->node, "bytes_base64", &text))
    return 0;
  buf_init(&bytes, MAX_BYTES);
  bool right = base64_decode(bytes_of(text), &bytes);
  buf_release(&bytes);
  return right ? 0 : jval_error(&value, diag, "is not base64 (RFC 4648)");
}

static int check(const struct jval *step, struct diag *diag)
{
  struct jval value;
  const cJSON *node = step->node;
  if (!param_has(node, "bytes") && !param_has(node, "bytes_base64") &&
      !param_has(node, "file"))
    return jval_error(step, diag, "needs 'bytes', 'bytes_base64' or 'file'");
  if (step_check_one_of(step, "bytes", "bytes_base64", diag) < 0 ||
      step_check_one_of(step, "bytes", "file", diag) < 0 ||
      step_check_one_of(step, "bytes_base64", "file", diag) < 0)
    return -1;
  if (jval_member(step, "bytes", &value) && step_check_text(&value, diag) < 0)
    return -1;
  return check_base64(step, diag);
}

static void run(struct exchange *x)
{
  const char *text = NULL, *base64 = NULL;
  const cJSON *step = exchange_step(x);
  struct buf bytes;
  buf_init(&bytes, MAX_BYTES);
  if (param_string(step, "bytes", &text))
    exchange_expand(x, bytes_of(text), &bytes);
  else if (!param_string(step, "bytes_base64", &base64))
    buf_addb(&bytes, exchange_file(x));
  else
    base64_decode(bytes_of(base64), &bytes); /* the loader has tried it */
  exchange_raw(x, buf_bytes(&bytes));
  buf_release(&bytes);
}

const struct fault fault_raw = {.name = "raw",
                                .summary =
                                    "Any bytes instead of an answer, then FIN.",
                                .params = params,
                                .check = check,
                                .run = run};
