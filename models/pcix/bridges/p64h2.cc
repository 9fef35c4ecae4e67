// SPDX-License-Identifier: Apache-2.0
#include "models/common/param_set.h"
#include "models/pcix/bridges/bridge_kind.h"

namespace longhaul::pcix {
namespace {

/// Intel 82870P2 P64H2: two PCI-X buses behind a hub interface 2.0, the bridge of E7500 boards.
BridgeKind p64h2() {
  constexpr const char* kQueue =
      "Intel 82870P2 data sheet, p. 127: four current and four pending split transactions";
  constexpr const char* kTurns =
      "Intel 82870P2 data sheet, p. 127: its timer makes split completions take turns";
  constexpr const char* kParking = "Intel 82870P2 data sheet, p. 127: parks on the last agent";
  constexpr const char* kHub =
      "trade press on the E7500, 2002: hub interface 2.0, 1.066 GB/s a connection";
  constexpr const char* kSuccessor =
      "Intel 41210 developer's manual, 3.2.3.3 (its successor): 1 KB a read in PCI mode";
  constexpr Source kRegisterRead{
      Evidence::kFitted,
      "R. Olsson and H. Welte, mmio_test.c, 2005: 1700 cycles of 2.4 GHz for E1000_CTRL; "
      "models/pcix/README.md#latencies"};
  constexpr Source kMessage{Evidence::kFitted,
                            "upstream_latency: its I/O APIC's messages go the same way; "
                            "models/pcix/README.md#interrupts"};
  constexpr const char* kOpen = "models/pcix/README.md#open-numbers";
  BridgeKind kind{"p64h2", "Intel 82870P2 P64H2 behind hub interface 2.0", {133'400'000}, 1, {},
                  {}};
  HostBridgeParams& host = kind.host;
  set(host.split_reads, 8, kQueue);
  set(host.active_reads, 4, kQueue);
  set(host.completions_take_turns, true, kTurns);
  host.delayed_read_bytes.source = {Evidence::kAssumed, kSuccessor};
  set(host.link_rate, {8'528'000'000}, {Evidence::kAssumed, kHub});
  set(host.link_is_shared, true, {Evidence::kAssumed, kOpen});
  host.link_header_bytes.source = {Evidence::kAssumed, kOpen};
  set(host.link_payload_bytes, 128, {Evidence::kAssumed, kOpen});
  // The sum of both latencies gives the measured time of a register read. How it divides between
  // the two directions is not known.
  set(host.downstream_latency, {315, sc_core::SC_NS}, kRegisterRead);
  set(host.upstream_latency, {315, sc_core::SC_NS}, kRegisterRead);
  set(host.interrupt_latency, {315, sc_core::SC_NS}, kMessage);
  set(kind.bus.parks_on_last_master, true, kParking);
  return kind;
}

}  // namespace

LONGHAUL_PLUGIN(p64h2) { add_bridge(p64h2); }

}  // namespace longhaul::pcix
