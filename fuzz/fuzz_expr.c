/*
 * fuzz_expr.c - the expressions of expectations, parsed and evaluated.
 */
#include "fuzz/fuzz.h"
#include "harness/expr.h"

static enum expr_result evaluate(const struct expr *e, bool has_retry_after,
                                 double *ret)
{
  struct expr_vars vars = {.has_retry_after = has_retry_after,
                           .retry_after_s = 2,
                           .step = -1,
                           .attempt = 3};
  struct policy policy;
  struct buf notes;
  char why[200] = "";
  enum expr_result result;

  policy_none(&policy);
  vars.policy = &policy;
  buf_init(&notes, 4096);
  result = expr_eval(e, &vars, &notes, ret, why, sizeof(why));
  PROPERTY(result == EXPR_OK || why[0], "no value has a reason");
  buf_release(&notes);
  policy_release(&policy);
  return result;
}

/* Sum of the stack's changes: one value is left at the end. */
static void check_polish(const struct expr *e)
{
  int depth = 0;

  for (size_t i = 0; i < e->n; i++) {
    if (e->ops[i].kind <= EXPR_NAME)
      depth++;
    else if (e->ops[i].kind != EXPR_NEGATE)
      depth--;
    PROPERTY(depth >= 1, "no operation without its values");
  }
  PROPERTY(depth == 1, "one value is left");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct expr e;
  char *text = fuzz_text(data, size);
  char why[200] = "";
  size_t at = 0;
  double first, second;

  if (expr_parse(&e, text, why, sizeof(why), &at) < 0) {
    PROPERTY(why[0], "an error has a sentence");
    PROPERTY(at >= 1 && at <= strlen(text) + 1, "and a place in the text");
  } else {
    PROPERTY(e.n >= 1 && e.n <= EXPR_MAX_OPS, "a list within its ceiling");
    check_polish(&e);
    if (evaluate(&e, true, &first) == EXPR_OK &&
        evaluate(&e, true, &second) == EXPR_OK)
      PROPERTY(memcmp(&first, &second, sizeof(first)) == 0,
               "same moment, same value");
    evaluate(&e, false, &first);
  }
  free(text);
  return 0;
}
