// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/host/net/socket.h"

namespace longhaul::host {

/// Probes of TCP's state for a program's connection; zeros without a connection.
class ConnectionProbes final : public sc_core::sc_module {
 public:
  explicit ConnectionProbes(const sc_core::sc_module_name& name) : sc_module(name) {}
  /// Watches this socket, which must be open; null: none.
  void watch(const TcpSocket* socket) { socket_ = socket; }

  observe::Gauge cwnd{"cwnd", "B", "congestion window",
                      [this] { return sender() ? sender()->control().cwnd() : 0; }};
  observe::Gauge ssthresh{"ssthresh", "B", "slow start threshold; 2^64-1: none yet",
                          [this] { return sender() ? sender()->control().ssthresh() : 0; }};
  observe::Gauge in_flight{"in_flight", "B", "sent and not acknowledged",
                           [this] { return sender() ? sender()->next() - sender()->una() : 0; }};
  observe::Gauge window{"window", "B", "what the peer's window still lets out",
                        [this] { return sender() ? sender()->window() : 0; }};
  observe::Gauge srtt{"srtt", "ps", "smoothed round-trip time",
                      [this] { return sender() ? sender()->rtt().srtt() : 0; }};
  observe::Gauge rto{"rto", "ps", "retransmission timeout",
                     [this] { return sender() ? sender()->rtt().rto() : 0; }};
  observe::Gauge recovery{
      "recovery", "1",
      "0: open, 1: fast recovery, 2: F-RTO after a timeout, 3: loss after a timeout",
      [this] { return sender() ? static_cast<std::uint64_t>(sender()->recovery().phase()) : 0; }};
  observe::Gauge duplicate_acks{"duplicate_acks", "1", "duplicate ACKs received",
                                [this] { return stats() ? stats()->duplicate_acks : 0; }};
  observe::Gauge retransmits{"retransmits", "1", "segments sent again",
                             [this] { return stats() ? stats()->retransmitted_segments : 0; }};
  observe::Gauge timeouts{"timeouts", "1", "retransmission timeouts",
                          [this] { return stats() ? stats()->timeouts : 0; }};

 private:
  const tcp::Sender* sender() const {
    return socket_ != nullptr ? &socket_->connection().sender() : nullptr;
  }
  const tcp::Stats* stats() const {
    return socket_ != nullptr ? &socket_->connection().stats() : nullptr;
  }

  const TcpSocket* socket_ = nullptr;
};

}  // namespace longhaul::host
