// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/host/net/net_device.h"
#include "models/net/frame/ethernet_header.h"
#include "models/tcp/context.h"
#include "models/tcp/wire.h"

namespace longhaul::host {

// TCP in an adapter: requests of a host, and events for it, without a layout of messages.

class TcpOffload;

/// Why a connection of an adapter has ended, or could not be opened.
enum class OffloadEnd : std::uint8_t {
  kReset,        ///< by the peer's RST
  kTimedOut,     ///< the peer does not answer
  kNoRoom,       ///< the adapter's tables are full; the host's own TCP may open it
  kUnreachable,  ///< the adapter knows no next station, or has these ends already
  kIdle,         ///< a closed connection was silent for too long
  kDown,         ///< the adapter was switched off
};

/// Settings of a connection.
struct OffloadOptions {
  std::uint64_t window = 0;  ///< bytes that may wait until the program reads them
  bool nodelay = false;      ///< Nagle's algorithm is off
};

/// The cost of the host's code around an adapter's TCP, in cycles. The driver's own is apart.
struct OffloadCosts {
  std::uint32_t open = 0;     ///< a connection
  std::uint32_t send = 0;     ///< a message with data
  std::uint32_t receive = 0;  ///< the same of received data
  std::uint32_t ack = 0;      ///< news of acknowledged data
  std::uint32_t move = 0;     ///< a context that goes to the adapter, or comes back
};

/// Hears of a connection's events. The calls come in softirq context, one at a time; sent() comes
/// in any context.
class OffloadUser {
 public:
  virtual ~OffloadUser() = default;
  /// The handshake of connect() is over.
  virtual void opened() = 0;
  /// The peer has acknowledged `bytes` more.
  virtual void acknowledged(std::uint64_t bytes) = 0;
  /// The next bytes of the stream. Takes the buffer.
  virtual void received(const RxPacket& data) = 0;
  /// The adapter is done with the memory of a message. May come after the connection's end.
  virtual void sent(std::uint64_t cookie) = 0;
  /// The peer sends no more.
  virtual void peer_closed() = 0;
  /// The peer has acknowledged the end of this side's data.
  virtual void closed() = 0;
  /// The connection is no more.
  virtual void ended(OffloadEnd why) = 0;

  // Of a connection that the host has opened (TcpOffload::take()).
  /// The adapter has an entry for it, and keeps its segments. OffloadFlow::give() or recall()
  /// follows.
  virtual void place_found() {}
  /// The host's TCP continues, and the flow is no more. Null: the adapter never had the context.
  virtual void returned(const tcp::Context* /*context*/) {}
};

/// A connection that an adapter runs. Its user may call it until ended(), until both closed() and
/// peer_closed() have come, or until abort().
class OffloadFlow {
 public:
  virtual ~OffloadFlow() = default;
  /// Sends the bytes of a message. The first extent begins with TcpOffload::header_bytes() for the
  /// driver, which count in `bytes`. sent() returns the cookie. With `push` TCP sends the last byte
  /// as soon as it may.
  virtual void send(const TxPacket& message, bool push) = 0;
  /// The program has read `bytes` more.
  virtual void credit(std::uint64_t bytes) = 0;
  /// A FIN follows the data.
  virtual void close() = 0;
  /// Ends it with a RST. No event follows but sent().
  virtual void abort() = 0;

  // Of a connection that the host has opened.
  /// The adapter continues it.
  virtual void give(const tcp::Context& context) = 0;
  /// The host wants it back. OffloadUser::returned() follows.
  virtual void recall() = 0;
};

/// A port that an adapter's connections may come to.
class OffloadServer {
 public:
  virtual ~OffloadServer() = default;
  /// A SYN has come. Returns false if it is refused; the peer gets a RST. Otherwise established()
  /// or failed() follows.
  virtual bool asked(const TcpOffload& offload, OffloadOptions& options) = 0;
  /// Returns the connection's user; null if it is to be reset.
  virtual OffloadUser* established(OffloadFlow& flow, const tcp::Endpoints& ends,
                                   TcpOffload& offload) = 0;
  virtual void failed() = 0;
};

/// TCP in an adapter.
class TcpOffload {
 public:
  virtual ~TcpOffload() = default;
  /// Bytes in front of a message's data, for the driver.
  virtual std::uint32_t header_bytes() const = 0;
  /// Most data of a message.
  virtual std::uint32_t message_bytes() const = 0;
  virtual const OffloadCosts& costs() const = 0;
  /// Bytes that a program reads before the adapter is told, unless the window is nearly closed.
  virtual std::uint32_t credit_bytes() const = 0;
  /// Receive buffer of each connection, bytes; 0: that of its socket.
  virtual std::uint64_t receive_buffer() const { return 0; }
  /// Opens a connection; opened() or ended() follows. Null if the adapter takes none now.
  virtual OffloadFlow* connect(OffloadUser& user, const tcp::Endpoints& ends,
                               const MacAddress& station, const OffloadOptions& options) = 0;
  /// Whether the host opens and closes connections, and the adapter has them meanwhile (take()). If
  /// so, connect() and listen() are not called.
  virtual bool host_opens() const { return false; }
  /// Whether the congestion window goes with such a connection. Otherwise either TCP continues with
  /// the window that it had itself.
  virtual bool window_moves() const { return true; }
  /// Asks for an entry for a connection that the host's TCP runs; place_found() or ended() follows.
  /// Null if the adapter takes none now.
  virtual OffloadFlow* take(OffloadUser& user, const tcp::Endpoints& ends,
                            const MacAddress& station, const OffloadOptions& options,
                            const tcp::Context& first) = 0;
  /// Serves a port whenever the adapter is up. Does nothing if the table of servers is full.
  virtual void listen(OffloadServer& server, std::uint16_t port) = 0;
  /// Connections whose handshake is not over are reset; failed() does not follow.
  virtual void stop_listening(OffloadServer& server) = 0;
};

}  // namespace longhaul::host
