// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bridges/bridge_kind.h"

namespace longhaul::pcix {

/// A stand-in for the PCI Express root ports of machines from 2006 on, which are not modelled: a bus in PCI-X's protocol at up to 533 MHz, and
/// buffers that do not limit it. README.md#stand-in says what that leaves out.
BridgeKind root_port() {
  constexpr Source kStandIn{Evidence::kAssumed, "models/pcix/README.md#stand-in"};
  BridgeKind kind{"root_port", "in place of PCI Express root ports", {533'400'000}, {}, {}};
  HostBridgeParams& host = kind.host;
  host.split_reads.value = host.active_reads.value = 32;
  host.split_reads.source = host.active_reads.source = kStandIn;
  host.posted_dma_bytes.value = {16384};
  host.posted_dma_bytes.source = kStandIn;
  host.link_rate.value = {64'000'000'000};
  host.link_rate.source = kStandIn;
  host.link_is_shared.source = kStandIn;
  host.link_header_bytes.source = kStandIn;
  host.link_payload_bytes.value = 256;
  host.link_payload_bytes.source = kStandIn;
  return kind;
}

}  // namespace longhaul::pcix
