// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::tcp {

/// Counts of a connection's past.
struct Stats {
  std::uint64_t segments_sent = 0;  ///< as given to the environment
  std::uint64_t data_bytes_sent = 0;
  std::uint64_t retransmitted_segments = 0;
  std::uint64_t retransmitted_bytes = 0;
  std::uint64_t pure_acks_sent = 0;
  std::uint64_t segments_received = 0;
  std::uint64_t data_bytes_received = 0;  ///< in order, each once
  std::uint64_t out_of_order_segments = 0;
  std::uint64_t duplicate_bytes_received = 0;
  std::uint64_t duplicate_acks = 0;
  std::uint64_t recoveries = 0;            ///< fast recoveries begun
  std::uint64_t lost_retransmissions = 0;  ///< bytes, found without a timeout
  std::uint64_t timeouts = 0;
  std::uint64_t spurious_timeouts = 0;  ///< found by F-RTO
  std::uint64_t undone = 0;             ///< reductions that were undone
  std::uint64_t window_probes = 0;
  std::uint64_t refused = 0;  ///< segments that the sending queue had no room for
  std::uint64_t paws_dropped = 0;
  std::uint64_t challenge_acks = 0;
};

}  // namespace longhaul::tcp
