// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/net/discipline/socket_discipline.h"

namespace longhaul::host {

/// Calls that move bytes of a stream. A send call fills the free room and blocks for more; a
/// receive call copies from one queue and returns the bytes in it. The softirq handles every
/// segment that finds the socket unlocked. Used for Solaris (STREAMS) and Linux since 4.14; other
/// systems derive from it.
class StreamDiscipline : public SocketDiscipline {
 public:
  explicit StreamDiscipline(TcpEndpoint& socket) : socket_(socket) {}

  std::uint64_t send(Process& process, std::uint64_t user, std::uint64_t bytes) final;
  std::uint64_t receive(Process& process, std::uint64_t user, std::uint64_t bytes) final;
  void update_window(std::uint64_t unread, std::uint64_t charged) final;
  void store(const Arrival& arrival, const Payload& payload) final;
  void readable() final;
  void writable() final;

 protected:
  TcpEndpoint& socket() { return socket_; }
  /// Handles the backlog for a reader whose buffer has room for `room` bytes. The socket is locked.
  virtual void process_backlog(std::uint64_t room);
  /// Unlocks, waits until there may be data to read, and locks again.
  virtual void wait_readable(Process& process);

 private:
  bool may_write(std::uint64_t left) const;
  bool may_read() const;

  TcpEndpoint& socket_;
};

}  // namespace longhaul::host
