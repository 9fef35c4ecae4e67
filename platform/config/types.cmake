# SPDX-License-Identifier: Apache-2.0
# What makes a program know all types of the tree, and plug-ins (docs/plugins.md).

# longhaul_all_types: add_built_in_types(), which calls every folder's.
set(declared "")
set(called "")
foreach(name IN LISTS LONGHAUL_FOLDERS)
  string(APPEND declared "namespace longhaul::builtin {\nvoid add_${name}();\n}\n")
  string(APPEND called "  builtin::add_${name}();\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/builtin/all_types.cc CONTENT
"// Made by platform/config/types.cmake.
#include \"models/common/plugin.h\"
${declared}namespace longhaul {
void add_built_in_types() {
${called}}
}  // namespace longhaul
")
add_library(longhaul_all_types STATIC ${CMAKE_BINARY_DIR}/builtin/all_types.cc)
target_link_libraries(longhaul_all_types PRIVATE longhaul_options)
set_target_properties(longhaul_all_types PROPERTIES POSITION_INDEPENDENT_CODE ON)
foreach(name IN LISTS LONGHAUL_FOLDERS)
  target_link_libraries(longhaul_all_types PRIVATE longhaul::${name})
endforeach()
target_link_libraries(longhaul_assembly PRIVATE longhaul_all_types)

# The interface of plug-ins: its key is in the simulator, and in the installed package.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} models/*.h)
list(SORT headers)
list(JOIN headers "\n" lines)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/interface_headers.txt CONTENT "${lines}\n")
list(TRANSFORM headers PREPEND ${CMAKE_SOURCE_DIR}/)
string(REGEX MATCH "^[0-9]+" compiler ${CMAKE_CXX_COMPILER_VERSION})
set(LONGHAUL_COMPILER "${CMAKE_CXX_COMPILER_ID} ${compiler}")
set(about "Longhaul ${PROJECT_VERSION}, ${LONGHAUL_COMPILER}")
if(LONGHAUL_SANITIZE)
  string(APPEND about " with sanitizers")
endif()
add_custom_command(
  OUTPUT ${CMAKE_BINARY_DIR}/interface_key.cc ${CMAKE_BINARY_DIR}/LonghaulInterface.cmake
  COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} -DHEADERS=${CMAKE_BINARY_DIR}/interface_headers.txt
          "-DABOUT=${about}" -DCC=${CMAKE_BINARY_DIR}/interface_key.cc
          -DCMAKE=${CMAKE_BINARY_DIR}/LonghaulInterface.cmake
          -P ${CMAKE_SOURCE_DIR}/platform/config/interface_key.cmake
  DEPENDS ${headers} ${CMAKE_BINARY_DIR}/interface_headers.txt
          ${CMAKE_SOURCE_DIR}/platform/config/interface_key.cmake
  VERBATIM)
target_sources(longhaul_assembly PRIVATE ${CMAKE_BINARY_DIR}/interface_key.cc)

# longhaul_link_whole(TARGET): links every object of the tree, whether the program refers to it or
# not.
function(longhaul_link_whole target)
  set(archives ${LONGHAUL_FOLDERS})
  list(TRANSFORM archives REPLACE "(.+)" "$<TARGET_FILE:longhaul_\\1>")
  list(JOIN archives "," archives)
  target_link_options(${target} PRIVATE "LINKER:--whole-archive,${archives},--no-whole-archive")
endfunction()

# longhaul_hosts_plugins(TARGET): a program whose models plug-ins use.
function(longhaul_hosts_plugins target)
  longhaul_link_whole(${target})
  set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON)
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
endfunction()
