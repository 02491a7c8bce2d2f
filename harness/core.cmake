# The harness without its reports: sets HARNESS_CORE, and the core's tests.
set(HARNESS_CORE
  capture.c
  check/amplification.c
  check/attempts.c
  check/body_same.c
  check/cancel.c
  check/class.c
  check/completion.c
  check/common.c
  check/exit_code.c
  check/gap.c
  check/handshakes.c
  check/herd.c
  check/in_flight.c
  check/isolation.c
  check/metrics_line.c
  check/new_conn.c
  check/no_crash.c
  check/order.c
  check/output.c
  check/output_exact.c
  check/rate.c
  check/recovers.c
  check/self_check.c
  check/side_effect.c
  check/silence.c
  check/slow.c
  check/abort.c
  check/first_call.c
  check/growth.c
  check/spread.c
  check/statement.c
  check/stream_verdict.c
  check/table.c
  check/total_time.c
  check/wait_report.c
  check/waste.c
  evidence.c
  expr.c
  figures.c
  find_time.c
  herd.c
  init/client.c
  init/init.c
  init/look.c
  init/write.c
  jobs.c
  judge.c
  judge_json.c
  judge_picture.c
  judge_time.c
  keep.c
  kept/facts_read.c
  kept/facts_time.c
  kept/facts_write.c
  kept/find.c
  kept/folder.c
  kept/judge_command.c
  kept/replay_command.c
  launch.c
  launch_end.c
  launch_env.c
  launch_files.c
  pattern.c
  policy.c
  progress.c
  progress_live.c
  project/apply.c
  project/project.c
  project/shipped.c
  report_out.c
  run.c
  run_files.c
  run_lane.c
  run_limits.c
  scale/apply.c
  scale/bound.c
  scale/edits.c
  scale/facts.c
  scale/implied.c
  scale/keys.c
  scale/plan.c
  scale/scale.c
  scale/told.c
  scale/value.c
  scale/text.c
  scale/walk.c
  shard.c
  spec.c
  suite.c
  suite_run.c
  sweep.c
  sweep_points.c
  test.c
  test_options.c
  timing.c
  transcript.c
  verdict.c
  worker.c)

foreach(name expr kept_facts policy_file policy_schema progress project spec checks
    check_schema figures herd judge run_files scale scale_keys slow suite sweep
    timing launch)
  unit_test(${name} harness harness)
endforeach()
# What it counts is built into it once more: those of the libraries stay out.
unit_test(scale_work harness harness)
add_library(scale_counted OBJECT
  scale/bound.c scale/edits.c scale/facts.c scale/implied.c scale/keys.c
  scale/plan.c scale/scale.c scale/told.c scale/value.c scale/text.c
  scale/walk.c ${CMAKE_SOURCE_DIR}/lib/base/json.c
  ${CMAKE_SOURCE_DIR}/lib/base/json_locate.c
  ${CMAKE_SOURCE_DIR}/lib/base/param.c)
target_link_libraries(scale_counted PRIVATE rules harness)
target_compile_options(scale_counted PRIVATE -fsanitize-coverage=trace-pc)
target_sources(test_scale_work PRIVATE $<TARGET_OBJECTS:scale_counted>)
# It runs the program, and is the bad clients itself.
unit_test(test_command harness harness)
add_dependencies(test_test_command faultwire)
unit_test(commands harness base)
add_dependencies(test_commands faultwire faultwire-shim)
unit_test(scaled_command harness base)
add_dependencies(test_scaled_command faultwire)
# Needs virtual time; clients that are not installed are left out.
unit_test(virtual_command harness base)
add_dependencies(test_virtual_command faultwire)
unit_test(virtual_verdicts harness base)
add_dependencies(test_virtual_verdicts faultwire)
unit_test(virtual_language harness base)
add_dependencies(test_virtual_language faultwire)
unit_test(virtual_limits harness base)
add_dependencies(test_virtual_limits faultwire)
unit_test(virtual_replay harness base)
add_dependencies(test_virtual_replay faultwire)
unit_test(virtual_places harness base)
add_dependencies(test_virtual_places faultwire vtime_refuse vtime_static_nap)
# Long ones begin first: ctest knows it only from a run before.
set_tests_properties(harness.virtual_verdicts harness.virtual_places
  harness.test_command PROPERTIES COST 10)
