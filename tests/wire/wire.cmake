# wire_test(NAME LIBS...): tests/wire/test_wire_<NAME>.c
function(wire_test name)
  add_executable(test_wire_${name}
    ${CMAKE_SOURCE_DIR}/tests/wire/wire.c
    ${CMAKE_SOURCE_DIR}/tests/wire/call.c
    ${CMAKE_SOURCE_DIR}/tests/wire/test_wire_${name}.c)
  target_link_libraries(test_wire_${name} PRIVATE rules mock_answer ${ARGN}
    pthread PkgConfig::CMOCKA)
  add_test(NAME wire.${name} COMMAND test_wire_${name})
  set_tests_properties(wire.${name} PROPERTIES TIMEOUT 300 LABELS wire)
endfunction()

wire_test(barrier)
wire_test(shape)
wire_test(close)
wire_test(early)
wire_test(head)
wire_test(port)
wire_test(stream)
wire_test(import)
foreach(name upstream secrets)
  wire_test(${name})
  target_sources(test_wire_${name} PRIVATE
    ${CMAKE_SOURCE_DIR}/tests/wire/front.c)
endforeach()
wire_test(cases)

# HTTPS: a TLS client of the test's own
foreach(name tls tls_bad tls_faults)
  wire_test(${name} PkgConfig::GNUTLS)
  target_sources(test_wire_${name} PRIVATE
    ${CMAKE_SOURCE_DIR}/tests/wire/secure.c)
endforeach()
# Long ones begin first: ctest knows it only from a run before.
set_tests_properties(wire.early wire.tls_faults PROPERTIES COST 20)
# curl, node and Python, where they are
if("harness" IN_LIST PARTS)
  add_test(NAME wire.tls_clients COMMAND
    ${CMAKE_SOURCE_DIR}/tests/wire/tls_clients.py $<TARGET_FILE:faultwire>)
  set_tests_properties(wire.tls_clients PROPERTIES TIMEOUT 300 LABELS wire)
endif()
