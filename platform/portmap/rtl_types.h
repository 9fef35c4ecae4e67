// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "platform/cosim/object/rtl_object.h"

namespace longhaul::portmap {

/// The key of the headers that RTL objects and this program share
/// (platform/cosim/object/rtl_object.h).
const char* rtl_interface_key();

/// Adds the type that an RTL object's map describes to its catalogue. `object` must stay loaded.
/// Throws ConfigError whose message starts with `where` for a map that this Longhaul does not
/// support, and if there is a type of that name.
void add_rtl_type(const cosim::RtlObject& object, const std::string& where);

}  // namespace longhaul::portmap
