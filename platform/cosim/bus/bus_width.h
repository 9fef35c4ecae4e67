// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "platform/cosim/pin.h"

namespace longhaul::cosim {

/// Bytes of a bus by its write and read data, one of which may be unconnected: a power of two up to
/// `most`. Throws std::invalid_argument, with `prefix`, for another width or two different widths.
std::uint32_t bus_word_bytes(const Pin& write_data, const Pin& read_data, std::uint32_t most,
                             const std::string& prefix);

}  // namespace longhaul::cosim
