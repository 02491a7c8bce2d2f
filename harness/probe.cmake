# `faultwire probe`: sets HARNESS_PROBE, and its tests.
set(HARNESS_PROBE
  probe/attempts.c
  probe/backoff.c
  probe/baseline.c
  probe/bodies.c
  probe/book.c
  probe/breaker.c
  probe/command.c
  probe/curve.c
  probe/deadline.c
  probe/delays.c
  probe/findings.c
  probe/forms.c
  probe/longest_wait.c
  probe/metrics.c
  probe/metrics_line.c
  probe/obeyed.c
  probe/opening.c
  probe/options.c
  probe/output.c
  probe/output_json.c
  probe/output_policy.c
  probe/patience.c
  probe/registry.c
  probe/rounds.c
  probe/sight.c
  probe/sight_json.c
  probe/span.c
  probe/steps.c
  probe/streams.c
  probe/timeouts.c
  probe/trials.c
  probe/tries.c
  probe/usage_limit.c
  probe/verdict_of.c)

unit_test(probe_curve harness harness)
unit_test(probe_seen harness harness)
unit_test(probe_output harness harness)
unit_test(probe_command harness base)
add_dependencies(test_probe_command faultwire)
