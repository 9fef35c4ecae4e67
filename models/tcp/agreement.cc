// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/agreement.h"

#include <algorithm>

namespace longhaul::tcp {

Agreement agree_on(const Options& own, const Options& peer, std::uint32_t own_mss,
                   std::uint32_t default_mss) {
  Agreement agreed;
  agreed.sack = own.sack_permitted && peer.sack_permitted;
  agreed.timestamps = own.timestamps && peer.timestamps;
  // The payload of a segment: the smaller of both limits, without the timestamps that every segment
  // carries (RFC 6691).
  constexpr std::uint32_t kTimestampBytes = 12;
  constexpr std::uint32_t kLeastMss = 32;
  const std::uint32_t options = agreed.timestamps ? kTimestampBytes : 0;
  const std::uint32_t most = peer.mss.value_or(static_cast<std::uint16_t>(default_mss));
  agreed.mss = std::max(std::min<std::uint32_t>(most, own_mss), kLeastMss + options) - options;
  agreed.own_mss = std::max<std::uint32_t>(own_mss, kLeastMss + options) - options;
  constexpr std::uint8_t kLargestShift = 14;  // RFC 7323, 2.3: more counts as 14
  if (own.window_scale && peer.window_scale) {
    agreed.own_shift = std::min(*own.window_scale, kLargestShift);
    agreed.peer_shift = std::min(*peer.window_scale, kLargestShift);
  }
  return agreed;
}

}  // namespace longhaul::tcp
