# The harness without its reports: sets HARNESS_CORE, and the core's tests.
set(HARNESS_CORE
  capture.c
  check/attempts.c
  check/body_same.c
  check/cancel.c
  check/class.c
  check/common.c
  check/exit_code.c
  check/gap.c
  check/handshakes.c
  check/in_flight.c
  check/isolation.c
  check/metrics_line.c
  check/new_conn.c
  check/no_crash.c
  check/order.c
  check/output.c
  check/rate.c
  check/recovers.c
  check/side_effect.c
  check/silence.c
  check/abort.c
  check/first_call.c
  check/growth.c
  check/spread.c
  check/stream_verdict.c
  check/table.c
  check/total_time.c
  check/wait_report.c
  evidence.c
  expr.c
  jobs.c
  judge.c
  judge_json.c
  keep.c
  launch.c
  launch_end.c
  launch_env.c
  launch_files.c
  pattern.c
  policy.c
  run.c
  run_files.c
  run_lane.c
  spec.c
  suite.c
  test.c
  test_options.c
  transcript.c
  verdict.c
  worker.c)

foreach(name expr policy_file spec checks check_schema judge suite launch
    run_files)
  unit_test(${name} harness harness)
endforeach()
# It runs the program, and is the bad clients itself.
unit_test(test_command harness harness)
add_dependencies(test_test_command faultwire)
unit_test(commands harness base)
add_dependencies(test_commands faultwire faultwire-shim)
