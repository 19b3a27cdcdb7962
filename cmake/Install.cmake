# `cmake --install`: the command, the library, and the package `find_package(fairstep)` with the target
# fairstep::fairstep. What is installed may be moved: nothing in it names a folder of the build.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fairstep)
get_property(rooms GLOBAL PROPERTY FAIRSTEP_ROOMS)
list(TRANSFORM rooms PREPEND fairstep_ OUTPUT_VARIABLE room_targets)

install(TARGETS ${room_targets} fairstep EXPORT fairstep-targets)
install(EXPORT fairstep-targets NAMESPACE fairstep:: DESTINATION ${package_dir})
# Headers in a folder inside a room are for the room itself, those in shared/ for other rooms too, and may include third
# parties' headers.
install(DIRECTORY src/fairstep DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp"
  REGEX "/src/fairstep/[a-z_]+/[a-z_]+$" EXCLUDE)
install(DIRECTORY schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/fairstep OPTIONAL)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The solver libraries travel along unless the system has its own.
set(FAIRSTEP_USES_SOLVERS FALSE)
set(FAIRSTEP_INSTALLED_DEPS_DIR ${CMAKE_INSTALL_LIBDIR}/fairstep)
if(TARGET fairstep_deps::highs)
  set(FAIRSTEP_USES_SOLVERS TRUE)
  install(FILES cmake/Solvers.cmake DESTINATION ${package_dir})
endif()
get_property(bundled GLOBAL PROPERTY FAIRSTEP_BUNDLED)
foreach(library ${bundled})
  install(DIRECTORY ${FAIRSTEP_DEPS_DIR}/${library}/lib ${FAIRSTEP_DEPS_DIR}/${library}/licenses
    DESTINATION ${FAIRSTEP_INSTALLED_DEPS_DIR}/${library})
  if(TARGET fairstep_command)
    file(RELATIVE_PATH to_deps /${CMAKE_INSTALL_BINDIR} /${FAIRSTEP_INSTALLED_DEPS_DIR})
    set_property(TARGET fairstep_command APPEND PROPERTY INSTALL_RPATH $ORIGIN/${to_deps}/${library}/lib)
  endif()
endforeach()

configure_package_config_file(cmake/fairstep-config.cmake.in ${PROJECT_BINARY_DIR}/fairstep-config.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS FAIRSTEP_INSTALLED_DEPS_DIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fairstep-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fairstep-config.cmake ${PROJECT_BINARY_DIR}/fairstep-config-version.cmake
  DESTINATION ${package_dir})
