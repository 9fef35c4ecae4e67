// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/command_socket.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "models/common/echo.h"
#include "models/common/param.h"

namespace longhaul::assembly {
namespace {

bool would_wait() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

CommandSocket::CommandSocket(const std::string& path, bool listens) : path_(path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  constexpr std::size_t kMost = sizeof address.sun_path - 1;
  if (path.size() > kMost) {
    throw ConfigError(fmt::format("out: {} has {} characters, a socket's path {} at most",
                                  echo(path, kMostPath), path.size(), kMost));
  }
  if (!listens) return;
  fd_ = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  std::memcpy(address.sun_path, path.data(), path.size());
  if (fd_ < 0 || bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(fd_, 8) != 0) {
    const int error = errno;
    if (fd_ >= 0) close(fd_);
    throw std::system_error(error, std::generic_category(), path + " (as a socket)");
  }
}

CommandSocket::~CommandSocket() {
  if (fd_ < 0) return;
  for (const auto& [number, client] : clients_) close(client.fd);
  close(fd_);
  unlink(path_.c_str());
}

void CommandSocket::accept_all() {
  for (;;) {
    const int fd = accept4(fd_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    clients_[next_client_++] = {fd, {}, {}};
  }
}

bool CommandSocket::receive(Client& client) {
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t got = recv(client.fd, buffer.data(), buffer.size(), 0);
    if (got < 0) return would_wait();
    if (got == 0) return false;
    client.unread.append(buffer.data(), static_cast<std::size_t>(got));
    if (client.unread.size() > kLongestLine && client.unread.find('\n') == std::string::npos)
      return false;
  }
}

bool CommandSocket::send_rest(Client& client) {
  while (!client.unsent.empty()) {
    const ssize_t sent = send(client.fd, client.unsent.data(), client.unsent.size(), MSG_NOSIGNAL);
    if (sent < 0) return would_wait() && client.unsent.size() <= kLongestLine;
    client.unsent.erase(0, static_cast<std::size_t>(sent));
  }
  return true;
}

std::vector<CommandSocket::Request> CommandSocket::poll() {
  if (fd_ >= 0) accept_all();
  std::vector<Request> requests;
  for (auto at = clients_.begin(); at != clients_.end();) {
    auto& [number, client] = *at;
    const bool alive = receive(client);
    for (std::size_t end = client.unread.find('\n'); end != std::string::npos;
         end = client.unread.find('\n')) {
      requests.push_back({number, client.unread.substr(0, end)});
      client.unread.erase(0, end + 1);
    }
    if (alive && send_rest(client)) {
      ++at;
    } else {
      close(client.fd);
      at = clients_.erase(at);
    }
  }
  return requests;
}

void CommandSocket::answer(std::uint64_t client, const std::string& line) {
  const auto at = clients_.find(client);
  if (at == clients_.end()) return;
  at->second.unsent += line + '\n';
  if (send_rest(at->second)) return;
  close(at->second.fd);
  clients_.erase(at);
}

}  // namespace longhaul::assembly
