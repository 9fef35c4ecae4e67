// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/host/drivers/chelsio/command_queue.h"
#include "models/host/drivers/chelsio/cxgb_params.h"
#include "models/host/net/net_device.h"
#include "models/host/net/net_params.h"

namespace longhaul::host::chelsio {

constexpr std::uint32_t kSmallExtraBytes = 16;  // of a small buffer; sge.c: struct cpl_rx_data

/// Bytes of a 16 KiB buffer that are left beside struct skb_shared_info (sge.c,
/// alloc_rx_resources()).
inline std::uint32_t jumbo_bytes(const NetParams& net) {
  constexpr std::uint32_t kJumboBytes = 16384;
  return kJumboBytes - std::min(net.buffer_overhead(), kJumboBytes / 2);
}

/// Capabilities of the adapter with these parameters.
inline DeviceFeatures features_of(const CxgbDriverParams& params) {
  DeviceFeatures features;
  features.scatter_gather = params.scatter_gather();
  features.checksum_tx = params.checksum_tx();
  features.checksum_tx_ipv6 = false;
  features.checksum_rx = params.checksum_rx();
  features.header_room = CommandQueue::kHeaderBytes;
  return features;
}

}  // namespace longhaul::host::chelsio
