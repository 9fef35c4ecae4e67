// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace longhaul::builtin {

/// Adds this folder's types to their catalogues, once (platform/config/builtin_types.cmake).
void add_host();

}  // namespace longhaul::builtin
