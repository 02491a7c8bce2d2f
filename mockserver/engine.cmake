# How the server talks on the wire: plans, journal, sockets, and the serve
# command.
set(MOCK_ENGINE
  arena.c
  engine.c
  engine_conn.c
  engine_decide.c
  engine_exec.c
  engine_known.c
  engine_late.c
  engine_listen.c
  engine_parse.c
  engine_skip.c
  engine_tcp.c
  engine_watch.c
  journal.c
  journal_json.c
  mask.c
  plan.c
  request.c
  serve.c
  timer.c)

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
unit_test(refusals mockserver test_rig mockserver)
unit_test(journal mockserver mockserver)
unit_test(plan mockserver mockserver)
unit_test(timer mockserver mockserver)

# measuring tools, see tests/bench/run
if(EXISTS ${CMAKE_SOURCE_DIR}/tests/bench/CMakeLists.txt)
  add_subdirectory(${CMAKE_SOURCE_DIR}/tests/bench
    ${CMAKE_BINARY_DIR}/tests/bench)
endif()
