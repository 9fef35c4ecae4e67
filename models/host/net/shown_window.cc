// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/shown_window.h"

#include "models/host/net/stack.h"

namespace longhaul::host {

void ShownWindow::set(Stack& stack, std::uint64_t cwnd, std::uint64_t flight) {
  if (cwnd != cwnd_) stack.cwnd.add(static_cast<std::int64_t>(cwnd - cwnd_));
  if (flight != flight_) stack.flight.add(static_cast<std::int64_t>(flight - flight_));
  cwnd_ = cwnd;
  flight_ = flight;
}

}  // namespace longhaul::host
