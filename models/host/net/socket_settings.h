// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::host {

/// Settings that a program makes before it connects or listens.
struct SocketSettings {
  std::uint64_t send_limit = 0;    ///< bytes of memory, as the system counts it (SO_SNDBUF)
  bool send_limit_is_set = false;  ///< by a program: it does not grow
  std::uint64_t receive_limit = 0;
  bool receive_limit_is_set = false;  ///< by a program: it does not grow
  bool nodelay = false;
  bool verify = false;   ///< payload is a pattern of its offset, checked when it is read
  bool carries = false;  ///< payload is copied, for a relay
};

}  // namespace longhaul::host
