// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "platform/cosim/clock_edges.h"

namespace longhaul::cosim {

/// A set of a block's clock inputs. Bit i is input i, in the order of RtlBlock::add_clock().
using ClockInputs = std::uint32_t;
constexpr std::uint32_t kMostClockInputs = 32;

/// Drives the clock inputs of a block that have the same frequency, offset and phase: their edges
/// are taken together. It stops while all its inputs are stopped.
class ClockSource {
 public:
  explicit ClockSource(ClockEdges edges) : edges_(edges) {}

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  /// Adds an input, which runs.
  void add(ClockInputs input) {
    inputs_ |= input;
    going_ |= input;
  }

  const ClockEdges& edges() const { return edges_; }
  std::uint64_t next_ps() const { return going_ == 0 ? kNever : edges_.next_ps(); }
  /// The fall before the rise at next_ps().
  std::uint64_t fall_ps() const { return edges_.fall_ps(); }
  /// All its inputs, and those that run.
  ClockInputs inputs() const { return inputs_; }
  ClockInputs going() const { return going_; }
  /// Those at which a transactor samples the pins before an edge.
  ClockInputs sampling() const { return sampling_; }
  void samples(ClockInputs input) { sampling_ |= input; }
  /// Takes the edge at next_ps(). Returns the inputs that rise.
  ClockInputs rise() {
    const ClockInputs rising = going_ & ~late_;
    late_ = 0;
    edges_.advance();
    ++number_;
    return rising;
  }

  /// The number of the edge at edges().next_ps(), from 0.
  std::uint64_t number() const { return number_; }
  /// Starts an input, from the first edge after `now_ps` on. Returns that edge's number.
  std::uint64_t join(ClockInputs input, std::uint64_t now_ps) {
    if (going_ == 0) number_ += edges_.skip_past(now_ps);
    going_ |= input;
    if (edges_.next_ps() > now_ps) return number_;
    late_ |= input;
    return number_ + 1;
  }
  /// Stops an input.
  void leave(ClockInputs input) { going_ &= ~input; }

 private:
  ClockEdges edges_;
  std::uint64_t number_ = 0;
  ClockInputs inputs_ = 0;
  ClockInputs going_ = 0;
  ClockInputs sampling_ = 0;
  ClockInputs late_ = 0;  // those that were started at the instant of the next edge
};

}  // namespace longhaul::cosim
