// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::host {

/// Events of a connection, as in epoll(7).
enum class SocketEvent : std::uint8_t {
  kConnected,
  kReadable,
  kWritable,  ///< the peer has acknowledged data
  kHangUp,    ///< the stream or the connection has ended
};

/// Receives a connection's events. The socket is locked during the call. The call may wake a
/// process, but must do nothing else.
class SocketWatcher {
 public:
  virtual ~SocketWatcher() = default;
  virtual void on_event(SocketEvent event) = 0;
};

}  // namespace longhaul::host
