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
  report/json.c
  report/junit.c
  report/report.c
  report/tap.c
  report/text.c)

unit_test(report_text harness harness)
unit_test(report_tap harness harness)
unit_test(report_junit harness harness)
unit_test(report_json harness harness)
unit_test(list harness harness)
unit_test(explain harness harness)
unit_test(front harness base)
add_dependencies(test_front faultwire)
