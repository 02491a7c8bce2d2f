set(GUARD_PACING
  call_pace.c
  lanes.c
  pace.c
  pacing.c
  rate_advice.c
  rate_headers.c
  rate_list.c
  resume.c
  resume_model.c
  resume_splice.c
  throttle.c)
unit_test(rate_headers guard guard)
unit_test(throttle guard guard)
unit_test(lanes guard guard)
unit_test(pace guard guard)
unit_test(pace_histories guard guard)
unit_test(call_pace guard guard)
unit_test(resume guard guard)

# A library of its own, so that guard links nothing but libc and cJSON.
pkg_check_modules(SQLITE3 REQUIRED IMPORTED_TARGET sqlite3)
add_library(guard_ledger STATIC ledger.c ledger_run.c)
target_link_libraries(guard_ledger PUBLIC PkgConfig::SQLITE3
  PRIVATE $<BUILD_INTERFACE:rules>)
unit_test(ledger guard guard_ledger)
unit_test(ledger_faults guard guard_ledger)
