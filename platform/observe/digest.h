// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/net/frame/frame.h"

namespace longhaul::observe {

/// XXH64 (xxHash, algorithm description 0.1.1): the same on every host, some 10 GB/s, and no
/// defence against those who want two texts with one digest. Chains by its seed.
std::uint64_t digest(const void* data, std::size_t size, std::uint64_t seed = 0);

/// Of a frame's bytes without the zeros at its end, with its size as the seed: bytes that were left
/// blank are not stored for it (Frame::leave_blank), and make no difference.
std::uint64_t digest(const Frame& frame);

}  // namespace longhaul::observe
