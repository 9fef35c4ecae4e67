# SPDX-License-Identifier: Apache-2.0
# Writes a source that calls every LONGHAUL_PLUGIN function of some sources
# (models/common/plugin.h). Run as a script while building, so that a source that gets its first
# such function is seen:
#   cmake -DFUNCTION=NAME -DLIST=FILE -DOUT=FILE [-DKEY=TEXT] -P builtin_types.cmake
# LIST names the sources, a line each. With KEY the source is a plug-in's entry point.
file(STRINGS ${LIST} sources)
set(names "")
foreach(source IN LISTS sources)
  file(STRINGS ${source} lines REGEX "^LONGHAUL_PLUGIN\\(")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^LONGHAUL_PLUGIN\\(([A-Za-z0-9_]+)\\).*" "\\1" name "${line}")
    list(APPEND names ${name})
  endforeach()
endforeach()
list(SORT names)

set(text "// Made by platform/config/builtin_types.cmake.\n")
foreach(name IN LISTS names)
  string(APPEND text "extern \"C\" void longhaul_add_types_${name}();\n")
endforeach()
if(KEY)
  if(NOT names)
    message(FATAL_ERROR "no source of the plug-in has a LONGHAUL_PLUGIN(name) { ... }")
  endif()
  # The simulator reads this text in the file, before it loads it.
  string(APPEND text "extern \"C\" const char longhaul_plugin_interface[];\n"
                     "const char longhaul_plugin_interface[] = \"longhaul-plugin-interface: ${KEY}\";\n"
                     "extern \"C\" void ${FUNCTION}();\nvoid ${FUNCTION}() {\n")
else()
  string(APPEND text "namespace longhaul::builtin {\nvoid ${FUNCTION}();\nvoid ${FUNCTION}() {\n"
                     "  static bool added = false;\n  if (added) return;\n  added = true;\n")
endif()
foreach(name IN LISTS names)
  string(APPEND text "  longhaul_add_types_${name}();\n")
endforeach()
string(APPEND text "}\n")
if(NOT KEY)
  string(APPEND text "}  // namespace longhaul::builtin\n")
endif()

set(before "")
if(EXISTS ${OUT})
  file(READ ${OUT} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${OUT} "${text}")
endif()
