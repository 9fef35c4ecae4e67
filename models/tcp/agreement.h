// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/segment.h"

namespace longhaul::tcp {

/// What both ends have agreed on by the options on their SYNs.
struct Agreement {
  bool sack = false;
  bool timestamps = false;
  std::uint32_t mss = 536;      ///< payload of this end's segments at most, bytes
  std::uint32_t own_mss = 536;  ///< of the peer's
  std::uint8_t own_shift = 0;   ///< of the windows that this end offers
  std::uint8_t peer_shift = 0;  ///< of those that the peer offers
};

/// `own_mss` is what this side's link takes, `default_mss` what a peer takes that does not say
/// (RFC 9293, 3.7.1).
Agreement agree_on(const Options& own, const Options& peer, std::uint32_t own_mss,
                   std::uint32_t default_mss);

}  // namespace longhaul::tcp
