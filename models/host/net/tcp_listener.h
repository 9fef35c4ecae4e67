// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/common/ring_buffer.h"
#include "models/host/kernel/process.h"
#include "models/host/net/tcp_endpoint.h"

namespace longhaul::host {

/// A listening port: connections that are being opened, and those that wait to be accepted. A SYN
/// beyond the backlog of both together is dropped (its sender tries again). So an established
/// connection always has its place.
class TcpListener {
 public:
  TcpListener(Stack& stack, std::uint16_t port, std::uint32_t backlog,
              const SocketSettings& settings);
  ~TcpListener();
  TcpListener(const TcpListener&) = delete;
  TcpListener& operator=(const TcpListener&) = delete;

  std::uint16_t port() const { return port_; }
  /// Handles a SYN and takes its packet. `ends` are those of the answer.
  void syn(Interface& interface, const tcp::Endpoints& ends, const Arrival& arrival);
  void established(TcpEndpoint& endpoint);
  void ended(TcpEndpoint& endpoint);
  /// Blocks until there is a connection. Null if the listener was closed meanwhile.
  TcpEndpoint* accept(Process& process);
  /// Resets the connections that were not accepted.
  void close();

 private:
  Stack& stack_;
  const std::uint16_t port_;
  const std::uint32_t backlog_;
  const SocketSettings settings_;
  bool open_ = true;
  std::vector<TcpEndpoint*> half_open_;
  RingBuffer<TcpEndpoint*> ready_;
  WaitQueue acceptors_;
};

}  // namespace longhaul::host
