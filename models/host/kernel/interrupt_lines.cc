// SPDX-License-Identifier: Apache-2.0
#include "models/host/kernel/interrupt_lines.h"

namespace longhaul::host {

void InterruptLines::add_handler(std::uint32_t vector, InterruptHandler& handler) {
  handlers_.at(vector).push_back(&handler);
  handled_ |= bit(vector);
}

bool InterruptLines::set_line(std::uint32_t vector, bool asserted) {
  lines_ = asserted ? lines_ | bit(vector) : lines_ & ~bit(vector);
  if (asserted || vector >= kVectors) return false;
  unclaimed_[vector] = 0;
  const bool waited = (waiting_ & bit(vector)) != 0;
  waiting_ &= ~bit(vector);
  return waited;
}

InterruptLines::Turn InterruptLines::begin(std::uint32_t vector) {
  const std::uint32_t mask = bit(vector);
  if ((pending() & mask) == 0) return Turn::kGone;
  const bool again = (waiting_ & mask) != 0;
  waiting_ &= ~mask;
  serving_ |= mask;
  return again ? Turn::kAgain : Turn::kFirst;
}

void InterruptLines::put_off(std::uint32_t vector) {
  waiting_ |= bit(vector);
  serving_ &= ~bit(vector);
}

bool InterruptLines::call(std::uint32_t vector) {
  messages_ &= ~bit(vector);
  bool claimed = false;
  for (std::size_t i = 0; i < handlers_[vector].size() && !claimed; ++i)  // a handler may add one
    claimed = handlers_[vector][i]->interrupt();
  return claimed;
}

bool InterruptLines::end(std::uint32_t vector, bool claimed, std::uint32_t limit) {
  const std::uint32_t mask = bit(vector);
  serving_ &= ~mask;
  if (claimed) {
    unclaimed_[vector] = 0;
  } else if ((lines_ & mask) != 0 && ++unclaimed_[vector] == limit) {
    masked_ |= mask;
    return true;
  }
  return false;
}

}  // namespace longhaul::host
