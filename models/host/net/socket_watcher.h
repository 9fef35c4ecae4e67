// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::host {

/// What can happen to a connection, as epoll(7) has it.
enum class SocketEvent : std::uint8_t {
  kConnected,
  kReadable,
  kWritable,  ///< the peer has acknowledged data
  kHangUp,    ///< the stream or the connection has ended
};

/// Hears of a connection's events. The socket is locked during the call, which may wake a process,
/// and nothing else.
class SocketWatcher {
 public:
  virtual ~SocketWatcher() = default;
  virtual void on_event(SocketEvent event) = 0;
};

}  // namespace longhaul::host
