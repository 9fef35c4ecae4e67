# SPDX-License-Identifier: Apache-2.0
# find_package(Longhaul): targets longhaul::common, ::memory, ::net, ::cpu, ::pcix, ::nic, ::wan,
# ::congestion, ::tcp, ::toe, ::host, ::booster, ::observe, ::cosim.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(nlohmann_json)
find_dependency(fmt)
find_dependency(ZLIB)
find_library(SYSTEMC_LIBRARY systemc)
if(NOT SYSTEMC_LIBRARY)
  set(Longhaul_FOUND FALSE)
  set(Longhaul_NOT_FOUND_MESSAGE "Longhaul needs SystemC (Debian: libsystemc-dev)")
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/LonghaulTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/LonghaulInterface.cmake)

# longhaul_plugin(TARGET SOURCE...): a shared object with types of its own (docs/plugins.md),
# TARGET.so. The models that it uses are those of the simulator that loads it; it links none of its
# own.
function(longhaul_plugin target)
  string(REGEX MATCH "^[0-9]+" version ${CMAKE_CXX_COMPILER_VERSION})
  if(NOT LONGHAUL_INTERFACE_KEY MATCHES ", ${CMAKE_CXX_COMPILER_ID} ${version}(,| )")
    message(FATAL_ERROR "longhaul_plugin(${target}): this project's compiler is ${CMAKE_CXX_COMPILER_ID} "
                        "${version}, the simulator is of \"${LONGHAUL_INTERFACE_KEY}\"; set CMAKE_CXX_COMPILER")
  endif()
  set(sources ${ARGN})
  list(TRANSFORM sources PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
  list(JOIN sources "\n" lines)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${target}_types)
  file(CONFIGURE OUTPUT ${made}.txt CONTENT "${lines}\n")
  set(script ${Longhaul_DIR}/builtin_types.cmake)
  add_custom_command(
    OUTPUT ${made}.cc
    COMMAND ${CMAKE_COMMAND} -DFUNCTION=longhaul_plugin_add_types -DLIST=${made}.txt -DOUT=${made}.cc
            "-DKEY=${LONGHAUL_INTERFACE_KEY}" -P ${script}
    DEPENDS ${sources} ${made}.txt ${script}
    VERBATIM)
  add_library(${target} MODULE ${sources} ${made}.cc)
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_compile_options(${target} PRIVATE "-fmacro-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/=")
  foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS)
    get_target_property(value longhaul::options INTERFACE_${property})
    if(value)
      set_property(TARGET ${target} APPEND PROPERTY ${property} ${value})
    endif()
  endforeach()
  target_link_libraries(${target} PRIVATE nlohmann_json::nlohmann_json)
  set_target_properties(${target} PROPERTIES PREFIX "")
endfunction()
