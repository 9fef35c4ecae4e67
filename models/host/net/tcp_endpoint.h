// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/common/ring.h"
#include "models/host/kernel/process.h"
#include "models/host/kernel/timers.h"
#include "models/host/net/receive_memory.h"
#include "models/host/net/receive_queue.h"
#include "models/host/net/receive_tuning.h"
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

/// Is told what happens to a connection. Comes while the endpoint is locked: it may wake somebody, and nothing else.
class EndpointWatcher {
 public:
  enum class News : std::uint8_t { kOpen, kReadable, kRoom, kEnd };  ///< kEnd: of the stream, or of the connection
  virtual ~EndpointWatcher() = default;
  virtual void news(News what) = 0;
};

/// What a program sets before it connects or listens.
struct SocketSettings {
  std::uint64_t send_limit = 0;    ///< of memory, as the system accounts it
  bool send_limit_is_set = false;  ///< by a program: it does not grow
  std::uint64_t receive_limit = 0;
  bool receive_limit_is_set = false;  ///< by a program
  bool nodelay = false;
  bool verify = false;
  bool carries = false;  ///< other people's bytes, which are moved for real
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
  void has_room();
  void sent(const SendQueue::Hold& hold);
  void unreachable();
  void timer(tcp::Timer timer);

  // From a program; process context.
  bool connect(Process& process, std::uint32_t iss);
  /// As connect(), and does not wait for the answer.
  void start_connect(Processor& processor, std::uint32_t iss);
  /// Goes on with a connection that others have opened; attached and bound.
  void take_over(Processor& processor, const tcp::Handover& handover);
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

  // From a program that does not wait (a relay); process context.
  void set_watcher(EndpointWatcher* watcher) { watcher_ = watcher; }
  /// Moves up to `bytes` of what is in order straight into the send buffer of `to`, one copy, and lets both engines know. Returns how
  /// many it was.
  std::uint64_t splice(Process& process, std::uint64_t bytes, TcpEndpoint& to);
  /// Takes exactly `bytes` that are in order; false, and nothing happens, if there are fewer.
  bool take(Process& process, std::uint64_t user, std::uint64_t bytes);
  /// Writes exactly `bytes`; false, and nothing happens, if there is no room for them.
  bool put(Process& process, std::uint64_t user, std::uint64_t bytes);
  /// Nothing follows for a while: what Nagle's rule holds back goes out.
  void push(Process& process);
  std::uint64_t available() const { return receive_.end() - receive_.read_offset(); }
  /// Of the send buffer, bytes; with truesize as many as fit payloads that fill their memory.
  std::uint64_t room() const;
  bool is_established() const { return established_; }
  bool stream_ended() const { return stream_ended_; }
  bool is_over() const { return ended_; }

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
  void handle_next();
  void eat(std::uint64_t room);
  void settle();

  void handle(const Arrival& arrival);
  void handle_data(const Arrival& arrival);
  void update_window(std::uint64_t unread, std::uint64_t charged);
  bool fill_header(TxSlot& slot, const tcp::Segment& segment, std::uint32_t header_bytes);
  bool linearize(TxSlot& slot, const tcp::Segment& segment, std::uint32_t header_bytes);
  void walk(Processor& processor, std::uint64_t bytes, std::uint64_t piece) const;
  std::uint64_t fill_buffer(Processor& processor, std::uint64_t user, std::uint64_t bytes, std::uint64_t room);
  std::uint64_t send_whole(Process& process, std::uint64_t user, std::uint64_t bytes);
  bool call_may_return() const;
  void call_acknowledged();
  std::uint64_t receive_posted(Process& process, std::uint64_t user, std::uint64_t bytes);
  void fill_posted(bool pushed);
  bool posted_done() const;
  std::uint64_t posted_room() const { return posted_.bytes - posted_.filled; }
  std::uint64_t ahead() const;
  RxPacket set_aside(const Arrival& arrival, std::uint64_t& address, std::uint32_t bytes);
  void open_window();
  bool may_write(std::uint64_t left) const;
  std::uint64_t copy_out(Processor& processor, std::uint64_t user, std::uint64_t bytes);
  void tell_read();
  std::uint64_t sent_once() const;
  void grow_send_memory();
  /// Whether the receive memory follows the reader (NetParams::receive_buffer_most).
  bool tunes() const;
  void grow_receive_memory(std::uint64_t window);
  void after_call();
  void show(const ConnectionView& now);
  void drop_payload(const Arrival& arrival);
  bool make_room();
  bool may_read() const { return receive_.front().bytes != 0 || stream_ended_ || ended_; }
  tcp::Opening opening(std::uint32_t iss) const;
  void prepare();
  void begin_stream();
  void tell(EndpointWatcher::News what) {
    if (watcher_ != nullptr) watcher_->news(what);
  }

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
  ReceiveTuning tuning_;
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
  Ring<Arrival> backlog_;
  std::uint64_t backlog_bytes_ = 0;
  std::uint64_t reader_room_ = 0;  // of a reader that handles its segments itself
  /// A receive call that waits, with `posted_reads`.
  struct Posted {
    std::uint64_t user = 0;
    std::uint64_t bytes = 0;  // 0: there is none
    std::uint64_t filled = 0;
    bool pushed = false;
  };
  Posted posted_;
  /// With `send_by_call`: stream offsets at which calls end that are not wholly acknowledged.
  Ring<std::uint64_t> calls_;
  std::uint64_t calls_begin_ = 0;   // where the first of them begins
  std::uint64_t window_limit_ = 0;  // of the window, in whole segments where the system has it so
  std::uint64_t collapse_at_ = 0;   // memory counted at which copying together is worth another try
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
  EndpointWatcher* watcher_ = nullptr;
};

}  // namespace longhaul::host
