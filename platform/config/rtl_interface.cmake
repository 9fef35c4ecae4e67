# SPDX-License-Identifier: Apache-2.0
# The key of the headers that an RTL object and the simulator share (platform/cosim/object). Python
# makes the same one for the objects that it builds (longhaul.portmap.objects).
set(sums "")
foreach(header object/rtl_object.h rtl_model.h trace_sink.h)
  set(file ${CMAKE_SOURCE_DIR}/platform/cosim/${header})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(SHA256 ${file} sum)
  string(APPEND sums "${header} ${sum}\n")
endforeach()
string(SHA256 key "${sums}")
string(SUBSTRING ${key} 0 16 key)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/rtl_interface_key.cc CONTENT
"// Made by platform/config/rtl_interface.cmake.
#include \"platform/portmap/rtl_types.h\"
namespace longhaul::portmap {
const char* rtl_interface_key() { return \"${key}\"; }
}  // namespace longhaul::portmap
")
target_sources(longhaul_portmap PRIVATE ${CMAKE_BINARY_DIR}/rtl_interface_key.cc)
