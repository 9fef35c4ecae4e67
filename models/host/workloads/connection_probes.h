// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/host/net/socket.h"

namespace longhaul::host {

/// Probes of TCP's state for a program's connection; zeros without a connection. If an adapter runs
/// it, only the bytes in flight are known here.
class ConnectionProbes final : public sc_core::sc_module {
 public:
  explicit ConnectionProbes(const sc_core::sc_module_name& name) : sc_module(name) {}
  /// Watches this socket, which must be open; null: none.
  void watch(const TcpSocket* socket) { socket_ = socket; }

  observe::Gauge cwnd{"cwnd", "B", "congestion window", [this] { return sender().cwnd; }};
  observe::Gauge ssthresh{"ssthresh", "B", "slow start threshold; 2^64-1: none yet",
                          [this] { return sender().ssthresh; }};
  observe::Gauge in_flight{"in_flight", "B", "sent and not acknowledged", [this] {
                             return socket_ != nullptr ? socket_->snapshot().in_flight : 0;
                           }};
  observe::Gauge window{"window", "B", "what the peer's window still lets out",
                        [this] { return sender().window; }};
  observe::Gauge srtt{"srtt", "ps", "smoothed round-trip time",
                      [this] { return sender().srtt_ps; }};
  observe::Gauge rto{"rto", "ps", "retransmission timeout", [this] { return sender().rto_ps; }};
  observe::Gauge recovery{
      "recovery", "1",
      "0: open, 1: fast recovery, 2: F-RTO after a timeout, 3: loss after a timeout",
      [this] { return sender().recovery_phase; }};
  observe::Gauge duplicate_acks{"duplicate_acks", "1", "duplicate ACKs received",
                                [this] { return sender().duplicate_acks; }};
  observe::Gauge retransmits{"retransmits", "1", "segments sent again",
                             [this] { return sender().retransmitted_segments; }};
  observe::Gauge timeouts{"timeouts", "1", "retransmission timeouts",
                          [this] { return sender().timeouts; }};

 private:
  TcpSnapshot::Sender sender() const {
    return socket_ != nullptr ? socket_->snapshot().sender.value_or(TcpSnapshot::Sender{})
                              : TcpSnapshot::Sender{};
  }

  const TcpSocket* socket_ = nullptr;
};

}  // namespace longhaul::host
