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
  std::uint64_t payload = 0;  ///< physical address
};

}  // namespace longhaul::host
