// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "models/host/kernel/process.h"
#include "models/host/net/address.h"
#include "models/host/net/tcp_snapshot.h"

namespace longhaul::host {

/// Why a socket call failed.
enum class SocketError : std::uint8_t { kReset, kTimedOut, kRefused, kClosed, kUnreachable };

/// A TCP socket of a program. All calls are system calls of `process`: they block, cost their time,
/// and can be interrupted. User memory is a buffer that the caller has allocated (physical
/// address), so copies touch the same lines as real ones.
class TcpSocket {
 public:
  virtual ~TcpSocket() = default;
  /// Set SO_SNDBUF and SO_RCVBUF; TCP_NODELAY. Before connect() or listen().
  virtual void set_buffers(std::uint64_t send_bytes, std::uint64_t receive_bytes) = 0;
  virtual void set_nodelay(bool on) = 0;
  /// Returns true when the connection is established.
  virtual bool connect(Process& process, const Address& to) = 0;
  virtual void listen(Process& process, std::uint16_t port, std::uint32_t backlog) = 0;
  virtual std::unique_ptr<TcpSocket> accept(Process& process) = 0;
  /// Blocks until all bytes are in the send buffer. Returns fewer only if the connection has ended.
  virtual std::uint64_t send(Process& process, std::uint64_t user_address, std::uint64_t bytes) = 0;
  /// Blocks until there are data. Returns how many bytes; 0 at the end of the stream or connection.
  virtual std::uint64_t receive(Process& process, std::uint64_t user_address,
                                std::uint64_t bytes) = 0;
  virtual void shutdown(Process& process) = 0;  ///< of the sending direction
  virtual void close(Process& process) = 0;
  /// The connection's state, for reports and probes. It costs no time.
  virtual TcpSnapshot snapshot() const = 0;
  /// Why connect() failed or the connection ended. Empty while it lives and after an orderly end.
  virtual std::optional<SocketError> error() const = 0;
  /// Verify mode: sent data are a pattern of the stream's offset, and received data are compared
  /// with it. Before connect() or listen(); accepted sockets inherit it.
  virtual void set_verify(bool on) = 0;
  /// The offset of the first wrong byte that was received.
  virtual std::optional<std::uint64_t> mismatch() const = 0;
};

}  // namespace longhaul::host
