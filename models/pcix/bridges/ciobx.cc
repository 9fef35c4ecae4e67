// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_set.h"
#include "models/pcix/bridges/bridge_kind.h"

namespace longhaul::pcix {
namespace {

/// ServerWorks CIOB-X: two PCI-X buses of up to 100 MHz behind an Inter Module Bus, the bridge of
/// GC-HE and GC-LE boards. The maker published features only.
BridgeKind ciobx() {
  constexpr const char* kImb =
      "ServerWorks press release on Grand Champion HE, 2001-02-27: a full-duplex 1.6 GB/s link for "
      "each dual bridge";
  constexpr const char* kOpen = "models/pcix/README.md#open-numbers";
  BridgeKind kind{"ciobx", "ServerWorks CIOB-X behind an Inter Module Bus", {100'000'000}, 1, {},
                  {}};
  HostBridgeParams& host = kind.host;
  host.split_reads.value = 4;
  host.active_reads.value = 4;
  host.posted_dma_bytes.value = {2048};
  // 1.6 GB/s is the sum of both directions, as makers stated full-duplex links then.
  set(host.link_rate, {6'400'000'000}, kImb);
  host.link_is_shared.source = {Evidence::kDatasheet, kImb};
  host.link_header_bytes.source = {Evidence::kAssumed, kOpen};
  host.link_payload_bytes.source = {Evidence::kAssumed, kOpen};
  host.downstream_latency.value = {150, sc_core::SC_NS};
  host.upstream_latency.value = {150, sc_core::SC_NS};
  set(kind.bus.clock, {100'000'000},
      "ServerWorks press release, 2001-02-27: 64-bit, 100 MHz PCI-X");
  return kind;
}

}  // namespace

LONGHAUL_PLUGIN(ciobx) { add_bridge(ciobx); }

}  // namespace longhaul::pcix
