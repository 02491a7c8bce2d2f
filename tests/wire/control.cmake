# Strictness, limits, control and what must hold: the engine of test_rig, or
# the program itself.
foreach(name strict sizes)
  add_executable(test_wire_${name}
    ${CMAKE_SOURCE_DIR}/tests/wire/test_wire_${name}.c)
  target_link_libraries(test_wire_${name} PRIVATE rules test_rig mockserver
    pthread PkgConfig::CMOCKA)
  add_test(NAME wire.${name} COMMAND test_wire_${name})
  set_tests_properties(wire.${name} PROPERTIES TIMEOUT 300 LABELS wire)
endforeach()
wire_test(hostile)

# `faultwire serve` in a child
foreach(name control kill peer)
  add_executable(test_wire_${name}
    ${CMAKE_SOURCE_DIR}/tests/wire/served.c
    ${CMAKE_SOURCE_DIR}/tests/wire/test_wire_${name}.c)
  target_link_libraries(test_wire_${name} PRIVATE rules mockserver
    PkgConfig::CMOCKA)
  add_test(NAME wire.${name} COMMAND test_wire_${name})
  set_tests_properties(wire.${name} PROPERTIES TIMEOUT 300 LABELS wire)
endforeach()
