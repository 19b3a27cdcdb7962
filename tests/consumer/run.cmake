# Installs BUILD under WORK, moves the installation, then builds and runs the project in SOURCE against it.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
file(RENAME ${WORK}/first ${WORK}/moved)

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G ${GENERATOR}
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${WORK}/moved -D CMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)

# The package it found is the one just installed, and the command came along.
file(STRINGS ${WORK}/build/CMakeCache.txt found REGEX "^fairstep_DIR:PATH=${WORK}/moved/")
if(NOT found)
  message(FATAL_ERROR "find_package(fairstep) did not find the moved installation")
endif()
if(EXISTS ${BUILD}/bin/fairstep)
  run(${WORK}/moved/bin/fairstep --version)
  # So did its completions and its manual page, to where shells and man look for them.
  foreach(words share/bash-completion/completions/fairstep share/zsh/site-functions/_fairstep share/man/man1/fairstep.1)
    file(READ ${WORK}/moved/${words} text)
    string(FIND "${text}" "fairness" at)
    if(at EQUAL -1)
      message(FATAL_ERROR "${words} does not know the options of fairstep")
    endif()
  endforeach()
endif()

# Nothing installed may point back into the build.
file(GLOB_RECURSE scripts ${WORK}/moved/*.cmake)
foreach(script ${scripts})
  file(READ ${script} text)
  string(FIND "${text}" "${BUILD}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "${script} names the build folder ${BUILD}")
  endif()
endforeach()
