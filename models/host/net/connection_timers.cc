// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/connection_timers.h"

#include "models/host/net/stack.h"
#include "models/host/net/tcp_endpoint.h"

namespace longhaul::host {

ConnectionTimers::ConnectionTimers(Stack& stack, TcpEndpoint& owner) : stack_(stack) {
  for (std::size_t i = 0; i < timers_.size(); ++i) {
    timers_[i].owner = &owner;
    timers_[i].kind = static_cast<tcp::Timer>(i);
  }
}

void ConnectionTimers::set(tcp::Timer timer, std::uint64_t at) {
  stack_.timers().set(timers_[static_cast<std::size_t>(timer)], at);
}

void ConnectionTimers::One::expired() { owner->timer(kind); }

}  // namespace longhaul::host
