// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/cosim/pin.h"

namespace longhaul::cosim {

/// One direction of MII (IEEE 802.3, clause 22): four bits, RX_DV or TX_EN, RX_ER or TX_ER; 2.5 MHz
/// at 10 Mb/s, 25 MHz at 100. The low nibble of a byte is first.
struct MiiPins {
  Pin data;
  Pin valid;
  Pin error;

  static constexpr std::uint32_t kParts = 2;
  /// Least gap between frames at a receiver, nibbles (IEEE 802.3, 4.4.2: 47 bit times at 10 and 100
  /// Mb/s).
  static constexpr std::uint32_t kLeastGap = 12;
  void put(std::uint32_t byte, std::uint32_t part) {
    data.set(part == 0 ? byte & 0xfU : byte >> 4U);
  }
  /// Whether an error is on the pins. Without RX_ER a frame that is cut just ends.
  bool shows_error() const { return !error || error.high(); }
};

}  // namespace longhaul::cosim
