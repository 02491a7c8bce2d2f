# What the server says: scenario, script, providers, faults. The engine's
# files are in engine.cmake.
set(MOCK_CONTENT
  admin.c
  answer_cache.c
  base64.c
  call.c
  call_scan.c
  exchange.c
  exchange_stream.c
  ids.c
  reason.c
  reply.c
  scenario.c
  scenario_step.c
  script.c
  server.c
  side.c
  step_check.c
  value.c
  fault/hang.c
  fault/none.c
  fault/overloaded.c
  fault/rate_limit.c
  fault/registry.c
  fault/reset.c
  fault/stall.c
  fault/status.c
  fault/stream_cut.c
  fault/stream_error.c
  fault/usage_limit.c
  provider/anthropic.c
  provider/anthropic_errors.c
  provider/gemini.c
  provider/gemini_errors.c
  provider/openai_chat.c
  provider/openai_errors.c
  provider/openai_responses.c
  provider/registry.c)

# answer.c: what the handler writes, as text, for the tests of this folder.
add_library(mock_answer STATIC EXCLUDE_FROM_ALL
  ${CMAKE_SOURCE_DIR}/tests/contract/answer.c)
target_link_libraries(mock_answer PUBLIC mockserver PRIVATE rules)

add_library(fixture STATIC EXCLUDE_FROM_ALL
  ${CMAKE_SOURCE_DIR}/tests/contract/fixture.c)
target_link_libraries(fixture PUBLIC base PRIVATE rules)

# contract_test(NAME LIBS...): tests/contract/test_<NAME>.c
function(contract_test name)
  add_executable(test_${name}
    ${CMAKE_SOURCE_DIR}/tests/contract/test_${name}.c)
  target_link_libraries(test_${name} PRIVATE rules ${ARGN} fixture
    PkgConfig::CMOCKA)
  target_compile_definitions(test_${name} PRIVATE
    SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_test(NAME contract.${name} COMMAND test_${name})
  set_tests_properties(contract.${name} PROPERTIES TIMEOUT 120
    LABELS contract)
endfunction()

contract_test(contract_server mock_answer)

unit_test(value mockserver mockserver)
unit_test(mock_call mockserver mockserver)
unit_test(scenario mockserver mockserver)
unit_test(script mockserver mock_answer)
unit_test(faults mockserver mock_answer)
unit_test(answers mockserver mock_answer)
unit_test(schema mockserver mockserver)
if(TARGET guard)
  contract_test(contract_guard guard)
  contract_test(contract_streams guard)
endif()

# tests/wire: faults through the real engine on a real socket
add_executable(test_wire_faults
  ${CMAKE_SOURCE_DIR}/tests/wire/wire.c
  ${CMAKE_SOURCE_DIR}/tests/wire/test_wire_faults.c)
target_link_libraries(test_wire_faults PRIVATE rules mock_answer pthread
  PkgConfig::CMOCKA)
add_test(NAME wire.faults COMMAND test_wire_faults)
set_tests_properties(wire.faults PROPERTIES TIMEOUT 300 LABELS wire)
