// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/host/kernel/process.h"
#include "models/host/net/address.h"
#include "models/host/net/arrival.h"
#include "models/host/net/socket.h"
#include "models/host/net/socket_settings.h"
#include "models/host/net/socket_watcher.h"
#include "models/tcp/connection.h"
#include "models/tcp/wire.h"

namespace longhaul::host {

class Interface;
class Stack;
class TcpEndpoint;

/// A relay's handle of a TCP connection, with calls that do not block and a watcher for events. It
/// may be empty; is_open() tells. Calls are in process context, in a system call, except deliver()
/// and take_over().
class RelaySocket {
 public:
  RelaySocket() = default;
  /// Takes a connection from a listener.
  explicit RelaySocket(TcpEndpoint& endpoint) : endpoint_(&endpoint) {}

  bool is_open() const { return endpoint_ != nullptr; }
  /// Passes the connection on. The handle is empty afterwards.
  RelaySocket release();

  /// Sends a SYN. Returns false if no interface reaches `to`, or no port is left.
  bool connect(Stack& stack, const SocketSettings& settings, const Address& to,
               SocketWatcher& watcher);
  /// Continues a connection whose handshake has passed through the relay; in any context. Returns
  /// false, with the handle empty, if the stack already has a connection with these ends.
  bool take_over(Interface& interface, const SocketSettings& settings, const tcp::Endpoints& ends,
                 const tcp::Handover& handover, SocketWatcher& watcher);
  /// Sets the watcher; null for none.
  void watch(SocketWatcher* watcher);

  /// Moves up to `bytes` that are in order into the send buffer of `to`, with one copy. Returns how
  /// many.
  std::uint64_t splice(Process& process, std::uint64_t bytes, RelaySocket& to);
  /// Receives exactly `bytes`. Returns false, without an effect, if fewer are in order.
  bool take(Process& process, std::uint64_t user, std::uint64_t bytes);
  /// Sends exactly `bytes`. Returns false, without an effect, if there is no room for them.
  bool put(Process& process, std::uint64_t user, std::uint64_t bytes);
  /// Sends the data that Nagle's rule holds back.
  void push(Process& process);
  void shutdown(Process& process);
  /// Closes the connection. The handle is empty afterwards.
  void close(Process& process);
  /// Sends a RST. The handle stays.
  void reset();
  /// Sends a RST. The handle is empty afterwards.
  void abandon();
  /// Handles a segment that the relay has intercepted; softirq context.
  void deliver(const Arrival& arrival);

  /// Bytes that are in order.
  std::uint64_t available() const;
  /// Free bytes of the send buffer.
  std::uint64_t room() const;
  bool is_established() const;
  bool stream_ended() const;
  bool is_over() const;
  std::optional<SocketError> error() const;

 private:
  TcpEndpoint* endpoint_ = nullptr;
};

}  // namespace longhaul::host
