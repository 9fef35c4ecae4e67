// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/net/frame/frame.h"

namespace longhaul::nic::dp83820 {

/// Which checksums the transmit unit puts into a frame.
struct TxSums {
  bool ip = false;
  bool tcp = false;
  bool udp = false;
};

/// Computes the sums in whole and stores them: the IPv4 header's, and that of TCP or UDP with its
/// pseudo header. What stands in their fields does not count. A frame that is not as it is asked
/// for (no IPv4, another protocol, a fragment, cut short) is left as it is.
void insert_sums(Frame& frame, const TxSums& wanted);

/// Inserts an IEEE 802.1Q tag behind the addresses; the frame has room for four bytes more.
void insert_tag(Frame& frame, std::uint16_t type, std::uint16_t tag);

}  // namespace longhaul::nic::dp83820
