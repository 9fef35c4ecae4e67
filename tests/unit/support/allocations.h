// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::test {

/// Allocations of this program so far. Its operator new counts them.
std::uint64_t allocations();

}  // namespace longhaul::test
