# How the server talks on the wire: plans, journal, sockets, and the serve
# command.
set(MOCK_ENGINE
  arena.c
  engine.c
  engine_body.c
  engine_conn.c
  engine_decide.c
  engine_exec.c
  engine_feed.c
  engine_head.c
  engine_known.c
  engine_late.c
  engine_listen.c
  engine_parse.c
  engine_port.c
  engine_skip.c
  engine_tcp.c
  engine_tls.c
  engine_watch.c
  attempt_base64.c
  attempt_events.c
  attempt_read.c
  gate.c
  journal.c
  journal_json.c
  journal_read.c
  mask.c
  plan.c
  request.c
  request_check.c
  preset.c
  serve.c
  serve_options.c
  serve_reload.c
  serve_tls.c
  timer.c
  tls.c
  tls_ca.c
  tls_cert.c
  tls_config.c)

# an engine in a thread and raw sockets against it
add_library(test_rig STATIC ${CMAKE_SOURCE_DIR}/tests/unit/mockserver/rig.c)
target_link_libraries(test_rig PUBLIC mockserver pthread PkgConfig::CMOCKA
  PRIVATE rules)
unit_test(departures mockserver test_rig mockserver)
unit_test(engine mockserver test_rig mockserver)
unit_test(engine_known mockserver test_rig mockserver)
unit_test(engine_late mockserver mockserver)
unit_test(engine_stats mockserver test_rig mockserver)
unit_test(admin mockserver mock_answer)
unit_test(admin_peer mockserver mock_answer)
unit_test(wire_verdict mockserver mockserver)
unit_test(metrics_starts mockserver mockserver)
unit_test(metrics_table mockserver mockserver)
unit_test(refusals mockserver test_rig mockserver)
unit_test(journal mockserver mockserver)
unit_test(journal_read mockserver mockserver)
unit_test(plan mockserver mockserver)
unit_test(timer mockserver mockserver)
unit_test(tls_ca mockserver mockserver)

# measuring tools, see tests/bench/run
if(EXISTS ${CMAKE_SOURCE_DIR}/tests/bench/CMakeLists.txt)
  add_subdirectory(${CMAKE_SOURCE_DIR}/tests/bench
    ${CMAKE_BINARY_DIR}/tests/bench)
endif()
