// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/tcp/congestion/config.h"

namespace longhaul::tcp {

struct TcpParams;

enum class Nagle : std::uint8_t { kOff, kClassic, kMinshall };
enum class Burst : std::uint8_t { kNone, kModerate, kLimit };
enum class LocalCongestion : std::uint8_t { kIgnore, kReduce, kCollapse };
enum class LossRule : std::uint8_t { kRfc6675, kFack };
/// Two rules have no name in TcpParams: offload engines that have them set them here. kTahoe is a
/// fast retransmit without fast recovery. kNone sends all again that was in flight, each time that
/// duplicate ACKs show a loss, and neither cwnd nor ssthresh falls.
enum class Reduction : std::uint8_t { kImmediate, kPrr, kRateHalving, kTahoe, kNone };
enum class WindowProbe : std::uint8_t { kByte, kEmpty };

/// TcpParams in the form that the engine reads: names resolved, times in picoseconds, sizes in
/// bytes. Made once and shared by connections, which keep a reference to it. Members are those of
/// TcpParams, which describes them.
struct TcpConfig : CongestionConfig {
  bool grow_only_when_limited;
  Nagle nagle;
  double sws_share;
  Burst burst;
  std::uint32_t burst_segments;
  LocalCongestion local_congestion;
  std::uint32_t offload_divisor;

  bool sack;
  bool dsack;
  LossRule loss_rule;
  std::uint32_t dup_threshold;
  std::uint32_t max_reordering;
  bool limited_transmit;
  bool frto;
  Reduction reduction;
  bool partial_ack_stays;
  bool impatient;
  bool sack_survives_timeout;
  bool timeout_reduces_again;
  bool undo_by_dsack;
  bool undo_by_timestamps;

  std::uint64_t timer_tick;
  std::uint64_t rtt_tick;
  std::uint64_t rto_initial;
  std::uint64_t rto_min;
  std::uint64_t rto_max;
  bool rto_min_on_variance;
  std::uint32_t data_retries;
  std::uint32_t window_probes;
  std::uint32_t syn_retries;
  std::uint64_t persist_min;
  std::uint64_t persist_max;
  WindowProbe window_probe;
  std::uint64_t time_wait;
  std::uint64_t keepalive_idle;
  std::uint64_t keepalive_interval;
  std::uint32_t keepalive_probes;

  bool timestamps;
  std::uint64_t timestamp_tick;
  bool window_scaling;
  std::uint32_t default_mss;

  std::uint64_t receive_buffer;
  std::uint32_t window_start;
  std::uint32_t window_growth;
  bool window_in_segments;
  std::uint32_t update_segments;
  double update_share;
  std::uint32_t ack_every;
  bool ack_follows_reader;
  std::uint32_t quick_acks;
  bool quick_ack_on_growth;
  std::uint64_t delayed_ack;
  std::uint64_t delayed_ack_tick;
};

/// Resolves the parameters. Throws ConfigError whose message starts with `where` for an unknown
/// name (it gives the nearest one) and for times that contradict each other.
TcpConfig resolve(const TcpParams& params, const std::string& where);

}  // namespace longhaul::tcp
