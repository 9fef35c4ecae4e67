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

/// A relay's handle on a TCP connection: calls that do not block, and a watcher for events. It may
/// be empty; is_open() tells. All calls are of process context, in a system call, except deliver()
/// and take_over().
class RelaySocket {
 public:
  RelaySocket() = default;
  /// Takes a connection from a listener.
  explicit RelaySocket(TcpEndpoint& endpoint) : endpoint_(&endpoint) {}

  bool is_open() const { return endpoint_ != nullptr; }
  /// Gives the connection away; the handle is empty afterwards.
  RelaySocket release();

  /// Sends a SYN. False: no interface reaches `to`, or no port is left.
  bool connect(Stack& stack, const SocketSettings& settings, const Address& to,
               SocketWatcher& watcher);
  /// Continues a connection whose handshake has passed; of any context. False, and the handle stays
  /// empty: the stack has a connection with these ends already.
  bool take_over(Interface& interface, const SocketSettings& settings, const tcp::Endpoints& ends,
                 const tcp::Handover& handover, SocketWatcher& watcher);
  /// Null: nobody.
  void watch(SocketWatcher* watcher);

  /// Moves up to `bytes` that are in order into the send buffer of `to`, in one copy. Returns how
  /// many.
  std::uint64_t splice(Process& process, std::uint64_t bytes, RelaySocket& to);
  /// Receives exactly `bytes`; false, and nothing happens, if fewer are in order.
  bool take(Process& process, std::uint64_t user, std::uint64_t bytes);
  /// Sends exactly `bytes`; false, and nothing happens, if there is no room for them.
  bool put(Process& process, std::uint64_t user, std::uint64_t bytes);
  /// Sends what Nagle's rule holds back.
  void push(Process& process);
  void shutdown(Process& process);
  /// The handle is empty afterwards.
  void close(Process& process);
  /// Sends a RST; the handle stays.
  void reset();
  /// Sends a RST; the handle is empty afterwards.
  void abandon();
  /// Hands in a segment that came on its way through; softirq context.
  void deliver(const Arrival& arrival);

  /// Bytes that are in order.
  std::uint64_t available() const;
  /// Bytes that the send buffer has room for.
  std::uint64_t room() const;
  bool is_established() const;
  bool stream_ended() const;
  bool is_over() const;
  std::optional<SocketError> error() const;

 private:
  TcpEndpoint* endpoint_ = nullptr;
};

}  // namespace longhaul::host
