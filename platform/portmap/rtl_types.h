// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "platform/cosim/object/rtl_object.h"

namespace longhaul::portmap {

/// Key of the headers that RTL objects and this program share (platform/cosim/object/rtl_object.h).
const char* rtl_interface_key();

/// Adds the type that an RTL object's map describes to its catalogue. `object` stays loaded.
/// Throws ConfigError, starting with `where`, for a map that this Longhaul does not read, and if
/// there is a type of that name.
void add_rtl_type(const cosim::RtlObject& object, const std::string& where);

}  // namespace longhaul::portmap
