// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/host/kernel/process.h"
#include "models/host/net/socket.h"
#include "models/host/net/socket_settings.h"

namespace longhaul::host {

/// The host's end of a connection behind a program's socket. The host's own TCP runs it
/// (TcpEndpoint), or an adapter's (OffloadedEndpoint).
class SocketEnd {
 public:
  virtual ~SocketEnd() = default;
  virtual std::uint64_t send(Process& process, std::uint64_t user, std::uint64_t bytes) = 0;
  virtual std::uint64_t receive(Process& process, std::uint64_t user, std::uint64_t bytes) = 0;
  virtual void shutdown(Process& process) = 0;
  /// The program closes the socket. The end is destroyed when the connection has ended. With unread
  /// data the peer gets a RST.
  virtual void close(Process& process) = 0;
  /// Ends the connection with a RST after its program or its listener has ended.
  virtual void abandon() = 0;
  /// A program has taken the connection from its listener.
  virtual void accepted() = 0;

  virtual void set(const SocketSettings& settings) = 0;
  virtual const SocketSettings& settings() const = 0;
  /// Whether it has both its addresses.
  virtual bool bound() const = 0;
  virtual TcpSnapshot snapshot() const = 0;
  virtual std::optional<SocketError> error() const = 0;
  virtual std::optional<std::uint64_t> mismatch() const = 0;
};

}  // namespace longhaul::host
