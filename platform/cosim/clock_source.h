// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/cosim/clock_edges.h"

namespace longhaul::cosim {

/// Drives the clock inputs of a block that have the same frequency, offset and phase: their edges
/// are taken together. It stops while all its inputs are stopped.
///
/// Members that an edge reads are a line of the host's cache.
class alignas(64) ClockSource {
 public:
  explicit ClockSource(ClockEdges edges) : edges_(edges) {}

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  /// Adds an input, which runs.
  void add() { ++going_; }

  const ClockEdges& edges() const { return edges_; }
  std::uint64_t next_ps() const { return going_ == 0 ? kNever : edges_.next_ps(); }
  /// The fall before the rise at next_ps().
  std::uint64_t fall_ps() const { return edges_.fall_ps(); }
  bool high() const { return high_; }
  /// Takes the edge at next_ps().
  void rise() {
    edges_.advance();
    ++number_;
    high_ = true;
  }
  void fall() { high_ = false; }

  /// The number of the edge at edges().next_ps(), from 0.
  std::uint64_t number() const { return number_; }
  /// Starts one more input, from the first edge after `now_ps` on. Returns that edge's number.
  std::uint64_t join(std::uint64_t now_ps) {
    if (going_++ == 0) number_ += edges_.skip_past(now_ps);
    return edges_.next_ps() > now_ps ? number_ : number_ + 1;
  }
  /// Stops an input.
  void leave() { --going_; }
  bool goes() const { return going_ != 0; }

 private:
  ClockEdges edges_;
  std::uint64_t number_ = 0;
  std::uint32_t going_ = 0;  // running inputs
  bool high_ = false;
};

}  // namespace longhaul::cosim
