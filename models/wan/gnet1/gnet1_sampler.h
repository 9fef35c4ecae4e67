// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/wan/gnet1/gnet1_regs.h"

namespace longhaul::wan {

/// The hardware sampler: records a port's words and frames at a fixed period in its own memory.
class Gnet1Sampler {
 public:
  static constexpr std::uint32_t kDepth = gnet1_regs::kSampleIndexMask + 1;
  struct Sample {
    std::uint32_t words = 0;
    std::uint32_t frames = 0;
  };

  /// A write to SAMPLE_CTRL's low bits at clock `clock`. A rise of `enable` starts a new record.
  void control(std::uint64_t clock, bool enable, bool circular) {
    if (enable && !enable_) {
      place_ = 0;
      full_ = false;
      total_ = 0;
      next_ = clock + at_least_one(period_);
    }
    enable_ = enable;
    circular_ = circular;
  }
  /// Sets the period in clocks of 31.25 MHz. A period that has begun keeps its length.
  void set_period(std::uint32_t clocks) { period_ = clocks; }

  /// Takes all samples that are due up to clock `clock`. `read(c)` gives the counters as of clock
  /// c.
  template <class Read>
  void advance(std::uint64_t clock, Read&& read) {
    while (enable_ && next_ <= clock && (circular_ || !full_)) {
      if (memory_.empty()) memory_.resize(kDepth);
      memory_[place_] = read(next_);
      place_ = (place_ + 1) % kDepth;
      full_ = full_ || place_ == 0;
      ++total_;
      next_ += at_least_one(period_);
    }
    // With a full memory the periods continue without samples.
    if (enable_ && next_ <= clock)
      next_ +=
          (clock - next_) / at_least_one(period_) * at_least_one(period_) + at_least_one(period_);
  }
  std::uint32_t total() const { return total_; }
  Sample sample(std::uint32_t index) const {
    return memory_.empty() ? Sample{} : memory_[index % kDepth];
  }

 private:
  static std::uint64_t at_least_one(std::uint32_t period) { return period == 0 ? 1 : period; }

  std::vector<Sample> memory_;
  std::uint32_t period_ = 625;  // 20 us
  std::uint64_t next_ = 0;
  std::uint32_t place_ = 0;
  std::uint32_t total_ = 0;
  bool enable_ = false;
  bool circular_ = false;
  bool full_ = false;
};

}  // namespace longhaul::wan
