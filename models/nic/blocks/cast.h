// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/net/frame/ethernet_header.h"

namespace longhaul::nic {

/// The kind of a frame's destination, for filters and statistics.
enum class Cast { kUnicast, kMulticast, kBroadcast };

inline Cast cast_of(const MacAddress& destination) {
  constexpr MacAddress kEverybody{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  if (!ethernet::is_group(destination)) return Cast::kUnicast;
  return destination == kEverybody ? Cast::kBroadcast : Cast::kMulticast;
}
inline Cast cast_of(const Frame& frame) { return cast_of(ethernet::destination(frame)); }

}  // namespace longhaul::nic
