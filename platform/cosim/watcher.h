// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "platform/cosim/pin.h"
#include "platform/cosim/pins.h"
#include "platform/cosim/transactor.h"

namespace longhaul::cosim {

/// A transactor that a clock domain calls at every edge (ClockDomain::watch()), unless it sleeps:
/// until then nothing of what it looks at changes, and it has nothing to do.
class Watcher final {
 public:
  Watcher(Transactor& transactor, bool samples) : transactor_(transactor), samples_(samples) {}

  /// Its sleep ends when a bit of `pin` is not as in `quiet`, which is looked at when it would be
  /// called: before the edge if it samples, else after it. Of a pin that is not connected nothing
  /// is looked at.
  void wake_by(const Pin& pin, std::uint64_t quiet) {
    for (std::uint32_t bit = 0; bit < pin.width(); ++bit) {
      const Pin one = pin.bits(bit, 1);
      if (one) wake_by(one.byte(), one.byte_mask(), (quiet >> bit & 1U) != 0);
    }
  }
  void wake_by(const BitPin& pin, bool quiet) { wake_by(pin.byte, pin.mask, quiet); }

  /// From its clocked(): it is not called until one of its pins or wake() wakes it.
  void sleep() { asleep_ = true; }
  void wake() { asleep_ = false; }
  /// As sleep(), but until one of its pins differs from what it is.
  void sleep_as_it_is() {
    for (Bits& bits : bits_) bits.quiet = *bits.byte & bits.mask;
    asleep_ = true;
  }

  /// Before an edge.
  void sample() {
    if (!samples_ || !awake()) return;
    transactor_.sample();
  }
  /// After an edge.
  void clocked(std::uint64_t edge_ps) {
    if (asleep_ && (samples_ || !awake())) return;
    transactor_.clocked(edge_ps);
  }
  bool samples() const { return samples_; }

 private:
  struct Bits {
    const std::uint8_t* byte;
    std::uint8_t mask;
    std::uint8_t quiet;
  };
  void wake_by(const std::uint8_t* byte, std::uint8_t mask, bool quiet) {
    const std::uint8_t level = quiet ? mask : std::uint8_t{0};
    for (Bits& bits : bits_) {
      if (bits.byte != byte) continue;
      bits.mask |= mask;
      bits.quiet |= level;
      return;
    }
    bits_.push_back({byte, mask, level});
  }
  bool awake() {
    if (!asleep_) return true;
    std::uint32_t other = 0;
    for (const Bits& bits : bits_) other |= (*bits.byte & bits.mask) ^ bits.quiet;
    asleep_ = other == 0;
    return !asleep_;
  }

  Transactor& transactor_;
  const bool samples_;
  bool asleep_ = false;
  std::vector<Bits> bits_;
};

}  // namespace longhaul::cosim
