// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/common/fifo.h"
#include "models/host/kernel/process.h"
#include "models/host/kernel/timers.h"
#include "models/host/net/receive_memory.h"
#include "models/host/net/receive_queue.h"
#include "models/host/net/send_queue.h"
#include "models/host/net/socket.h"
#include "models/tcp/connection.h"
#include "models/tcp/wire.h"

namespace longhaul::host {

class Interface;
class Neighbour;
class Stack;
class TcpEndpoint;
class TcpListener;
struct TxSlot;

/// What a program sets before it connects or listens.
struct SocketSettings {
  std::uint64_t send_limit = 0;    ///< of memory, as the system accounts it
  bool send_limit_is_set = false;  ///< by a program: it does not grow
  std::uint64_t receive_limit = 0;
  bool nodelay = false;
  bool verify = false;
};

/// A received segment whose headers have been read.
struct Arrival {
  RxPacket packet;
  tcp::Segment segment;
  std::uint64_t payload = 0;  ///< address
};

/// What a connection adds to the stack's levels, in bytes.
struct ConnectionView {
  std::uint64_t cwnd = 0;
  std::uint64_t flight = 0;
};

/// One end of a TCP connection in a host: the engine, its buffers and timers, and who may touch it when.
///
/// The rule of ownership is Linux's: a process in a socket call owns the endpoint, and segments, timers and news of room that come
/// meanwhile wait in a backlog which it works off when it lets go; else they are handled where they come, in softirq. Whoever
/// finds a softirq of another processor at work leaves its segment to that one. So no call into the engine meets another, whatever happens
/// while time is paid.
class TcpEndpoint final : public tcp::Environment {
 public:
  TcpEndpoint(Stack& stack, std::uint32_t slot, const SocketSettings& settings);
  ~TcpEndpoint() override;

  // Environment.
  std::uint64_t now() const override { return now_ps(); }
  void wake(tcp::Timer timer, std::uint64_t at) override;
  bool transmit(const tcp::Segment& segment) override;
  void established() override;
  void readable(std::uint64_t bytes) override;
  void writable(std::uint64_t bytes) override;
  void end_of_stream() override;
  void ended(tcp::End why) override;

  // From the stack.
  void attach(Interface& interface, Neighbour& neighbour, const tcp::Endpoints& ends);
  /// Waits for the SYN that comes next, on behalf of a listener.
  void listen(TcpListener& listener, std::uint32_t iss);
  void deliver(const Arrival& arrival);
  void room();
  void sent(const SendQueue::Hold& hold);
  void unreachable();
  void timer(tcp::Timer timer);

  // From a program; process context.
  bool connect(Process& process, std::uint32_t iss);
  void accepted() { listener_ = nullptr; }
  /// A listener's connection came to nothing.
  void detach() { attached_ = false; }
  std::uint64_t send(Process& process, std::uint64_t user, std::uint64_t bytes);
  std::uint64_t receive(Process& process, std::uint64_t user, std::uint64_t bytes);
  void shutdown(Process& process);
  /// The program lets go; the endpoint finishes alone and is gone when it has. With unread data the peer gets a RST.
  void close(Process& process);
  /// Ends the connection with a RST; whoever has it sees so (SO_LINGER with 0).
  void reset();
  /// The program is gone, or a listener with connections that nobody took: a RST.
  void abandon();

  void set(const SocketSettings& settings);
  const SocketSettings& settings() const { return settings_; }
  const tcp::Connection& connection() const { return connection_; }
  const tcp::Endpoints& ends() const { return ends_; }
  std::uint32_t iss() const { return iss_; }
  std::optional<SocketError> error() const { return error_; }
  std::optional<std::uint64_t> mismatch() const { return mismatch_; }
  const SendQueue& send_queue() const { return send_; }
  const ReceiveQueue& receive_queue() const { return receive_; }
  const Neighbour* neighbour() const { return neighbour_; }
  bool bound() const { return bound_; }
  void set_bound(bool on) { bound_ = on; }
  std::uint32_t slot() const { return slot_; }

 private:
  class ConnectionTimer final : public KernelTimer {
   public:
    void expired() override { owner->timer(kind); }
    TcpEndpoint* owner = nullptr;
    tcp::Timer kind{};
  };

  // Ownership.
  void lock(Processor& processor);
  void unlock();
  void work_off();
  void settle();

  void handle(const Arrival& arrival);
  void handle_data(const Arrival& arrival);
  void update_window(std::uint64_t unread, std::uint64_t charged);
  bool fill_header(TxSlot& slot, const tcp::Segment& segment, std::uint32_t header_bytes);
  bool linearize(TxSlot& slot, const tcp::Segment& segment, std::uint32_t header_bytes);
  std::uint64_t fill_buffer(Processor& processor, std::uint64_t user, std::uint64_t bytes, std::uint64_t room);
  bool may_write(std::uint64_t left) const;
  std::uint64_t copy_out(Processor& processor, std::uint64_t user, std::uint64_t bytes);
  void tell_read();
  std::uint64_t sent_once() const;
  void grow_send_memory();
  void after_call();
  void show(const ConnectionView& now);
  void drop_payload(const Arrival& arrival);
  bool make_room();
  bool may_read() const { return receive_.front().bytes != 0 || stream_ended_ || ended_; }
  tcp::Opening opening(std::uint32_t iss) const;
  void prepare();
  void begin_stream();

  Stack& stack_;
  const std::uint32_t slot_;
  SocketSettings settings_;
  Interface* interface_ = nullptr;
  Neighbour* neighbour_ = nullptr;
  tcp::Endpoints ends_;
  tcp::Connection connection_;
  SendQueue send_;
  ReceiveQueue receive_;
  ReceiveMemory memory_;
  std::array<ConnectionTimer, tcp::kTimerKinds> timers_;
  TcpListener* listener_ = nullptr;

  bool bound_ = false;  // segments find it
  bool locked_ = false;
  bool attached_ = true;  // a program or a listener has it
  bool established_ = false;
  bool stream_ended_ = false;
  bool ended_ = false;
  bool finished_by_us_ = false;  // shutdown or close
  bool handed_over_ = false;     // to TIME-WAIT
  bool reader_waits_ = false;
  bool room_due_ = false;
  std::uint32_t timers_due_ = 0;
  Fifo<Arrival> backlog_{1};
  std::uint64_t backlog_bytes_ = 0;
  std::uint64_t collapse_at_ = 0;  // memory counted at which copying together is worth another try
  std::uint32_t iss_ = 0;
  std::uint64_t told_read_ = 0;  // stream offset up to which the engine knows that the reader has read
  std::uint64_t transmissions_ = 0;
  std::uint64_t highest_sent_ = 0;
  ConnectionView shown_;  // in the stack's levels
  bool timestamps_ = false;
  std::uint32_t peer_timestamp_ = 0;
  std::optional<SocketError> error_;
  std::optional<std::uint64_t> mismatch_;
  WaitQueue readers_;
  WaitQueue writers_;
  WaitQueue openers_;
};

}  // namespace longhaul::host
