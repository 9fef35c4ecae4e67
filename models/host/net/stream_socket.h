// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "models/host/net/interface.h"
#include "models/host/net/socket.h"
#include "models/host/net/socket_end.h"
#include "models/host/net/tcp_endpoint.h"
#include "models/host/net/tcp_listener.h"

namespace longhaul::host {

/// A program's handle of a TCP connection or a listening port: the system calls around SocketEnd
/// and TcpListener. connect() asks the adapter by which the route leaves to run the connection, if
/// it can.
class StreamSocket final : public TcpSocket {
 public:
  explicit StreamSocket(Stack& stack);
  ~StreamSocket() override;  ///< resets a connection that was not closed

  void set_buffers(std::uint64_t send_bytes, std::uint64_t receive_bytes) override;
  void set_nodelay(bool on) override;
  bool connect(Process& process, const Address& to) override;
  void listen(Process& process, std::uint16_t port, std::uint32_t backlog) override;
  std::unique_ptr<TcpSocket> accept(Process& process) override;
  std::uint64_t send(Process& process, std::uint64_t user_address, std::uint64_t bytes) override;
  std::uint64_t receive(Process& process, std::uint64_t user_address, std::uint64_t bytes) override;
  void shutdown(Process& process) override;
  void close(Process& process) override;
  TcpSnapshot snapshot() const override {
    return end_ != nullptr ? end_->snapshot() : TcpSnapshot{};
  }
  std::optional<SocketError> error() const override {
    return error_ || end_ == nullptr ? error_ : end_->error();
  }
  void set_verify(bool on) override;
  std::optional<std::uint64_t> mismatch() const override {
    return end_ != nullptr ? end_->mismatch() : mismatch_;
  }
  /// Null after close(), and if an adapter has opened the connection.
  const TcpEndpoint* endpoint() const { return dynamic_cast<const TcpEndpoint*>(end_); }
  /// Whether an adapter runs the connection.
  bool offloaded() const {
    return end_ != nullptr && (endpoint() == nullptr || endpoint()->away());
  }

 private:
  StreamSocket(Stack& stack, SocketEnd& end);
  void enter(Process& process) const;
  bool connect_offloaded(Process& process, Interface& interface, const Address& to, bool& result);

  Stack& stack_;
  SocketSettings settings_;
  SocketEnd* end_;
  std::unique_ptr<TcpListener> listener_;
  // Of a failed call, or kept from a closed connection.
  std::optional<SocketError> error_;
  std::optional<std::uint64_t> mismatch_;
};

}  // namespace longhaul::host
