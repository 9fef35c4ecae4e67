# SPDX-License-Identifier: Apache-2.0
# What a plug-in and the simulator must have in common: Longhaul's version and headers, compiler,
# SystemC and build options. Run as a script while building:
#   cmake -DROOT=DIR -DHEADERS=FILE -DABOUT=TEXT -DCC=FILE -DCMAKE=FILE -P interface_key.cmake
# HEADERS names the headers, a line each. Writes a source with interface_key(), and a file that the
# installed package includes.
file(STRINGS ${HEADERS} headers)
set(sums "")
foreach(header IN LISTS headers)
  file(SHA256 ${ROOT}/${header} sum)
  string(APPEND sums "${header} ${sum}\n")
endforeach()
string(SHA256 sum "${sums}")
string(SUBSTRING ${sum} 0 16 sum)
set(key "${ABOUT}, headers ${sum}")
file(WRITE ${CC} "// Made by platform/config/interface_key.cmake.
namespace longhaul::assembly {
const char* interface_key();
const char* interface_key() { return \"${key}\"; }
}  // namespace longhaul::assembly
")
file(WRITE ${CMAKE} "set(LONGHAUL_INTERFACE_KEY \"${key}\")\n")
