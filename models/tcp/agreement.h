// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// The result of the options on both ends' SYNs.
struct Agreement {
  bool sack = false;
  bool timestamps = false;
  std::uint32_t mss = 536;      ///< most payload of this end's segments, bytes
  std::uint32_t own_mss = 536;  ///< most payload of the peer's segments, bytes
  std::uint8_t own_shift = 0;   ///< shift of the windows that this end offers
  std::uint8_t peer_shift = 0;  ///< shift of the windows that the peer offers
};

/// `own_mss` is the limit of this side's link. `default_mss` is the limit of a peer that sends no
/// MSS option (RFC 9293, 3.7.1).
Agreement agree_on(const Options& own, const Options& peer, std::uint32_t own_mss,
                   std::uint32_t default_mss);

}  // namespace longhaul::tcp
