// SPDX-License-Identifier: Apache-2.0
// Values of the offload engine's parameters for NEC-TOE's two engines.
#include "models/common/param_set.h"
#include "models/nic/nec_toe/params.h"

namespace longhaul::nic::nec_toe {
namespace {

constexpr const char* kOpen = "models/nic/nec_toe/README.md#open-numbers";
constexpr const char* kLike = "models/nic/nec_toe/README.md#open-numbers, as in the T1";
constexpr Source kAssumed{Evidence::kAssumed, kOpen};

/// Clocks of an element of the parallel engine for a segment, and of an element of a row.
constexpr std::uint32_t kSegmentClocks = 1000;
constexpr std::uint32_t kTransmitRow = 6;
constexpr std::uint32_t kReceiveRow = 4;

/// Values that both engines have.
NecToeParams common() {
  NecToeParams p;
  toe::ToeParams& engine = p.core.toe;
  set(p.core.core_clock, units::MHz(100), kAssumed);
  set(engine.tcam_entries, 4096, kAssumed);
  set(engine.tcam_servers, 64, kAssumed);
  set(engine.tcam_routes, 0, kAssumed);
  set(engine.tcam_search, 40, kAssumed);
  set(engine.pm_size, units::MiB(32), kAssumed);
  set(engine.pm_page, units::KiB(4), kAssumed);
  set(engine.pm_reserved, Bytes{0}, kAssumed);
  set(engine.pm_clock, units::MHz(100), kAssumed);
  set(engine.pm_width, Bytes{8}, kAssumed);
  set(engine.cm_width, Bytes{8}, kAssumed);
  set(engine.cm_connection, Bytes{512}, kAssumed);
  set(engine.cm_latency, 10, kAssumed);
  set(engine.cm_cache, 16, kAssumed);
  set(engine.coalesce_push, true, kAssumed);
  set(engine.ack_pages, 0, kAssumed);
  return p;
}

}  // namespace

NecToeParams parallel_params() {
  NecToeParams p = common();
  toe::ToeParams& engine = p.core.toe;
  set(engine.arrangement, "parallel",
      {Evidence::kMeasured, "NEC-TOE: three processing elements in parallel"});
  set(engine.segment_clocks, kSegmentClocks, kAssumed);
  set(engine.message_clocks, 200, kAssumed);
  set(engine.modulation_clocks, 100, kAssumed);
  set(engine.timer_clocks, 100, kAssumed);
  set(engine.receive_clocks, kSegmentClocks, kAssumed);
  return p;
}

NecToeParams pipeline_params() {
  NecToeParams p = common();
  toe::ToeParams& engine = p.core.toe;
  set(engine.arrangement, "rows",
      {Evidence::kMeasured, "NEC-TOE: four processing elements for receive, six for transmit"});
  // An element of the transmit row takes as long for a segment as the parallel engine's. A received
  // segment is as much work as a sent one, in fewer elements.
  set(engine.segment_clocks, kSegmentClocks * kTransmitRow, kAssumed);
  set(engine.message_clocks, 200 * kTransmitRow, kAssumed);
  set(engine.modulation_clocks, 100 * kTransmitRow, kAssumed);
  set(engine.timer_clocks, 100 * kTransmitRow, kAssumed);
  set(engine.receive_clocks, kSegmentClocks * kTransmitRow, kAssumed);
  set(engine.transmit_elements, kTransmitRow, {Evidence::kMeasured, "NEC-TOE: six"});
  set(engine.receive_elements, kReceiveRow, {Evidence::kMeasured, "NEC-TOE: four"});
  // One control block for each element for receive. More than 12 would never miss.
  set(engine.cm_cache, kReceiveRow,
      {Evidence::kFitted, "NEC-TOE: the rate of receiving falls with connections"});
  // A gathering that is nearly the receive buffer of 18 KB would close the window.
  set(engine.coalesce_size, units::KiB(4), kAssumed);
  set(p.core.t1.on_loss, "none",
      {Evidence::kMeasured,
       "NEC-TOE: it raises its rate through losses and sends many packets several times"});
  return p;
}

tcp::TcpParams tcp_params() {
  using Time = sc_core::sc_time;
  tcp::TcpParams p = toe::t1_tcp_params();
  set(p.initial_window, 2, {Evidence::kAssumed, kOpen});
  set(p.dup_threshold, 3,
      {Evidence::kMeasured, "NEC-TOE: detection of duplicate ACKs works (RFC 2581)"});
  set(p.max_reordering, 3, {Evidence::kAssumed, kOpen});
  set(p.timestamps, false, {Evidence::kAssumed, kOpen});
  set(p.window_scaling, false,
      {Evidence::kAssumed, "NEC-TOE: receive buffers of 64 KB and 18 KB need no scaling"});
  set(p.rto_min, Time(1, sc_core::SC_SEC), {Evidence::kAssumed, "RFC 2988, 2.4"});
  set(p.time_wait, Time(60, sc_core::SC_SEC), {Evidence::kAssumed, kLike});
  return p;
}

}  // namespace longhaul::nic::nec_toe
