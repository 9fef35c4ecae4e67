// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/bridges/bridge_kind.h"

namespace longhaul::pcix {
namespace {

/// AMD-8131: a HyperTransport tunnel with two PCI-X buses, the bridge of K8 boards. Its data sheet
/// (24637) prints features, not depths or latencies, so those stay the assumed defaults of
/// HostBridgeParams.
BridgeKind amd8131() {
  return {"amd8131",  "AMD-8131 HyperTransport PCI-X tunnel", {133'400'000}, 1, HostBridgeParams{},
          BusParams{}};
}

}  // namespace

LONGHAUL_PLUGIN(amd8131) { add_bridge(amd8131); }

}  // namespace longhaul::pcix
