// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_set.h"
#include "models/pcix/bridges/bridge_kind.h"

namespace longhaul::pcix {
namespace {

/// A stand-in for the PCI Express root ports of machines from 2006 on, which are not modelled. It
/// is a bus with PCI-X's protocol at up to 533 MHz, with buffers that do not limit it.
/// README.md#stand-in lists the differences.
BridgeKind root_port() {
  constexpr Source kStandIn{Evidence::kAssumed, "models/pcix/README.md#stand-in"};
  BridgeKind kind{"root_port", "in place of PCI Express root ports", {533'400'000}, 1, {}, {}};
  HostBridgeParams& host = kind.host;
  set(host.split_reads, 32, kStandIn);
  set(host.active_reads, 32, kStandIn);
  set(host.posted_dma_bytes, {16384}, kStandIn);
  set(host.link_rate, {64'000'000'000}, kStandIn);
  host.link_is_shared.source = kStandIn;
  host.link_header_bytes.source = kStandIn;
  set(host.link_payload_bytes, 256, kStandIn);
  return kind;
}

}  // namespace

LONGHAUL_PLUGIN(root_port) { add_bridge(root_port); }

}  // namespace longhaul::pcix
