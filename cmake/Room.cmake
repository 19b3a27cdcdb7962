# A room is one folder under src/fairstep and one library.
#
# Every room sees its own headers and those of the rooms it names, and no others: each has an include root of its own,
# build/rooms/<room>/fairstep/<room> -> src/fairstep/<room>. An include against the arrows is then a build error. Two builds
# with the same flags may share these roots: what the compiler sees is then the same, and ccache compiles it once.
set(FAIRSTEP_ROOMS_DIR ${PROJECT_BINARY_DIR}/rooms CACHE PATH "where each room's include root is made")

# The warnings that every target of the project is held to. g++ 12 sees overlapping copies in std::string where there are
# none (`"x" + std::to_string(i)`), so that one warning waits for g++ 13.
add_library(fairstep_warnings INTERFACE)
target_compile_options(fairstep_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${FAIRSTEP_WERROR}>:-Werror>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)

define_property(GLOBAL PROPERTY FAIRSTEP_ROOMS BRIEF_DOCS "every room, in the order of the arrows")

# Code that fuzz inputs run through is instrumented for libFuzzer, which it guides; elsewhere that would only take time.
set(FAIRSTEP_FUZZED_ROOMS core io environments evaluate check experiment)
function(fairstep_guides_fuzzing target)
  target_compile_options(${target} PRIVATE $<$<BOOL:${FAIRSTEP_FUZZING}>:-fsanitize=fuzzer-no-link>)
endfunction()

# fairstep_room(<name> SOURCES ... [DEPENDS room...] [LINKS library...])
# LINKS are private: no public header of a room includes a third party's, except core's tl::expected.
function(fairstep_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPENDS;LINKS" ${ARGN})
  set(root ${FAIRSTEP_ROOMS_DIR}/${name})
  file(MAKE_DIRECTORY ${root}/fairstep)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/fairstep/${name} ${root}/fairstep/${name} SYMBOLIC)

  add_library(fairstep_${name} STATIC ${ROOM_SOURCES})
  add_library(fairstep::${name} ALIAS fairstep_${name})
  set_target_properties(fairstep_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(fairstep_${name} PUBLIC cxx_std_20)
  target_include_directories(fairstep_${name} PUBLIC
    $<BUILD_INTERFACE:${root}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(fairstep_${name} PROPERTIES FAIRSTEP_DEPENDS "${ROOM_DEPENDS}")
  list(TRANSFORM ROOM_DEPENDS PREPEND fairstep_)
  target_link_libraries(fairstep_${name}
    PUBLIC ${ROOM_DEPENDS} PRIVATE ${ROOM_LINKS} $<BUILD_INTERFACE:fairstep_warnings>)
  if(name IN_LIST FAIRSTEP_FUZZED_ROOMS)
    fairstep_guides_fuzzing(fairstep_${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY FAIRSTEP_ROOMS ${name})
endfunction()
