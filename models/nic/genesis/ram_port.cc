// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/ram_port.h"

#include <algorithm>

#include "models/common/wide_math.h"

namespace longhaul::nic::genesis {

RamPort::RamPort(const sc_core::sc_module_name& name, Frequency clock,
                 std::uint32_t bytes_per_clock)
    : sc_module(name), hz_(clock.hz), bytes_per_clock_(bytes_per_clock) {}

std::uint64_t RamPort::alone_ps(std::uint32_t bytes) const {
  const std::uint64_t clocks = bytes_per_clock_.quotient(bytes + bytes_per_clock_.value() - 1);
  return times_over(clocks, 1'000'000'000'000ULL, hz_.value() / 2, hz_);
}

void RamPort::start(User user, std::uint32_t bytes) {
  settle();
  left_[user] = alone_ps(bytes) * kShares;
  active_ |= 1U << user;
  moved.add(bytes);
  state.enter(1);
  arm();
}

void RamPort::cancel(User user) {
  over_ &= ~(1U << user);
  if (!busy(user)) return;
  settle();
  active_ &= ~(1U << user);
  if (active_ == 0) state.enter(0);
  arm();
}

void RamPort::settle() {
  const std::uint64_t now = now_ps();
  if (active_ != 0) {
    const std::uint64_t share = (now - settled_ps_) * (kShares / users());
    for (std::size_t user = 0; user < kUsers; ++user) {
      if ((active_ & 1U << user) != 0) left_[user] -= std::min(left_[user], share);
    }
  }
  settled_ps_ = now;
}

void RamPort::arm() {
  if (active_ == 0) {
    timer_.cancel();
    return;
  }
  std::uint64_t least = ~std::uint64_t{0};
  for (std::size_t user = 0; user < kUsers; ++user) {
    if ((active_ & 1U << user) != 0) least = std::min(least, left_[user]);
  }
  const std::uint64_t shares = kShares / users();
  timer_.set(settled_ps_ + (least + shares - 1) / shares);
}

void RamPort::due() {
  settle();
  over_ = 0;
  for (std::uint32_t user = 0; user < kUsers; ++user) {
    if ((active_ & 1U << user) != 0 && left_[user] == 0) over_ |= 1U << user;
  }
  active_ &= ~over_;
  if (active_ == 0) state.enter(0);
  arm();
  // A called user may start its next transfer, or cancel that of another user, whose end is then
  // not reported.
  for (std::uint32_t user = 0; user < kUsers; ++user) {
    if ((over_ & 1U << user) == 0) continue;
    over_ &= ~(1U << user);
    ended_[user]();
  }
}

}  // namespace longhaul::nic::genesis
