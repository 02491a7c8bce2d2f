/*
 * fuzz_error_body.c - the classifier on any answer; input as in answer.h.
 */
#include "fuzz/answer.h"
#include "fuzz/fuzz.h"

static void check_success(const struct guard_answer *a)
{
  struct guard_answer success = *a;
  struct guard_verdict v;

  success.channel = GUARD_STDOUT;
  success.has_exit_code = true;
  success.exit_code = 0;
  success.status = 0;
  success.body = "The log says: 429 rate limit, overloaded, try again in 20s.";
  success.body_n = strlen(success.body);
  success.nheaders = 0;
  v = guard_classify(&success);
  PROPERTY(v.cls == GUARD_NONE,
           "a sentence about limits in a good answer is no limit");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct fuzz_answer a;
  struct guard_verdict v, again;

  fuzz_answer_init(&a, data, size);
  v = guard_classify(&a.answer);
  fuzz_check_verdict(&v);
  again = guard_classify(&a.answer);
  PROPERTY(v.cls == again.cls && v.retryable == again.retryable &&
               v.hint == again.hint && v.rule == again.rule,
           "same answer, same verdict");
  if (v.hint == GUARD_HINT_WAIT)
    PROPERTY(v.wait_ms == again.wait_ms, "same answer, same wait");
  check_success(&a.answer);
  fuzz_answer_release(&a);
  return 0;
}
