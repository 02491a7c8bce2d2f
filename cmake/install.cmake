# What `cmake --install` copies: the programs, their scenarios, and lib/guard
# for other programs to link, found by find_package() and by pkg-config.
# tests/packaging/check proves it. All paths are relative to the prefix, so
# that the tree may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(PACKAGE_INCLUDE ${CMAKE_INSTALL_INCLUDEDIR}/faultwire)
set(PACKAGE_CMAKE ${CMAKE_INSTALL_LIBDIR}/cmake/faultwire)
set(PACKAGE_DATA ${CMAKE_INSTALL_DATADIR}/faultwire)

foreach(program faultwire faultwire-shim guard_cmd)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()
# Beside the programs: harness/vtime/preload/place.c looks there.
if(TARGET vtime_shim)
  install(TARGETS vtime_shim LIBRARY DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY harness/scenarios DESTINATION ${PACKAGE_DATA})
install(DIRECTORY tests/policies DESTINATION ${PACKAGE_DATA})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(NOT TARGET guard)
  return()
endif()

# A header is public unless it says that it is not; a list an X-macro header
# includes goes with it.
file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/lib/guard/*.h)
foreach(header ${headers})
  file(READ ${header} text)
  if(text MATCHES "inside[ \n*]+lib/guard[ \n*]+only")
    continue()
  endif()
  list(APPEND public ${header})
  string(REGEX MATCHALL "include \"guard/[a-z_]+\\.def\"" lists "${text}")
  foreach(line ${lists})
    string(REGEX REPLACE "include \"(.*)\"" "lib/\\1" file ${line})
    list(APPEND public ${CMAKE_SOURCE_DIR}/${file})
  endforeach()
endforeach()
install(FILES ${public} DESTINATION ${PACKAGE_INCLUDE}/guard)

# package_library(TARGET NAME): faultwire::NAME, libfaultwire_NAME.a and
# faultwire-NAME.pc
function(package_library target name)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME faultwire_${name} EXPORT_NAME ${name})
  target_include_directories(${target} INTERFACE
    $<INSTALL_INTERFACE:${PACKAGE_INCLUDE}>)
  install(TARGETS ${target} EXPORT faultwire-${name}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT faultwire-${name} NAMESPACE faultwire::
    DESTINATION ${PACKAGE_CMAKE})
  string(REGEX REPLACE "[^/]+" ".." PC_UP ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  configure_file(cmake/faultwire-${name}.pc.in
    ${CMAKE_BINARY_DIR}/faultwire-${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/faultwire-${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
package_library(guard guard)
package_library(guard_ledger ledger)

configure_package_config_file(cmake/faultwire-config.cmake.in
  ${CMAKE_BINARY_DIR}/faultwire-config.cmake
  INSTALL_DESTINATION ${PACKAGE_CMAKE})
write_basic_package_version_file(
  ${CMAKE_BINARY_DIR}/faultwire-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/faultwire-config.cmake
  ${CMAKE_BINARY_DIR}/faultwire-config-version.cmake
  DESTINATION ${PACKAGE_CMAKE})
