// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/host/net/net_device.h"
#include "models/tcp/segment.h"

namespace longhaul::host {

/// A received TCP segment with parsed headers.
struct Arrival {
  RxPacket packet;
  tcp::Segment segment;
  std::uint64_t payload = 0;    ///< physical address
  std::uint32_t tcp_bytes = 0;  ///< of TCP's header and the payload
};

}  // namespace longhaul::host
