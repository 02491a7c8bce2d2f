set(GUARD_CONTROLS
  backoff.c
  breaker.c
  budget.c
  call.c
  deadline.c
  metrics.c
  policy.c)
unit_test(policy guard guard)
unit_test(backoff guard guard)
unit_test(breaker guard guard)
unit_test(budget guard guard)
unit_test(deadline guard guard)
unit_test(metrics guard guard)
unit_test(call guard guard)
unit_test(call_reports guard guard)
