// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "models/host/kernel/process.h"
#include "models/host/net/address.h"
#include "models/tcp/connection.h"

namespace longhaul::host {

/// What a socket call gives instead of a count.
enum class SocketError : std::uint8_t { kReset, kTimedOut, kRefused, kClosed, kUnreachable };

/// A TCP socket as a program has it. All calls are system calls of `process`: they block, cost what
/// they cost, and are interrupted. User memory is a buffer that the caller has allocated (physical
/// address), so copies touch what real ones touch.
class TcpSocket {
 public:
  virtual ~TcpSocket() = default;
  /// SO_SNDBUF, SO_RCVBUF, TCP_NODELAY; before connect() or listen().
  virtual void set_buffers(std::uint64_t send_bytes, std::uint64_t receive_bytes) = 0;
  virtual void set_nodelay(bool on) = 0;
  /// True when established.
  virtual bool connect(Process& process, const Address& to) = 0;
  virtual void listen(Process& process, std::uint16_t port, std::uint32_t backlog) = 0;
  virtual std::unique_ptr<TcpSocket> accept(Process& process) = 0;
  /// Blocks until all of it is in the send buffer; returns less only when the connection has ended.
  virtual std::uint64_t send(Process& process, std::uint64_t user_address, std::uint64_t bytes) = 0;
  /// Blocks until something is there; returns how much; 0 at the end of the stream or connection.
  virtual std::uint64_t receive(Process& process, std::uint64_t user_address,
                                std::uint64_t bytes) = 0;
  virtual void shutdown(Process& process) = 0;  ///< of the sending direction
  virtual void close(Process& process) = 0;
  virtual const tcp::Connection& connection() const = 0;
  /// Why connect() failed or the connection ended; nothing while it lives or after an orderly end.
  virtual std::optional<SocketError> error() const = 0;
  /// Verify mode: what is sent is a pattern of the stream's offset, what is received is checked for
  /// it. Before connect() or listen(), whose sockets inherit it.
  virtual void set_verify(bool on) = 0;
  /// The offset of the first received byte that was wrong.
  virtual std::optional<std::uint64_t> mismatch() const = 0;
};

}  // namespace longhaul::host
