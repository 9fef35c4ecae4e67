// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace longhaul::tcp {

enum class CwndUnit : std::uint8_t { kBytes, kSegments };
enum class ReduceFrom : std::uint8_t { kFlight, kCwnd };
enum class Idle : std::uint8_t { kNone, kRestart, kDecay };

/// The parameters of a connection that its congestion control uses. Members are those of TcpParams
/// (models/tcp/params.h), which describes them.
struct CongestionConfig {
  std::string congestion_control;
  CwndUnit cwnd_unit;
  std::uint32_t initial_window;    ///< segments
  std::uint64_t initial_ssthresh;  ///< bytes; all ones if there is none
  std::uint32_t initial_ssthresh_segments;
  std::uint64_t cwnd_limit;  ///< bytes; all ones if there is none
  std::uint32_t cwnd_limit_segments;
  std::uint32_t abc_limit;
  ReduceFrom reduce_from;
  Idle idle;
};

}  // namespace longhaul::tcp
