// SPDX-License-Identifier: Apache-2.0
#include "models/toe/t1_tcp_params.h"

#include "models/common/param_set.h"

namespace longhaul::toe {
namespace {

constexpr const char* kPara0 = "illumos, chxge/com/tp.c: TP_PARA_REG0 0xd1269324";
constexpr const char* kTimes = "illumos, chxge/com/tp.c: tp_set_tcp_time_params()";
constexpr const char* kResolution =
    "illumos, chxge/com/tp.c: TP_TIMER_RESOLUTION 0xf0011, powers of two of 125 MHz clocks";
constexpr Source kAssumedValue{Evidence::kAssumed, "models/toe/README.md#open-numbers"};

}  // namespace

tcp::TcpParams t1_tcp_params() {
  using Time = sc_core::sc_time;
  const auto seconds = [](double n) { return Time(n, sc_core::SC_SEC); };
  constexpr double kClockNs = 8;
  const auto clocks = [](std::uint32_t shift) {
    return Time(kClockNs * (1U << shift), sc_core::SC_NS);
  };
  tcp::TcpParams p;
  // Sending.
  set(p.initial_window, 1, kPara0);
  set(p.dup_threshold, 2, kPara0);
  set(p.max_reordering, 2, kPara0);
  set(p.abc_limit, 0, kAssumedValue);
  set(p.limited_transmit, false, kAssumedValue);
  set(p.grow_only_when_limited, false, kAssumedValue);
  set(p.burst, "none", kAssumedValue);
  set(p.idle, "none", kAssumedValue);
  // Recovery: Reno.
  set(p.sack, false, "illumos, chxge/com/tp.c: TP_TCP_OPTIONS without SACK");
  set(p.dsack, false, "illumos, chxge/com/tp.c: TP_TCP_OPTIONS without SACK");
  set(p.partial_ack_stays, false, kAssumedValue);
  // Timers.
  set(p.timer_tick, clocks(15), kResolution);
  set(p.rtt_tick, clocks(15), kResolution);
  set(p.rto_initial, seconds(3), "illumos, chxge/com/tp.c: TP_INIT_SRTT");
  set(p.rto_min, seconds(0.25), kTimes);
  set(p.rto_max, seconds(64), kTimes);
  set(p.data_retries, 14, "illumos, chxge/com/tp.c: RETRANSMISSION_MAX");
  set(p.syn_retries, 7, kAssumedValue);
  set(p.persist_min, seconds(0.5), kTimes);
  set(p.persist_max, seconds(64), kTimes);
  set(p.time_wait, seconds(0.5), kTimes);
  set(p.keepalive_interval, seconds(75), kTimes);
  // Options.
  set(p.timestamps, true, "illumos, chxge/com/tp.c: TIMESTAMP(1) with one port");
  set(p.timestamp_tick, clocks(15), kAssumedValue);
  set(p.window_scaling, true, "illumos, chxge/com/tp.c: WINDOW_SCALE(1)");
  set(p.default_mss, 576, "illumos, chxge/com/tp.c: DEFAULT_PEER_MSS");
  // Receiving.
  set(p.ack_every, 2, kAssumedValue);  // DACK_MSS_SELECTOR(1)
  set(p.delayed_ack, Time(200, sc_core::SC_MS), "illumos, chxge/com/tp.c: TP_DACK_TIME");
  set(p.delayed_ack_tick, clocks(17), kResolution);
  return p;
}

}  // namespace longhaul::toe
