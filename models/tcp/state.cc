// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/state.h"

#include <cstddef>

namespace longhaul::tcp {

const char* to_text(State state) {
  static constexpr const char* kNames[] = {
      "CLOSED",     "LISTEN",     "SYN-SENT", "SYN-RECEIVED", "ESTABLISHED", "FIN-WAIT-1",
      "FIN-WAIT-2", "CLOSE-WAIT", "CLOSING",  "LAST-ACK",     "TIME-WAIT"};
  return kNames[static_cast<std::size_t>(state)];
}

}  // namespace longhaul::tcp
