// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longhaul::builtin {

/// Adds this folder's types to their catalogues. Further calls do nothing
/// (platform/config/builtin_types.cmake).
void add_host();

}  // namespace longhaul::builtin
