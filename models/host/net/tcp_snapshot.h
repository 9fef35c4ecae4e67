// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/tcp/connection.h"

namespace longhaul::host {

/// The state of a connection's sender, as its host knows it.
struct TcpSnapshot {
  /// Known if the host's own TCP runs the connection.
  struct Sender {
    std::uint64_t una = 0;             ///< the oldest byte without an ACK; the SYN is byte 0
    std::uint64_t cwnd = 0;            ///< bytes
    std::uint64_t cwnd_limit = 0;      ///< bytes; 2^64-1: none
    std::uint64_t ssthresh = 0;        ///< bytes; 2^64-1: none yet
    std::uint64_t window = 0;          ///< bytes that the peer's window still lets out
    std::uint64_t largest_window = 0;  ///< bytes
    std::uint64_t srtt_ps = 0;
    std::uint64_t rto_ps = 0;
    std::uint64_t recovery_phase = 0;  ///< a tcp::Recovery::Phase
    std::uint64_t duplicate_acks = 0;
    std::uint64_t retransmitted_segments = 0;
    std::uint64_t timeouts = 0;
  };

  std::uint64_t in_flight = 0;   ///< bytes that TCP has, or has sent, and that are not acknowledged
  std::optional<Sender> sender;  ///< nothing if an adapter runs the connection
};

/// The snapshot of a connection of the host's own TCP.
inline TcpSnapshot snapshot_of(const tcp::Connection& connection) {
  const tcp::Sender& sender = connection.sender();
  const tcp::Stats& stats = connection.stats();
  TcpSnapshot::Sender state;
  state.una = sender.una();
  state.cwnd = sender.control().cwnd();
  state.cwnd_limit = sender.control().limit();
  state.ssthresh = sender.control().ssthresh();
  state.window = sender.window();
  state.largest_window = sender.largest_window();
  state.srtt_ps = sender.rtt().srtt();
  state.rto_ps = sender.rtt().rto();
  state.recovery_phase = static_cast<std::uint64_t>(sender.recovery().phase());
  state.duplicate_acks = stats.duplicate_acks;
  state.retransmitted_segments = stats.retransmitted_segments;
  state.timeouts = stats.timeouts;
  return {sender.next() - sender.una(), state};
}

}  // namespace longhaul::host
