// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/common/ring_buffer.h"
#include "models/host/kernel/process.h"
#include "models/host/net/tcp_endpoint.h"
#include "models/host/net/tcp_offload.h"

namespace longhaul::host {

/// A listening port: connections that are being opened, and those that wait to be accepted. A SYN
/// beyond the backlog of both together is dropped (its sender tries again). So an established
/// connection always has its place.
class TcpListener final : public OffloadServer {
 public:
  TcpListener(Stack& stack, std::uint16_t port, std::uint32_t backlog,
              const SocketSettings& settings);
  ~TcpListener() override;
  TcpListener(const TcpListener&) = delete;
  TcpListener& operator=(const TcpListener&) = delete;

  std::uint16_t port() const { return port_; }
  /// Handles a SYN and takes its packet. `ends` are those of the answer.
  void syn(Interface& interface, const tcp::Endpoints& ends, const Arrival& arrival);
  void established(TcpEndpoint& endpoint);
  void ended(TcpEndpoint& endpoint);
  /// Blocks until there is a connection. Null if the listener was closed meanwhile. It is a
  /// TcpEndpoint unless Stack::offer_to_adapters() was called.
  SocketEnd* accept(Process& process);
  /// Resets the connections that were not accepted.
  void close();

  /// Adapters have it as a server; Stack::offer_to_adapters().
  bool offered() const { return offered_; }
  void set_offered() { offered_ = true; }

  // OffloadServer.
  bool asked(const TcpOffload& offload, OffloadOptions& options) override;
  OffloadUser* established(OffloadFlow& flow, const tcp::Endpoints& ends,
                           TcpOffload& offload) override;
  void failed() override { --offloaded_half_open_; }

 private:
  bool is_full() const {
    return half_open_.size() + offloaded_half_open_ + ready_.size() >= backlog_;
  }

  Stack& stack_;
  const std::uint16_t port_;
  const std::uint32_t backlog_;
  const SocketSettings settings_;
  bool open_ = true;
  bool offered_ = false;
  std::vector<TcpEndpoint*> half_open_;
  std::uint32_t offloaded_half_open_ = 0;
  RingBuffer<SocketEnd*> ready_;
  WaitQueue acceptors_;
};

}  // namespace longhaul::host
