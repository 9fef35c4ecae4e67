// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace longhaul::guest {

/// The last lines of a file that a guest has written, for a message: at most `lines`, each on its
/// own line after "  | ". Empty lines are left out, long lines are cut, and bytes that are not text
/// are shown as '?'. Empty if there is no such file.
std::string text_tail(const std::string& path, std::size_t lines = 12);

}  // namespace longhaul::guest
