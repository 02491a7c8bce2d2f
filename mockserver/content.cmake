# What the server says: scenario, script, providers, faults. The engine's
# files are in engine.cmake.
set(MOCK_CONTENT
  admin.c
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
target_include_directories(mock_answer PUBLIC ${CMAKE_SOURCE_DIR}/tests)
target_link_libraries(mock_answer PUBLIC mockserver PRIVATE rules)

add_library(fixture STATIC EXCLUDE_FROM_ALL
  ${CMAKE_SOURCE_DIR}/tests/contract/fixture.c)
target_include_directories(fixture PUBLIC ${CMAKE_SOURCE_DIR}/tests)
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
