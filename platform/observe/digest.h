// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/net/frame/frame.h"

namespace longhaul::observe {

/// XXH64 (xxHash, algorithm description 0.1.1). It is the same on every host, takes some 10 GB/s,
/// and is not secure against intended collisions. Digests are chained by the seed.
std::uint64_t digest(const void* data, std::size_t size, std::uint64_t seed = 0);

/// The digest of a frame's bytes without the zeros at its end, with its size as the seed. Elided
/// bytes are not stored for it (Frame::leave_blank) and make no difference.
std::uint64_t digest(const Frame& frame);

}  // namespace longhaul::observe
