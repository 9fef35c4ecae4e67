// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/host/kernel/timers.h"
#include "models/tcp/environment.h"

namespace longhaul::host {

class Stack;
class TcpEndpoint;

/// The timers of a connection's engine, as timers of its host's kernel.
class ConnectionTimers {
 public:
  ConnectionTimers(Stack& stack, TcpEndpoint& owner);
  /// Lets a timer go off at `at`, in picoseconds.
  void set(tcp::Timer timer, std::uint64_t at);

 private:
  class One final : public KernelTimer {
   public:
    void expired() override;
    TcpEndpoint* owner = nullptr;
    tcp::Timer kind{};
  };

  Stack& stack_;
  std::array<One, tcp::kTimerKinds> timers_;
};

}  // namespace longhaul::host
