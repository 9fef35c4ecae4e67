// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/stream_socket.h"

#include "models/host/net/stack.h"

namespace longhaul::host {

StreamSocket::StreamSocket(Stack& stack) : stack_(stack) {
  settings_.send_limit = stack.params().send_buffer().count;
  settings_.receive_limit = stack.params().receive_buffer().count;
  endpoint_ = &stack.make_endpoint(settings_);
}

StreamSocket::StreamSocket(Stack& stack, TcpEndpoint& endpoint)
    : stack_(stack), settings_(endpoint.settings()), endpoint_(&endpoint) {}

StreamSocket::~StreamSocket() {
  if (endpoint_ != nullptr) endpoint_->abandon();
}

void StreamSocket::set_buffers(std::uint64_t send_bytes, std::uint64_t receive_bytes) {
  const std::uint64_t factor = stack_.params().truesize() ? 2 : 1;
  settings_.send_limit = send_bytes * factor;
  settings_.send_limit_is_set = true;
  settings_.receive_limit = receive_bytes * factor;
  settings_.receive_limit_is_set = true;
  endpoint_->set(settings_);
}

void StreamSocket::set_nodelay(bool on) {
  settings_.nodelay = on;
  endpoint_->set(settings_);
}

void StreamSocket::set_verify(bool on) {
  settings_.verify = on;
  endpoint_->set(settings_);
}

void StreamSocket::enter(Process& process) const {
  process.processor().execute(stack_.params().socket_call_cycles());
}

bool StreamSocket::connect(Process& process, const Address& to) {
  const Process::Syscall call(process);
  enter(process);
  if (endpoint_ == nullptr || endpoint_->bound() || !stack_.prepare_connect(*endpoint_, to)) {
    error_ = SocketError::kUnreachable;
    return false;
  }
  return endpoint_->connect(process, stack_.initial_sequence(endpoint_->ends()));
}

void StreamSocket::listen(Process& process, std::uint16_t port, std::uint32_t backlog) {
  const Process::Syscall call(process);
  enter(process);
  auto listener = std::make_unique<TcpListener>(stack_, port, backlog, settings_);
  if (stack_.add_listener(*listener)) {
    listener_ = std::move(listener);
  } else {
    error_ = SocketError::kUnreachable;
  }
}

std::unique_ptr<TcpSocket> StreamSocket::accept(Process& process) {
  const Process::Syscall call(process);
  enter(process);
  TcpEndpoint* const endpoint = listener_ == nullptr ? nullptr : listener_->accept(process);
  if (endpoint == nullptr) return nullptr;
  return std::unique_ptr<TcpSocket>(new StreamSocket(stack_, *endpoint));
}

std::uint64_t StreamSocket::send(Process& process, std::uint64_t user_address,
                                 std::uint64_t bytes) {
  const Process::Syscall call(process);
  enter(process);
  return endpoint_ == nullptr ? 0 : endpoint_->send(process, user_address, bytes);
}

std::uint64_t StreamSocket::receive(Process& process, std::uint64_t user_address,
                                    std::uint64_t bytes) {
  const Process::Syscall call(process);
  enter(process);
  return endpoint_ == nullptr ? 0 : endpoint_->receive(process, user_address, bytes);
}

void StreamSocket::shutdown(Process& process) {
  const Process::Syscall call(process);
  enter(process);
  if (endpoint_ != nullptr) endpoint_->shutdown(process);
}

void StreamSocket::close(Process& process) {
  const Process::Syscall call(process);
  enter(process);
  if (listener_ != nullptr) listener_->close();
  if (endpoint_ == nullptr) return;
  TcpEndpoint* const endpoint = endpoint_;
  error_ = endpoint->error();
  mismatch_ = endpoint->mismatch();
  endpoint_ = nullptr;
  endpoint->close(process);
}

}  // namespace longhaul::host
