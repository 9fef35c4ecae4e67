// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/stream_socket.h"

#include "models/host/net/stack.h"

namespace longhaul::host {

StreamSocket::StreamSocket(Stack& stack) : stack_(stack) {
  settings_.send_limit = stack.params().send_buffer().count;
  settings_.receive_limit = stack.params().receive_buffer().count;
  end_ = &stack.make_endpoint(settings_);
}

StreamSocket::StreamSocket(Stack& stack, SocketEnd& end)
    : stack_(stack), settings_(end.settings()), end_(&end) {}

StreamSocket::~StreamSocket() {
  if (end_ != nullptr) end_->abandon();
}

void StreamSocket::set_buffers(std::uint64_t send_bytes, std::uint64_t receive_bytes) {
  const std::uint64_t factor = stack_.params().truesize() ? 2 : 1;
  settings_.send_limit = send_bytes * factor;
  settings_.send_limit_is_set = true;
  settings_.receive_limit = receive_bytes * factor;
  settings_.receive_limit_is_set = true;
  end_->set(settings_);
}

void StreamSocket::set_nodelay(bool on) {
  settings_.nodelay = on;
  end_->set(settings_);
}

void StreamSocket::set_verify(bool on) {
  settings_.verify = on;
  end_->set(settings_);
}

void StreamSocket::enter(Process& process) const {
  process.processor().execute(stack_.params().socket_call_cycles());
}

bool StreamSocket::connect(Process& process, const Address& to) {
  const Process::Syscall call(process);
  enter(process);
  auto* const endpoint = dynamic_cast<TcpEndpoint*>(end_);
  if (endpoint == nullptr || endpoint->bound()) {
    error_ = SocketError::kUnreachable;
    return false;
  }
  Interface* const interface = stack_.route(to);
  bool result = false;
  if (interface != nullptr && connect_offloaded(process, *interface, to, result)) return result;
  if (!stack_.prepare_connect(*endpoint, to)) {
    error_ = SocketError::kUnreachable;
    return false;
  }
  return endpoint->connect(process, stack_.initial_sequence(endpoint->ends()));
}

/// Lets the adapter open the connection, with connect()'s result. Returns false if the host has to.
bool StreamSocket::connect_offloaded(Process& process, Interface& interface, const Address& to,
                                     bool& result) {
  TcpOffload* const offload = interface.device().offload();
  if (offload == nullptr || offload->host_opens() || to.ipv6 || stack_.passage() != nullptr)
    return false;
  Neighbour& neighbour = interface.neighbour(to);
  result = false;
  if (!neighbour.resolve(process)) {
    error_ = SocketError::kUnreachable;
    return true;
  }
  const std::optional<tcp::Endpoints> ends = stack_.ends_to(interface, to);
  if (!ends) {
    error_ = SocketError::kUnreachable;
    return true;
  }
  OffloadedEndpoint& offloaded = stack_.offloaded().make(stack_, *offload, settings_, *ends);
  const OffloadedEndpoint::Opened opened = offloaded.connect(process, neighbour.mac());
  if (opened == OffloadedEndpoint::Opened::kNoRoom) {
    offloaded.discard();
    return false;
  }
  end_->abandon();
  end_ = &offloaded;
  result = opened == OffloadedEndpoint::Opened::kYes;
  return true;
}

void StreamSocket::listen(Process& process, std::uint16_t port, std::uint32_t backlog) {
  const Process::Syscall call(process);
  enter(process);
  auto listener = std::make_unique<TcpListener>(stack_, port, backlog, settings_);
  if (stack_.add_listener(*listener)) {
    stack_.offer_to_adapters(*listener);
    listener_ = std::move(listener);
  } else {
    error_ = SocketError::kUnreachable;
  }
}

std::unique_ptr<TcpSocket> StreamSocket::accept(Process& process) {
  const Process::Syscall call(process);
  enter(process);
  SocketEnd* const end = listener_ == nullptr ? nullptr : listener_->accept(process);
  if (end == nullptr) return nullptr;
  return std::unique_ptr<TcpSocket>(new StreamSocket(stack_, *end));
}

std::uint64_t StreamSocket::send(Process& process, std::uint64_t user_address,
                                 std::uint64_t bytes) {
  const Process::Syscall call(process);
  enter(process);
  return end_ == nullptr ? 0 : end_->send(process, user_address, bytes);
}

std::uint64_t StreamSocket::receive(Process& process, std::uint64_t user_address,
                                    std::uint64_t bytes) {
  const Process::Syscall call(process);
  enter(process);
  return end_ == nullptr ? 0 : end_->receive(process, user_address, bytes);
}

void StreamSocket::shutdown(Process& process) {
  const Process::Syscall call(process);
  enter(process);
  if (end_ != nullptr) end_->shutdown(process);
}

void StreamSocket::close(Process& process) {
  const Process::Syscall call(process);
  enter(process);
  if (listener_ != nullptr) listener_->close();
  if (end_ == nullptr) return;
  SocketEnd* const end = end_;
  error_ = end->error();
  mismatch_ = end->mismatch();
  end_ = nullptr;
  end->close(process);
}

}  // namespace longhaul::host
