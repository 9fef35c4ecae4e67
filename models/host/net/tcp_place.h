// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/common/ring_buffer.h"
#include "models/host/kernel/softirq.h"
#include "models/host/net/arrival.h"
#include "models/host/net/offload_messages.h"
#include "models/host/net/tcp_offload.h"
#include "models/host/net/tcp_snapshot.h"
#include "models/tcp/context.h"

namespace longhaul::host {

class Stack;
class TcpEndpoint;

/// Where the TCP of a connection runs: in the host, or in an adapter whose host keeps set-up,
/// tear-down and errors (TcpOffload::host_opens()).
///
/// The host opens the connection, and asks the adapter for a place. When there is one, the host's
/// TCP stops, and the adapter has its context. The socket's buffers stay: the adapter gets the
/// bytes to send in messages, and the host keeps them until the peer has acknowledged them. The
/// context comes back when the program closes, or by the adapter's own decision. The host's TCP
/// continues, resends, and gives the connection away again when nothing is missing.
///
/// The socket is locked in every call but those of OffloadUser.
class TcpPlace final : public OffloadUser, private Softirq {
 public:
  TcpPlace(Stack& stack, TcpEndpoint& socket, TcpOffload& offload)
      : stack_(stack), socket_(socket), offload_(offload) {}

  /// Whether the adapter runs the connection.
  bool away() const { return where_ == Where::kAdapter || where_ == Where::kRecalled; }
  /// Whether the adapter knows the connection.
  bool asked() const { return where_ != Where::kHost; }
  const TcpOffload& offload() const { return offload_; }
  /// Stream offset below which the adapter has all bytes.
  std::uint64_t handed() const { return handed_; }
  /// The state of a connection that is away, as the host knows it.
  TcpSnapshot snapshot() const;

  // From the endpoint.
  /// The host's TCP has returned: asks for a place if the connection may go.
  void consider();
  /// Sends bytes that the adapter does not have yet.
  void send();
  /// The program has read `bytes` more.
  void credit(std::uint64_t bytes);
  /// The end of a connection that is away, which the host makes when it is back.
  enum class Then : std::uint8_t { kNothing, kClose, kAbort };
  void take_back(Then then);
  /// Keeps a segment that comes before the context.
  void keep(const Arrival& arrival) { early_.push_back(arrival); }
  /// Handles the adapter's news.
  void handle();

  // OffloadUser.
  void opened() override {}       // the host opens,
  void peer_closed() override {}  // and it closes
  void closed() override {}
  void acknowledged(std::uint64_t bytes) override;
  void received(const RxPacket& data) override;
  void sent(std::uint64_t cookie) override;
  void ended(OffloadEnd why) override;
  void place_found() override;
  void returned(const tcp::Context* context) override;

 private:
  enum class Where : std::uint8_t {
    kHost,
    kAsked,     ///< the host's TCP runs until the adapter has a place
    kDeclined,  ///< the host's TCP runs, and the adapter gives the place back
    kAdapter,
    kRecalled,  ///< the same, and the host wants the connection back
  };
  /// A window of one of the two TCPs.
  struct Window {
    std::uint64_t cwnd = 0;
    std::uint64_t ssthresh = 0;
  };
  struct News {
    enum class Kind : std::uint8_t { kPlace, kAcknowledged, kReceived, kReturned, kEnded };
    Kind kind = Kind::kPlace;
    std::uint64_t bytes = 0;
    RxPacket data;
    std::optional<tcp::Context> context;
    OffloadEnd why = OffloadEnd::kNoRoom;
  };
  // Softirq: the news of a place waits until the host has handled all earlier frames.
  bool run() override;

  void tell(News news);
  bool may_go() const;
  void on_place();
  void on_received(const RxPacket& data);
  void on_returned(const std::optional<tcp::Context>& context);
  void resume(const tcp::Context& context);
  void on_ended(OffloadEnd why);
  void drop_kept();
  bool send_message(std::uint32_t length);

  Stack& stack_;
  TcpEndpoint& socket_;
  TcpOffload& offload_;
  // Null from the adapter's last news on. A process may hold the socket then, and read the news
  // later.
  OffloadFlow* flow_ = nullptr;
  Where where_ = Where::kHost;
  bool refused_ = false;  // the adapter has no room
  Then then_ = Then::kNothing;
  std::uint64_t handed_ = 0;
  bool coming_back_ = false;  // what has sent it back is still to be handled
  tcp::Position until_ = 0;   // the host keeps the connection until this is acknowledged
  std::uint64_t uncredited_ = 0;
  Window own_;       // of the host's TCP, when it stopped
  Window adapters_;  // the same of the adapter's
  RingBuffer<News> news_;
  std::vector<Arrival> early_;
  OffloadMessages messages_{stack_, offload_};
};

}  // namespace longhaul::host
