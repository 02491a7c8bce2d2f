/* Begin, work and finish in one. */
#include "guard/ledger.h"

enum guard_ledger_step guard_ledger_run_once(struct guard_ledger *l,
                                             const struct guard_job *job,
                                             int64_t now_ms,
                                             guard_ledger_work *work, void *arg,
                                             struct guard_result *ret)
{
  struct guard_entry entry;
  struct guard_result result = {NULL, 0};
  enum guard_ledger_step step = guard_ledger_begin(l, job, now_ms, &entry);

  if (step == GUARD_LEDGER_DONE)
    *ret = entry.result;
  if (step != GUARD_LEDGER_RUN)
    return step;
  switch (work(arg, &entry.claim, &result)) {
  case GUARD_WORK_DONE:
    *ret = result;
    return guard_ledger_finish(l, &entry.claim, &result);
  case GUARD_WORK_NOTHING:
    step = guard_ledger_drop(l, &entry.claim);
    return step == GUARD_LEDGER_DONE ? GUARD_LEDGER_RUN : step;
  case GUARD_WORK_UNKNOWN:
    break;
  }
  return GUARD_LEDGER_BUSY;
}
