# Turns the CSV files of data/fico into a constexpr C++ table, so that the library needs no file and no CSV reader.
#
# Whatever is not as expected (header, number of columns, a number with other than two decimals, scores that differ between
# the files) stops the configure step: a table that has changed must be looked at, not read somehow.

set(FICO_HEADER "Non- Hispanic white,Black,Hispanic,Asian")

# fairstep_read_fico(<file> <first column's name> <variable>): the lines below the header.
function(fairstep_read_fico file first result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} lines)
  list(POP_FRONT lines header)
  if(NOT header STREQUAL "${first},${FICO_HEADER}")
    message(FATAL_ERROR "${file}: the header is\n  ${header}\nexpected\n  ${first},${FICO_HEADER}")
  endif()
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

# fairstep_split_fico(<file> <line> <key pattern> <value pattern>): sets `key` and `values` (comma-separated) in the caller.
function(fairstep_split_fico file line key_pattern value_pattern)
  if(NOT line MATCHES "^(${key_pattern}),(${value_pattern},${value_pattern},${value_pattern},${value_pattern})$")
    message(FATAL_ERROR "${file}: cannot use the line\n  ${line}\nexpected a key and four numbers like those around it")
  endif()
  set(key "${CMAKE_MATCH_1}" PARENT_SCOPE)
  set(values "${CMAKE_MATCH_2}" PARENT_SCOPE)
endfunction()

# fairstep_hundredths(<variable> "1.25,0.07,..."): "125,7,...". Leading zeros go, or C++ would read the number as octal.
function(fairstep_hundredths result values)
  string(REPLACE "." "" values "${values}")
  string(REGEX REPLACE "(^|,)0+([0-9])" "\\1\\2" values "${values}")
  set(${result} "${values}" PARENT_SCOPE)
endfunction()

# fairstep_embed_fico(<data folder> <header to make>)
function(fairstep_embed_fico folder output)
  set(cdf ${folder}/transrisk_cdf_by_race_ssa.csv)
  set(performance ${folder}/transrisk_performance_by_race_ssa.csv)
  set(totals ${folder}/totals.csv)
  set(score "[0-9]+|[0-9]+[.]5")
  set(percent "[0-9]+[.][0-9][0-9]")

  fairstep_read_fico(${totals} Kind lines)
  if(NOT lines MATCHES "^[^;]+$")
    message(FATAL_ERROR "${totals}: expected one row below the header")
  endif()
  fairstep_split_fico(${totals} "${lines}" "SSA" "[1-9][0-9]*")
  set(FICO_PEOPLE "${values}")

  fairstep_read_fico(${cdf} Score cdf_lines)
  fairstep_read_fico(${performance} Score performance_lines)
  list(LENGTH cdf_lines FICO_ROWS_LENGTH)
  list(LENGTH performance_lines performance_length)
  if(NOT FICO_ROWS_LENGTH EQUAL performance_length)
    message(FATAL_ERROR "${cdf} has ${FICO_ROWS_LENGTH} rows and ${performance} ${performance_length}, expected as many")
  endif()

  set(FICO_ROWS "")
  foreach(cdf_line performance_line IN ZIP_LISTS cdf_lines performance_lines)
    fairstep_split_fico(${cdf} "${cdf_line}" "${score}" "${percent}")
    set(cdf_score ${key})
    fairstep_hundredths(at_most "${values}")
    fairstep_split_fico(${performance} "${performance_line}" "${score}" "${percent}")
    fairstep_hundredths(defaulted "${values}")
    if(NOT cdf_score STREQUAL key)
      message(FATAL_ERROR "${performance}: the score is ${key} where ${cdf} has ${cdf_score}")
    endif()
    if(key MATCHES "^([0-9]+)[.]5$")
      math(EXPR half_points "2 * ${CMAKE_MATCH_1} + 1")
    else()
      math(EXPR half_points "2 * ${key}")
    endif()
    string(APPEND FICO_ROWS "    {${half_points}, {${at_most}}, {${defaulted}}},\n")
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/src/fairstep/environments/fico_table.hpp.in ${output} @ONLY)
endfunction()
