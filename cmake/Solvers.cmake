# HiGHS (linear programs), Ipopt (smooth programs) and DuckDB (logs), as the targets fairstep_deps::highs,
# fairstep_deps::ipopt and fairstep_deps::duckdb.
#
# One that is installed and new enough comes first; then the copy under FAIRSTEP_DEPS_DIR, which scripts/bootstrap
# unpacks for a build and `cmake --install` puts beside an installed fairstep. This file serves both.

# A library of the copy: its headers (absent beside an installed fairstep, which needs none) and its folder.
function(fairstep_bundled_library name file)
  set(root ${FAIRSTEP_DEPS_DIR}/${name})
  if(NOT EXISTS ${root}/lib/${file})
    message(FATAL_ERROR "${name} was found neither on this system nor at ${root}/lib/${file}: run scripts/bootstrap")
  endif()
  add_library(fairstep_deps::${name} SHARED IMPORTED GLOBAL)
  set_target_properties(fairstep_deps::${name} PROPERTIES IMPORTED_LOCATION ${root}/lib/${file} IMPORTED_SONAME ${file})
  foreach(folder ${ARGN})
    if(EXISTS ${root}/${folder})
      target_include_directories(fairstep_deps::${name} INTERFACE ${root}/${folder})
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY FAIRSTEP_BUNDLED ${name})
endfunction()

if(NOT TARGET fairstep_deps::highs)
  find_package(highs 1.10 CONFIG QUIET)
  if(TARGET highs::highs)
    add_library(fairstep_deps::highs INTERFACE IMPORTED GLOBAL)
    target_link_libraries(fairstep_deps::highs INTERFACE highs::highs)
  else()
    fairstep_bundled_library(highs libhighs.so.1 include include/highs)
  endif()
endif()

if(NOT TARGET fairstep_deps::ipopt)
  # Ipopt before 3.14 is not safe to run in several threads.
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(FAIRSTEP_IPOPT QUIET IMPORTED_TARGET GLOBAL ipopt>=3.14)
  endif()
  if(TARGET PkgConfig::FAIRSTEP_IPOPT)
    add_library(fairstep_deps::ipopt INTERFACE IMPORTED GLOBAL)
    target_link_libraries(fairstep_deps::ipopt INTERFACE PkgConfig::FAIRSTEP_IPOPT)
  else()
    fairstep_bundled_library(ipopt libipopt.so.3 include/coin-or)
  endif()
endif()

if(NOT TARGET fairstep_deps::duckdb)
  find_package(DuckDB 1.4 CONFIG QUIET)
  if(TARGET duckdb)
    add_library(fairstep_deps::duckdb INTERFACE IMPORTED GLOBAL)
    target_link_libraries(fairstep_deps::duckdb INTERFACE duckdb)
  else()
    fairstep_bundled_library(duckdb libduckdb.so include)
  endif()
endif()
