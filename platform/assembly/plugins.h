// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace longhaul::assembly {

/// What a plug-in's file must say that it was built for: Longhaul's version, compiler, headers.
const char* interface_key();

/// Loads a shared object and adds its types to the catalogues; one that is loaded already, not a
/// second time. It stays loaded. Throws ConfigError, starting with `where`, for a file that cannot
/// be read, is no plug-in or was built for another simulator, before anything of it runs; for a
/// symbol that it misses; and for a type that there is already.
void load_plugin(const std::string& path, const std::string& where);

}  // namespace longhaul::assembly
