// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/engines.h"

#include "models/common/param_set.h"

namespace longhaul::nic::ixgb {
namespace {

constexpr Source kCounted{Evidence::kMeasured, "models/nic/ixgb/README.md#engines-of-the-rtl"};

}  // namespace

IxgbParams with_engines(const std::string& engines) {
  IxgbParams p;
  if (engines != "rtl") return p;
  using Time = sc_core::sc_time;
  set(p.engines, "rtl", kCounted);
  set(p.tx_descriptor_clocks, 1, kCounted);
  set(p.tx_packet_clocks, 2, kCounted);
  set(p.tx_kib_clocks, 128, kCounted);
  set(p.tx_latency, Time(25'600, sc_core::SC_PS), kCounted);
  set(p.tx_reads_ahead, 4, kCounted);
  set(p.rx_descriptor_clocks, 5, kCounted);
  set(p.rx_packet_clocks, 1, kCounted);
  set(p.rx_kib_clocks, 128, kCounted);
  set(p.rx_latency, Time(57'600, sc_core::SC_PS), kCounted);
  set(p.rx_writes_ahead, 4, kCounted);
  return p;
}

}  // namespace longhaul::nic::ixgb
