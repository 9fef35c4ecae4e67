// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "models/booster/flow.h"
#include "models/booster/forwarder.h"
#include "models/booster/relay_params.h"
#include "models/common/observe/probe.h"
#include "models/host/net/tcp_listener.h"

namespace longhaul::booster {

/// BOOSTER's relay, between two ends and a partner. It lets their connections open end to end. Then
/// it carries each over three connections: end to relay, relay to partner, partner to end. Packets
/// that are not TCP pass unchanged.
///
/// The softirq inspects all packets that come in (Passage). Workers move the bytes, one process on
/// each processor.
class Relay final : public sc_core::sc_module, public host::Passage, private FlowOwner {
 public:
  Relay(const sc_core::sc_module_name& name, const RelayParams& params,
        const host::WorkloadHost& host, const std::string& where);
  ~Relay() override;

  void segment(host::Interface& from, const host::RxPacket& packet,
               const tcp::Packet& parsed) override;
  void other(host::Interface& from, const host::RxPacket& packet) override {
    forwarder_.forward(from, packet);
  }
  void arp(host::Interface& from, const std::uint8_t* frame) override {
    forwarder_.arp(from, frame);
  }
  host::Interface* side_of(const host::Address& station) override {
    return forwarder_.side_of(station);
  }

  TaskQueue& queue(std::size_t worker) { return *queues_[worker]; }
  /// Handles the partner's calls without end; in a system call of `process`.
  void answer_calls(host::Process& process);
  const RelayParams& params() const override { return params_; }
  std::size_t flows() const { return flows_.size(); }

  observe::Counter splits{"splits", "1", "connections of ends that were taken over"};
  observe::Counter resets{"resets", "1", "connections of ends that were broken off"};
  observe::Counter relayed_bytes{"relayed_bytes", "B", "moved from one connection to another"};
  observe::Counter untouched{"untouched", "1", "connections that the table had no room for"};
  observe::Level watched{"watched", "1", "connections in the table"};

 private:
  class Caller;

  host::Stack& stack() override { return stack_; }
  const host::Address& partner() const override { return partner_; }
  std::uint64_t scratch() const override;
  host::SocketSettings line_settings() const override;
  host::SocketSettings edge_settings() const override;
  host::Interface& edge_interface() override { return forwarder_.edge(); }
  void relayed(std::uint64_t bytes) override { relayed_bytes.add(bytes); }
  void over(Flow& flow, bool was_reset) override;

  std::shared_ptr<Flow> find(const tcp::Endpoints& ends);
  std::shared_ptr<Flow> open(const tcp::Endpoints& ends, bool near);
  void syn(host::Interface& from, const host::RxPacket& packet, const tcp::Packet& parsed);
  void from_opener(host::Interface& from, const host::RxPacket& packet, const tcp::Packet& parsed,
                   Flow& flow);
  void from_responder(host::Interface& from, const host::RxPacket& packet,
                      const tcp::Packet& parsed, Flow& flow);
  void take_over(const host::RxPacket& packet, const tcp::Packet& parsed, Flow& flow);
  void refuse(const host::RxPacket& packet, const tcp::Packet& parsed, Flow& flow);
  void remember_passed(const tcp::Packet& parsed);
  /// Whether a connection's SYN is among those that passed without a place in the table.
  bool let_pass(const Greeting& greeting) const;
  void forget(const Flow& flow);
  void forget(const Caller& caller);
  void drop_unfinished();

  const RelayParams params_;
  host::Stack& stack_;
  Forwarder forwarder_;
  const host::Address partner_;
  std::vector<std::unique_ptr<TaskQueue>> queues_;
  std::size_t next_queue_ = 0;
  std::vector<std::uint64_t> scratch_;  // for each processor
  std::vector<host::Processor*> processors_;
  host::TcpListener listener_;
  // By the opener's ends.
  std::unordered_map<host::FlowKey, std::shared_ptr<Flow>, host::FlowKey::Hash> flows_;
  struct Passed {
    host::FlowKey opener;
    std::uint32_t initial;
  };
  std::deque<Passed> passed_;  // the most recent ones
  // Callers that have not yet told their flow, or whose handshake has not passed.
  std::vector<std::shared_ptr<Caller>> callers_;
};

}  // namespace longhaul::booster
