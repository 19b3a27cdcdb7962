# `cmake --install` and the package `find_package(fairstep)` with the target fairstep::fairstep.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fairstep)
get_property(rooms GLOBAL PROPERTY FAIRSTEP_ROOMS)
list(TRANSFORM rooms PREPEND fairstep_ OUTPUT_VARIABLE room_targets)

install(TARGETS ${room_targets} fairstep EXPORT fairstep-targets)
# Headers under internal/ are for the rooms themselves and may include third parties' headers.
install(DIRECTORY src/fairstep DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp"
  PATTERN "internal" EXCLUDE)
install(EXPORT fairstep-targets NAMESPACE fairstep:: DESTINATION ${package_dir})
configure_package_config_file(cmake/fairstep-config.cmake.in ${PROJECT_BINARY_DIR}/fairstep-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fairstep-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fairstep-config.cmake ${PROJECT_BINARY_DIR}/fairstep-config-version.cmake
  DESTINATION ${package_dir})
install(DIRECTORY schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/fairstep)
