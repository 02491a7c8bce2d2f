# What the server says: scenario, script, providers, faults. The engine's
# files are in engine.cmake.
# A fault kind is one file and one line: faults.def is the list of both.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_SOURCE_DIR}/faults.def)
file(STRINGS faults.def MOCK_FAULTS REGEX "^FAULT\\(")
list(TRANSFORM MOCK_FAULTS REPLACE "FAULT\\((.*)\\)" "fault/\\1.c")
set(MOCK_CONTENT
  ${MOCK_FAULTS}
  act.c
  admin.c
  admin_change.c
  admin_paths.c
  admin_peer.c
  admin_show.c
  answer_cache.c
  barrier.c
  base64.c
  command/claude.c
  command/codex.c
  command/folder.c
  command/gemini.c
  command/host.c
  command/pieces.c
  command/registry.c
  command/said.c
  command/session.c
  command/session_attempt.c
  command/session_run.c
  command/shim.c
  command/signals.c
  command/start.c
  command/step.c
  command/text.c
  command/zone.c
  call.c
  call_scan.c
  cue.c
  encode.c
  endpoint.c
  endpoint_config.c
  endpoint_reply.c
  endpoint_store.c
  exchange.c
  exchange_limit.c
  exchange_body.c
  exchange_pace.c
  exchange_shape.c
  exchange_stream.c
  exchange_tape.c
  exchange_wire.c
  error_queue.c
  force.c
  instruction.c
  retry_test.c
  ids.c
  json_edit.c
  limit_gate.c
  limiter.c
  limits.c
  limits_cache.c
  limits_open.c
  limits_read.c
  limits_request.c
  metrics.c
  metrics_table.c
  midnight.c
  multipart.c
  port.c
  reason.c
  reply.c
  reply_step.c
  request_copy.c
  scenario.c
  scenario_step.c
  script.c
  server.c
  server_arm.c
  server_queued.c
  wire_calls.c
  wire_verdict.c
  wire_verdict_text.c
  side.c
  shape.c
  shape_points.c
  shape_read.c
  step_body.c
  step_check.c
  step_talk.c
  step_file.c
  step_head.c
  step_when.c
  stream_out.c
  talk.c
  tape.c
  tape_check.c
  tape_find.c
  value.c
  value_local.c
  zone.c
  zone_rule.c
  endpoint/anthropic_batches.c
  endpoint/count_tokens.c
  endpoint/embeddings.c
  endpoint/models.c
  endpoint/openai_batches.c
  endpoint/openai_files.c
  endpoint/probes.c
  fault/registry.c
  provider/anthropic.c
  provider/anthropic_errors.c
  provider/anthropic_limits.c
  provider/gemini.c
  provider/gemini_errors.c
  provider/gemini_limits.c
  provider/limits.c
  provider/openai_chat.c
  provider/openai_errors.c
  provider/openai_limits.c
  provider/openai_responses.c
  provider/registry.c
  provider/talk.c)

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
contract_test(contract_command mockserver)

unit_test(value mockserver mockserver)
unit_test(mock_call mockserver mockserver)
unit_test(scenario mockserver mockserver)
unit_test(script mockserver mock_answer)
unit_test(when mockserver mock_answer)
unit_test(shape mockserver mockserver)
unit_test(zone mockserver mockserver)
unit_test(command_step mockserver mockserver)
unit_test(command_text mockserver mockserver)
unit_test(faults mockserver mock_answer)
unit_test(answers mockserver mock_answer)
unit_test(bodies mockserver mock_answer)
unit_test(encode mockserver mockserver)
unit_test(replies mockserver mock_answer)
unit_test(talk mockserver mock_answer)
unit_test(stream_out mockserver mockserver)
unit_test(stream_fault mockserver mock_answer)
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
include(${CMAKE_SOURCE_DIR}/tests/wire/wire.cmake)
include(${CMAKE_SOURCE_DIR}/tests/wire/control.cmake)

# tests/wire: stand-in commands, started as a client starts them
foreach(name command command_raw)
  add_executable(test_wire_${name}
    ${CMAKE_SOURCE_DIR}/tests/wire/stage.c
    ${CMAKE_SOURCE_DIR}/tests/wire/test_wire_${name}.c)
  target_link_libraries(test_wire_${name} PRIVATE rules mockserver pthread
    PkgConfig::CMOCKA)
  add_dependencies(test_wire_${name} faultwire-shim)
  add_test(NAME wire.${name} COMMAND test_wire_${name})
  set_tests_properties(wire.${name} PROPERTIES TIMEOUT 300 LABELS wire)
endforeach()

# limiter and endpoints: pure parts, and as they are met on a socket
unit_test(limiter mockserver mockserver)
unit_test(midnight mockserver mockserver)
unit_test(multipart mockserver mockserver)
unit_test(limits_config mockserver mockserver)
# limits_wire_test(NAME RIG): tests/wire/test_wire_<NAME>.c with its rig
function(limits_wire_test name rig)
  add_executable(test_wire_${name}
    ${CMAKE_SOURCE_DIR}/tests/wire/wire.c
    ${CMAKE_SOURCE_DIR}/tests/wire/${rig}.c
    ${CMAKE_SOURCE_DIR}/tests/wire/test_wire_${name}.c)
  target_link_libraries(test_wire_${name} PRIVATE rules mock_answer pthread
    PkgConfig::CMOCKA)
  add_test(NAME wire.${name} COMMAND test_wire_${name})
  set_tests_properties(wire.${name} PROPERTIES TIMEOUT 300 LABELS wire)
endfunction()
limits_wire_test(limits limits_rig)
limits_wire_test(limits_count limits_rig)
limits_wire_test(endpoints asker)
limits_wire_test(batches asker)

# import/, upstream/: logs of others, secrets, calls passed on
unit_test(moment import mockserver)
unit_test(import import mockserver)
