// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul::host {

class Stack;

/// A connection's part of the levels that its stack shows.
class ShownWindow {
 public:
  void set(Stack& stack, std::uint64_t cwnd, std::uint64_t flight);

 private:
  std::uint64_t cwnd_ = 0;    // bytes
  std::uint64_t flight_ = 0;  // bytes
};

}  // namespace longhaul::host
