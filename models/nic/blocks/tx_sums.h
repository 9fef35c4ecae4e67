// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/net/frame/frame.h"

namespace longhaul::nic {

/// The checksums that a transmit unit inserts into a frame that it has parsed itself.
struct TxSums {
  bool ip = false;
  bool tcp = false;
  bool udp = false;
};

/// Computes and stores the checksums: that of the IPv4 header, and that of TCP or UDP with its
/// pseudo header. The previous contents of the fields are ignored. A frame that does not fit the
/// request (no IPv4, another protocol, a fragment, cut short) is not changed.
void insert_sums(Frame& frame, const TxSums& wanted);

/// Inserts an IEEE 802.1Q tag after the addresses. The frame must have room for four more bytes.
void insert_tag(Frame& frame, std::uint16_t type, std::uint16_t tag);

}  // namespace longhaul::nic
