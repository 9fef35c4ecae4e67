// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/common/param.h"

namespace longhaul::cpu {

/// The price of each kind of work on a K8-class core: cycles per unit, and bytes that cross the memory bus per byte touched.
///
/// First form. None of the numbers is fitted to a throughput; README.md#cost-book argues each.
struct CostBook {
  static constexpr const char* kArgument = "models/cpu/README.md#cost-book";
  static constexpr Range<double> kCycles{0, 1e6};
  static constexpr Range<double> kCrossings{0, 4};
  Param<double> packet_tx{"packet_tx_cycles", 3300, {Evidence::kAssumed, kArgument}, kCycles};
  Param<double> packet_rx{"packet_rx_cycles", 6400, {Evidence::kAssumed, kArgument}, kCycles};
  Param<double> byte_copied{"byte_copied_cycles", 0.25, {Evidence::kAssumed, kArgument}, kCycles};
  Param<double> byte_checksummed{"byte_checksummed_cycles", 0.5, {Evidence::kAssumed, kArgument}, kCycles};
  Param<double> interrupt{"interrupt_cycles", 2000, {Evidence::kAssumed, kArgument}, kCycles};
  Param<double> poll{"poll_cycles", 800, {Evidence::kAssumed, kArgument}, kCycles};
  Param<double> syscall{"syscall_cycles", 700, {Evidence::kAssumed, kArgument}, kCycles};
  Param<double> context_switch{"context_switch_cycles", 2500, {Evidence::kAssumed, kArgument}, kCycles};
  Param<double> user_call{"user_call_cycles", 300, {Evidence::kAssumed, kArgument}, kCycles};
  Param<double> cold_line{"cold_line_cycles", 150, {Evidence::kAssumed, kArgument}, kCycles};
  Param<double> copy_crossings{"copy_crossings", 2.0, {Evidence::kAssumed, kArgument}, kCrossings};
  Param<double> checksum_crossings{"checksum_crossings", 1.0, {Evidence::kAssumed, kArgument}, kCrossings};
  auto fields() {
    return std::tie(packet_tx, packet_rx, byte_copied, byte_checksummed, interrupt, poll, syscall, context_switch, user_call,
                    cold_line, copy_crossings, checksum_crossings);
  }
};

}  // namespace longhaul::cpu
