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
unit_test(breaker_model guard guard)
# a dropped permit, as a debug build has it and as the others do
unit_test(call_dropped guard guard)
target_sources(test_call_dropped PRIVATE breaker.c call.c)
target_compile_options(test_call_dropped PRIVATE -UGUARD_DEBUG)
add_executable(test_call_dropped_debug
  ${CMAKE_SOURCE_DIR}/tests/unit/guard/test_call_dropped.c breaker.c call.c)
target_compile_definitions(test_call_dropped_debug PRIVATE GUARD_DEBUG)
target_link_libraries(test_call_dropped_debug PRIVATE rules guard
  PkgConfig::CMOCKA)
add_test(NAME guard.call_dropped_debug COMMAND test_call_dropped_debug)
set_tests_properties(guard.call_dropped_debug PROPERTIES TIMEOUT 120 LABELS unit)
