// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_set.h"
#include "models/pcix/bridges/bridge_kind.h"

namespace longhaul::pcix {
namespace {

/// AMD-8132: the AMD-8131's successor with PCI-X 2.0 and a faster link. All other numbers are
/// assumed to be those of the AMD-8131.
BridgeKind amd8132() {
  BridgeKind kind{"amd8132", "AMD-8132 HyperTransport PCI-X 2.0 tunnel", {133'400'000}, 4, {}, {}};
  set(kind.host.link_rate, {32'000'000'000},
      {Evidence::kAssumed, "models/pcix/README.md#pci-x-20"});
  return kind;
}

}  // namespace

LONGHAUL_PLUGIN(amd8132) { add_bridge(amd8132); }

}  // namespace longhaul::pcix
