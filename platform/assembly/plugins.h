// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace longhaul::assembly {

/// The key that a plug-in must be built for: Longhaul's version, compiler, headers.
const char* interface_key();

/// Loads a shared object, unless it is loaded already, and adds its types to the catalogues. It
/// stays loaded.
///
/// Throws ConfigError whose message starts with `where`, before any code of it runs, for a file
/// that cannot be read, is not a plug-in, or was built for another simulator. Also throws it for a
/// missing symbol, and for a type that already exists.
void load_plugin(const std::string& path, const std::string& where);

}  // namespace longhaul::assembly
