// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/booster/handshake.h"
#include "models/booster/message.h"
#include "models/booster/relay_params.h"
#include "models/booster/task.h"
#include "models/host/net/relay_socket.h"
#include "models/host/net/stack.h"

namespace longhaul::booster {

class Flow;

/// Calls of a relayed connection to its relay.
class FlowOwner {
 public:
  virtual ~FlowOwner() = default;
  virtual host::Stack& stack() = 0;
  virtual const RelayParams& params() const = 0;
  /// Address of the partner's port.
  virtual const host::Address& partner() const = 0;
  /// Physical memory of a few bytes for headers.
  virtual std::uint64_t scratch() const = 0;
  virtual host::SocketSettings line_settings() const = 0;
  virtual host::SocketSettings edge_settings() const = 0;
  virtual host::Interface& edge_interface() = 0;
  virtual void relayed(std::uint64_t bytes) = 0;
  /// The flow is over.
  virtual void over(Flow& flow, bool was_reset) = 0;
};

/// One connection of two ends at one relay. Its handshake only passes through. Then the relay has a
/// connection with the end on its side, and connections with the partner in place of the rest of
/// the path.
///
/// All bytes are in the send and receive buffers of these connections. If one has no room, bytes
/// stay in the other, whose window closes. Each piece of the stream carries its offset, so any of
/// the connections may bring it.
class Flow final : public Task {
 public:
  /// `ends` are those of the opener's packets. `near`: the opener is on this relay's side.
  Flow(FlowOwner& owner, TaskQueue& queue, const tcp::Endpoints& ends, bool near);
  ~Flow() override;

  const tcp::Endpoints& ends() const { return ends_; }
  /// The opener is on this relay's side, so this relay calls the partner.
  bool is_near() const { return near_; }
  Handshake& handshake() { return handshake_; }
  std::uint64_t opened_at() const { return opened_at_; }
  bool is_split() const { return edge_.socket.is_open(); }
  bool has_failed() const { return failed_; }

  /// The handshake is complete: continues the connection of this side's end. Returns false if the
  /// stack still has a connection with these ends.
  bool split(bool announce);
  /// The connection with this side's end; empty before split().
  host::RelaySocket& edge() { return edge_.socket; }
  /// One of the ends sent a RST that passed, or the relay drops the flow.
  void abort() {
    aborted_ = given_up_ = true;
    wake();
  }
  /// The opener has begun a new connection with the same ends, which this flow must not touch.
  void give_way() {
    replaced_ = true;
    abort();
  }
  /// The partner's call for this flow.
  void join(host::RelaySocket call, const Greeting& greeting);

  void step(host::Process& process) override;

 private:
  /// A connection of this flow, which receives its events.
  struct Leg final : host::SocketWatcher {
    void on_event(host::SocketEvent event) override;
    Flow* flow = nullptr;
    host::RelaySocket socket;
    bool greeted = false;
    Chunk chunk;  ///< the message that is being received
    bool has_chunk = false;
    std::uint64_t chunk_left = 0;
  };

  void call();
  void greet(host::Process& process);
  bool has_broken() const;
  void break_off(host::Process& process);
  bool pump_out(host::Process& process);
  bool send_chunk(host::Process& process, Leg& leg, const Chunk& chunk);
  Leg* choose(host::Process& process, std::uint64_t bytes);
  bool pump_in(host::Process& process);
  bool take_chunk(host::Process& process, Leg& leg);
  bool follow(host::Process& process, Leg& leg);
  void release(Leg& leg, host::Process& process);
  void finish(host::Process& process);
  bool is_open() const;

  FlowOwner& owner_;
  const tcp::Endpoints ends_;
  const bool near_;
  const std::uint64_t opened_at_;
  Handshake handshake_;
  Leg edge_;
  std::vector<std::unique_ptr<Leg>> line_;
  std::uint32_t joined_ = 0;
  bool called_ = false;
  bool aborted_ = false;
  bool replaced_ = false;
  bool given_up_ = false;
  bool over_ = false;
  bool failed_ = false;
  // From the end to the partner.
  bool open_sent_ = false;
  bool fin_sent_ = false;
  bool waits_for_room_ = false;
  Leg* filling_ = nullptr;          // connection that is being filled
  std::uint64_t filling_left_ = 0;  // bytes left of the data that its last message announced
  std::uint64_t run_left_ = 0;      // bytes left until another connection's turn
  std::uint64_t out_ = 0;           // stream offset
  // From the partner to the end.
  bool fin_received_ = false;
  std::uint64_t in_ = 0;
};

}  // namespace longhaul::booster
