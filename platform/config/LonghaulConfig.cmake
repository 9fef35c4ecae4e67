# SPDX-License-Identifier: Apache-2.0
# find_package(Longhaul): targets longhaul::common, ::memory, ::net, ::cpu, ::pcix, ::nic, ::wan, ::tcp, ::host, ::booster.
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
