# The script and the style of the report's page: made by Node from report/, compiled into the library.

# fairstep_report_assets(<C++ source to make>)
function(fairstep_report_assets output)
  set(web ${PROJECT_SOURCE_DIR}/report)
  set(page ${PROJECT_SOURCE_DIR}/src/fairstep/page)
  find_program(FAIRSTEP_NODE NAMES node nodejs DOC "Node.js, 18 or newer: makes the script of the report's page")
  if(NOT FAIRSTEP_NODE)
    message(FATAL_ERROR "Node.js was not found: run scripts/bootstrap, or leave the report out with -DFAIRSTEP_REPORT=OFF")
  endif()
  if(NOT EXISTS ${web}/node_modules/vega/package.json)
    message(FATAL_ERROR "${web}/node_modules is not there: run scripts/bootstrap, or `npm ci` in ${web}, or leave the report "
                        "out with -DFAIRSTEP_REPORT=OFF")
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${web}/src/*)
  add_custom_command(OUTPUT ${output}
    COMMAND ${FAIRSTEP_NODE} ${web}/build.mjs ${output}
    DEPENDS ${web}/build.mjs ${web}/package-lock.json ${sources} ${page}/base.css ${page}/tables.css ${page}/palette.mjs
    COMMENT "Making the report's script and style"
    VERBATIM)
endfunction()
