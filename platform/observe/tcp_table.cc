// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/tcp_table.h"

#include <fmt/format.h>

namespace longhaul::observe {

std::string TcpEnds::remote_text() const {
  std::string text;
  for (std::size_t i = 0; i < (ipv6 ? 16U : 4U); ++i) {
    if (!ipv6) {
      text += fmt::format("{}{}", i == 0 ? "" : "_", remote[i]);
    } else {
      text += fmt::format("{}{:02x}", i == 0 || i % 2 == 1 ? "" : "_", remote[i]);
    }
  }
  return text + fmt::format("_{}", remote_port);
}

}  // namespace longhaul::observe
