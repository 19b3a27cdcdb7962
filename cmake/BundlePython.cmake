# Makes an installed Python package whole: the libraries in fairstep/lib get names that no other package has, and find
# each other there. Otherwise a process that has another HiGHS or Ipopt loaded would give us that one, since the loader
# knows a library by its name alone.
#
# Run by `cmake --install` with PATCHELF and PACKAGE (the folder fairstep) set.

function(patch)
  execute_process(COMMAND ${PATCHELF} ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(GLOB installed ${PACKAGE}/lib/*.so*)
set(libraries "")
set(renaming "")
foreach(file ${installed})
  if(IS_SYMLINK ${file})
    file(REMOVE ${file})
    continue()
  endif()
  execute_process(COMMAND ${PATCHELF} --print-soname ${file} OUTPUT_VARIABLE name OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "^lib" "libfairstep_" new_name ${name})
  file(RENAME ${file} ${PACKAGE}/lib/${new_name})
  list(APPEND libraries ${new_name})
  list(APPEND renaming --replace-needed ${name} ${new_name})
endforeach()

foreach(library ${libraries})
  patch(--set-soname ${library} ${renaming} --set-rpath $ORIGIN ${PACKAGE}/lib/${library})
endforeach()
file(GLOB module ${PACKAGE}/_core*.so)
patch(${renaming} --set-rpath $ORIGIN/lib ${module})
