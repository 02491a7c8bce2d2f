#include "harness/verdict.h"

#include <assert.h>

const char *verdict_name(enum verdict v)
{
  static const char *const names[NVERDICTS] = {[VERDICT_PASS] = "pass",
                                               [VERDICT_WARN] = "warn",
                                               [VERDICT_SKIP] = "skip",
                                               [VERDICT_INCONCLUSIVE] =
                                                   "inconclusive",
                                               [VERDICT_FAIL] = "fail"};
  assert(v < NVERDICTS);
  return names[v];
}

const char *kind_name(enum kind k)
{
  static const char *const names[NKINDS] = {[KIND_NONE] = "none",
                                            [KIND_ASSERT] = "assert",
                                            [KIND_HANG] = "hang",
                                            [KIND_STALLED] = "stalled",
                                            [KIND_CRASH] = "crash",
                                            [KIND_NO_CONTACT] = "no-contact",
                                            [KIND_NOT_DELIVERED] =
                                                "not-delivered",
                                            [KIND_HARNESS] = "harness"};
  assert(k < NKINDS);
  return names[k];
}
