// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "models/host/kernel/process.h"
#include "models/host/net/connection_timers.h"
#include "models/host/net/discipline/socket_discipline.h"
#include "models/host/net/shown_window.h"
#include "models/host/net/socket.h"
#include "models/host/net/socket_end.h"
#include "models/host/net/socket_lock.h"
#include "models/host/net/socket_settings.h"
#include "models/host/net/socket_watcher.h"
#include "models/host/net/tcp_input.h"
#include "models/host/net/tcp_output.h"
#include "models/host/net/tcp_place.h"
#include "models/tcp/connection.h"
#include "models/tcp/wire.h"

namespace longhaul::host {

class Interface;
class Neighbour;
class Stack;
class TcpListener;

/// One end of a TCP connection in a host: the life of a connection, from its SYN to TIME-WAIT.
///
/// Its parts do the rest. The engine (tcp::Connection) is the protocol; SocketLock serializes all
/// access; TcpOutput and TcpInput are the send and the receive buffer. SocketDiscipline is the
/// modelled system's send and receive calls.
class TcpEndpoint final : public SocketEnd, public tcp::Environment, private BacklogHandler {
 public:
  TcpEndpoint(Stack& stack, std::uint32_t slot, const SocketSettings& settings);
  ~TcpEndpoint() override;

  // tcp::Environment.
  std::uint64_t now() const override { return now_ps(); }
  void wake(tcp::Timer timer, std::uint64_t at) override { timers_.set(timer, at); }
  bool transmit(tcp::Segment& segment) override { return output_.transmit(segment); }
  void established() override;
  void readable(std::uint64_t bytes) override;
  void writable(std::uint64_t bytes) override;
  void end_of_stream() override;
  void ended(tcp::End why) override;

  // From the stack.
  void attach(Interface& interface, Neighbour& neighbour, const tcp::Endpoints& ends);
  /// Waits for the next SYN, for a listener.
  void listen(TcpListener& listener, std::uint32_t iss);
  void deliver(const Arrival& arrival);
  /// The interface has room again.
  void has_room() { lock_.defer_room(); }
  /// The adapter that runs the connection has news.
  void has_news() { lock_.defer_news(); }
  /// The adapter is done with a packet.
  void sent(const SendQueue::Hold& hold);
  /// The next station does not answer.
  void unreachable();
  /// A timer of the engine has gone off.
  void timer(tcp::Timer timer);

  // From a program; process context.
  /// Blocks until the connection is established (true) or has failed.
  bool connect(Process& process, std::uint32_t iss);
  /// Sends the SYN without blocking.
  void start_connect(Processor& processor, std::uint32_t iss);
  /// Continues a connection whose handshake others have made. The endpoint is attached and bound.
  void take_over(Processor& processor, const tcp::Handover& handover);
  /// A program has taken the connection from its listener.
  void accepted() override { listener_ = nullptr; }
  /// The listener drops the connection, which has failed.
  void detach() { attached_ = false; }
  std::uint64_t send(Process& process, std::uint64_t user, std::uint64_t bytes) override {
    return discipline_->send(process, user, bytes);
  }
  std::uint64_t receive(Process& process, std::uint64_t user, std::uint64_t bytes) override {
    return discipline_->receive(process, user, bytes);
  }
  void shutdown(Process& process) override;
  void close(Process& process) override;
  /// Ends the connection with a RST, as the program sees (SO_LINGER with 0).
  void reset();
  void abandon() override;

  // Settings and state.
  void set(const SocketSettings& settings) override { settings_ = settings; }
  const SocketSettings& settings() const override { return settings_; }
  void set_watcher(SocketWatcher* watcher) { watcher_ = watcher; }
  bool is_established() const { return established_; }
  bool stream_ended() const { return stream_ended_; }
  bool is_over() const { return ended_; }
  bool may_send() const { return established_ && !ended_ && !finished_by_us_; }
  /// Whether a program or a listener holds it.
  bool has_user() const { return attached_; }
  /// Whether an adapter runs the connection that the host has opened; connection() has stopped.
  bool away() const { return place_ != nullptr && place_->away(); }
  const tcp::Connection& connection() const { return *connection_; }
  const tcp::Endpoints& ends() const { return output_.ends(); }
  std::uint32_t iss() const { return iss_; }
  TcpSnapshot snapshot() const override {
    return away() ? place_->snapshot() : snapshot_of(*connection_);
  }
  std::optional<SocketError> error() const override { return error_; }
  std::optional<std::uint64_t> mismatch() const override { return input_.mismatch(); }
  const SendQueue& send_queue() const { return output_.queue(); }
  const ReceiveQueue& receive_queue() const { return input_.queue(); }
  const Neighbour* neighbour() const { return output_.neighbour(); }
  /// Whether the stack delivers segments to it.
  bool bound() const override { return bound_; }
  void set_bound(bool on) { bound_ = on; }
  std::uint32_t slot() const { return slot_; }

  // For its parts and RelaySocket.
  TcpPlace* place() { return place_.get(); }  ///< null if no adapter may run the connection
  /// A new engine, for a connection that an adapter has had.
  tcp::Connection& renew();
  /// The connection is gone with its adapter. The socket is locked.
  void lose(SocketError why);
  Stack& stack() { return stack_; }
  SocketLock& lock() { return lock_; }
  tcp::Connection& engine() { return *connection_; }
  TcpOutput& output() { return output_; }
  TcpInput& input() { return input_; }
  SocketDiscipline& discipline() { return *discipline_; }
  WaitQueue& readers() { return readers_; }
  WaitQueue& writers() { return writers_; }
  /// `bytes` more are in the send buffer. The socket is locked.
  void write(std::uint64_t bytes);
  /// Acts on the state of the engine. Call it after every call of the engine.
  void engine_returned();

 private:
  // BacklogHandler.
  void handle_segment(const Arrival& arrival) override;
  void handle_summed(const Arrival& arrival);
  void handle_timer(tcp::Timer timer) override;
  void handle_room() override;
  void handle_news() override { place_->handle(); }
  // A context follows the segments that came before the adapter had a place.
  bool news_first() const override { return away(); }
  void released() override { settle(); }

  void settle();
  void prepare();
  void end_by(TcpPlace::Then how);
  tcp::Opening opening(std::uint32_t iss);
  void to_time_wait();
  void notify(SocketEvent event) {
    if (watcher_ != nullptr) watcher_->on_event(event);
  }

  Stack& stack_;
  const std::uint32_t slot_;
  SocketSettings settings_;
  SocketLock lock_;
  std::optional<tcp::Connection> connection_;
  TcpOutput output_;
  TcpInput input_;
  std::unique_ptr<SocketDiscipline> discipline_;
  std::unique_ptr<TcpPlace> place_;
  ConnectionTimers timers_;
  TcpListener* listener_ = nullptr;
  SocketWatcher* watcher_ = nullptr;

  bool bound_ = false;
  bool attached_ = true;
  bool established_ = false;
  bool stream_ended_ = false;
  bool ended_ = false;
  bool finished_by_us_ = false;  // by shutdown or close
  bool handed_over_ = false;     // to TIME-WAIT
  std::uint32_t iss_ = 0;
  std::uint32_t peer_timestamp_ = 0;
  ShownWindow shown_;
  std::optional<SocketError> error_;
  WaitQueue readers_;
  WaitQueue writers_;
  WaitQueue openers_;
};

}  // namespace longhaul::host
