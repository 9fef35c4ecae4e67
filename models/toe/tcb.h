// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/tcp/config.h"
#include "models/tcp/connection.h"
#include "models/tcp/context.h"
#include "models/toe/frames.h"
#include "models/toe/messages.h"
#include "models/toe/rx_stream.h"
#include "models/toe/send_wait.h"
#include "models/toe/tcb_owner.h"
#include "models/toe/timer_list.h"
#include "models/toe/tx_stream.h"

namespace longhaul::toe {

/// A connection's control block: its TCP, its payload and what its host still has to be told.
///
/// A segment with data or FIN needs a permit, which only some events give: a host's message, a
/// modulation event, a timer. If TCP wants to send without one, it asks for a modulation event.
class Tcb final : private tcp::Environment {
 public:
  enum class Life : std::uint8_t {
    kAsking,    ///< a SYN waits for the host's PassAcceptReply
    kOpening,   ///< the handshake is under way
    kOpen,      ///< the host knows it as established
    kTaking,    ///< the host hands it over, and its TakeContext is awaited
    kDead,      ///< it has ended, and the host's AbortedReply is awaited
    kReturned,  ///< the host runs it again, and its AbortedReply is awaited
    kOver,      ///< nothing is left: the tables may forget it
  };

  /// A SYN has come for a server, or the host opens. `config` must outlive the connection.
  Tcb(TcbOwner& owner, Tid tid, std::uint32_t epoch, const Ends& ends, bool active,
      std::uint32_t opener);
  ~Tcb() override;

  // Opening.
  void connect(const tcp::TcpConfig& config, const ConnectionOptions& options,
               const tcp::Opening& opening);
  /// Keeps a SYN and where it came from until accept(). `announced`: the host knows the tid.
  void ask(const tcp::Segment& syn, const Origin& origin, bool announced);
  void accept(const tcp::TcpConfig& config, const ConnectionOptions& options,
              const tcp::Opening& opening);

  // A connection that the host has opened.
  /// Keeps its frames until take(). `first` has what never changes.
  void await(const tcp::TcpConfig& config, const ConnectionOptions& options,
             const tcp::Context& first);
  void hold(const FrameRef& frame) { held_.push_back(frame); }
  /// The frames that were kept, which the caller handles now.
  std::vector<FrameRef> held() { return std::exchange(held_, {}); }
  /// Credits that have overtaken the context.
  void credit_early(std::uint32_t bytes) { early_credits_ += bytes; }
  /// Continues it.
  void take(const tcp::Context& context);
  /// Gives the host all data in order, and the context. `timed_out`: the peer does not answer.
  void give_back(bool timed_out);
  /// Whether the host has opened it.
  bool moves() const { return moves_; }

  // Events.
  /// A segment with `length` payload bytes, of which `stored` are at `payload` and the rest zero.
  void receive(const tcp::Segment& segment, const std::uint8_t* payload, std::uint32_t stored);
  /// Whether payload memory has room for `bytes` more to send.
  bool has_room(std::uint32_t bytes) const { return tx_.has_room(bytes); }
  void write(const TxData& data);
  void credit(std::uint32_t bytes);
  void close();
  void abort(bool send_reset);
  /// Nothing is left of it: the host has forgotten a dead connection, or has not accepted a SYN.
  void forget() { life_ = Life::kOver; }
  /// A SYN cannot be accepted; the host's AbortedReply follows.
  void die() { life_ = Life::kDead; }
  void modulate();
  void on_timer(std::uint8_t kind);

  /// The host has taken `bytes` of RxData out of payload memory. At any time.
  void taken(std::uint32_t bytes);
  /// Writes a field. Returns false for an illegal value.
  bool set(TcbField field, std::uint32_t value);

  Tid tid() const { return tid_; }
  std::uint32_t epoch() const { return epoch_; }
  const Ends& ends() const { return ends_; }
  Life life() const { return life_; }
  bool wants_events() const { return connection_.has_value() && life_ < Life::kDead; }
  const ConnectionOptions& options() const { return options_; }
  const tcp::Segment& syn() const { return syn_; }
  const Origin& origin() const { return origin_; }
  bool is_request(std::uint8_t kind, std::uint64_t order) const { return requests_[kind] == order; }
  TcbFields fields() const;
  SendWait send_wait() const { return wait_.now(); }
  std::uint32_t iss() const { return iss_; }
  const PayloadStream& tx() const { return tx_.stream(); }
  const tcp::Connection* connection() const { return connection_ ? &*connection_ : nullptr; }

 private:
  // tcp::Environment.
  std::uint64_t now() const override { return now_ps(); }
  void wake(tcp::Timer timer, std::uint64_t at) override;
  bool transmit(tcp::Segment& segment) override;
  void established() override { established_ = true; }
  void readable(std::uint64_t bytes) override { fresh_ += bytes; }
  void writable(std::uint64_t bytes) override { acked_ += bytes; }
  void end_of_stream() override { peer_closed_ = true; }
  void ended(tcp::End why) override { ended_ = why; }

  void start(const tcp::TcpConfig& config, const ConnectionOptions& options);
  void refresh_window();
  void flush() { rx_.give_all(false, connection_->receiver().irs()); }
  void tell_established();
  void settle();
  void told_closed();
  void finish();
  Error error() const;

  TcbOwner& owner_;
  const Tid tid_;
  const std::uint32_t epoch_;
  const Ends ends_;
  const bool active_;
  const std::uint32_t opener_;  // atid or stid
  Life life_ = Life::kOpening;
  bool announced_ = false;  // the host knows the tid
  ConnectionOptions options_;
  std::optional<tcp::Connection> connection_;
  tcp::State counted_ = tcp::State::kClosed;  // in TcpCounts
  tcp::Segment syn_;
  Origin origin_;  // of the SYN
  std::uint32_t iss_ = 0;

  // Sending.
  TxStream tx_;
  std::uint32_t permits_ = 0;  // segments with data or FIN that the present event may send
  bool mute_ = false;
  bool wants_token_ = false;
  bool token_queued_ = false;
  CountedWait wait_;

  RxStream rx_;

  // News of TCP that the host has to be told.
  bool established_ = false;
  bool told_established_ = false;
  std::uint64_t fresh_ = 0;
  std::uint64_t acked_ = 0;
  bool peer_closed_ = false;
  bool told_peer_closed_ = false;
  bool told_closed_ = false;
  std::optional<tcp::End> ended_;
  tcp::Timer running_timer_ = tcp::Timer::kRetransmit;
  bool fin_wait2_over_ = false;
  std::uint64_t heard_ps_ = 0;

  // Of a connection that the host has opened.
  bool moves_ = false;
  const tcp::TcpConfig* config_ = nullptr;
  tcp::Context first_;
  std::vector<FrameRef> held_;
  std::uint32_t early_credits_ = 0;

  std::array<std::uint64_t, kTimers> requests_{};
};

}  // namespace longhaul::toe
