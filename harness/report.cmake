# the reports, `faultwire list` and `faultwire explain`
set(HARNESS_REPORT
  explain.c
  explain_client.c
  explain_keys.c
  explain_limits.c
  explain_scenario.c
  explain_server.c
  explain_tls.c
  list.c
  list_rows.c
  list_tables.c
  report/detail.c
  report/escape.c
  report/escape_html.c
  report/github.c
  report/html.c
  report/html_scenario.c
  report/html_starts.c
  report/html_style.c
  report/html_events.c
  report/html_timeline.c
  report/json.c
  report/junit.c
  report/load.c
  report/report.c
  report/sarif.c
  report/scale.c
  report/summary.c
  report/tap.c
  report/text.c
  report/time_line.c
  report/timeline.c
  runs/change.c
  runs/change_print.c
  runs/compare.c
  runs/join.c
  runs/merge.c)

unit_test(report_text harness harness)
unit_test(report_tap harness harness)
unit_test(report_junit harness harness)
unit_test(report_json harness harness)
unit_test(report_html harness harness)
unit_test(report_sarif harness harness)
unit_test(report_github harness harness)
unit_test(report_load harness harness)
unit_test(time_line harness harness)
unit_test(timeline harness harness)
unit_test(picture harness harness)
unit_test(shard harness harness)
unit_test(runs harness harness)
add_dependencies(test_runs faultwire)
unit_test(list harness harness)
unit_test(explain harness harness)
unit_test(front harness base)
add_dependencies(test_front faultwire)

# What a browser would say of the HTML report, as far as no browser is needed;
# with Chromium by hand: tests/pages/check FAULTWIRE
add_test(NAME harness.pages COMMAND
  ${CMAKE_SOURCE_DIR}/tests/pages/check $<TARGET_FILE:faultwire>
  --no-browser --selftest)
set_tests_properties(harness.pages PROPERTIES TIMEOUT 120 LABELS unit)
