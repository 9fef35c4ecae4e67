// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/cosim/pins.h"
#include "platform/cosim/wire/mii_player.h"

namespace longhaul::cosim {

/// GMII to a block's receiver (IEEE 802.3, clause 35): RXD<7:0>, RX_DV, RX_ER.
struct GmiiRxPins {
  std::uint8_t* data = nullptr;
  BitPin valid;
  BitPin error;

  static constexpr std::uint32_t kParts = 1;
  /// Least gap between frames at a receiver (IEEE 802.3, 4.4.2: 64 bit times).
  static constexpr std::uint32_t kLeastGap = 8;
  void put(std::uint32_t byte, std::uint32_t) { *data = static_cast<std::uint8_t>(byte); }
  bool shows_error() const { return error.get(); }
};

using GmiiRx = MiiPlayer<GmiiRxPins>;

}  // namespace longhaul::cosim
