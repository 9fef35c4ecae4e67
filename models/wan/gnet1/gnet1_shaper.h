// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/wan/gnet1/gnet1_lfsr.h"

namespace longhaul::wan {

/// The bottleneck before a port's delay line: token bucket, router queue with tail drop and RED,
/// ATM cells.
///
/// It makes the same decisions as rtl/gnet1/gnet1_shaper.sv, one frame at a time. Times are in
/// units of 4 ns ("quads") since reset; costs are in 1/256 of that ("parts"). Clocks count at 31.25
/// MHz: at the edge that ends clock k the box's time is 8 (k - 1) quads.
class Gnet1Shaper {
 public:
  struct Settings {
    bool rate = false;
    bool atm = false;
    bool red = false;
    std::int64_t word_cost = 0;     ///< parts; of a word or (ATM) a cell
    std::int64_t frame_cost = 0;    ///< parts
    std::int64_t burst = 0;         ///< quads
    std::uint32_t queue_limit = 0;  ///< 100 ns; 0: the longest possible time
    std::uint32_t red_min = 0;      ///< 100 ns
    std::uint32_t red_max = 0;      ///< 100 ns
    std::uint32_t red_slope = 0;    ///< 2^-32 for each 100 ns
    std::uint32_t red_weight = 0;
    std::uint32_t atm_overhead = 0;  ///< bytes
  };
  enum class Verdict : std::uint8_t { kPass, kTailDrop, kRedDrop };
  struct Answer {
    Verdict verdict;
    /// Quads: when the bottleneck begins with the frame; the delay counts from here.
    std::int64_t departs;
  };

  /// A frame of `bytes` whose stamp word is taken at clock `clock`; its words follow, one a clock.
  /// Clocks must grow from call to call, by more than the words of the frame before.
  Answer offer(std::uint64_t clock, std::int64_t stamp, std::uint32_t bytes);
  /// Changes the settings from clock `clock` on.
  void change(std::uint64_t clock, const Settings& settings);
  void seed(std::uint64_t value) { lfsr_.seed(value); }

  const Settings& settings() const { return settings_; }
  std::uint32_t backlog_tenths(std::uint64_t clock) const;  ///< queueing time, 100 ns
  std::uint32_t average_tenths(std::uint64_t clock);        ///< of the queueing time, 100 ns

 private:
  static constexpr std::int64_t kParts = 256;
  static constexpr std::int64_t kQuadsPerClock = 8;
  static constexpr std::uint32_t kCellBytes = 48;
  static constexpr std::uint32_t kLongestQueue = 1U << 25;
  // 4 us: no frame waits longer in the receive FIFO.
  static constexpr std::int64_t kFifoQuads = 1000;
  // Period, in clocks, at which RED's average ages while the queue is empty.
  static constexpr std::uint32_t kIdleClocks = 1 << 9;

  static std::int64_t time_at(std::uint64_t clock) {
    return kQuadsPerClock * (static_cast<std::int64_t>(clock) - 1);
  }
  std::int64_t free_at() const { return free_parts_ >> 8; }
  bool red_hits();
  void charge_words(std::uint64_t clock, std::uint32_t bytes, std::uint32_t words);
  void pass_clocks(std::uint64_t until);
  void pass_clock(std::uint64_t clock);
  void age() { average_ -= average_ >> settings_.red_weight; }

  Settings settings_;
  Gnet1Lfsr lfsr_;
  std::int64_t free_parts_ = 0;  // when the bottleneck has sent all of its work
  std::int64_t average_ = 0;     // 1/256 of 100 ns
  std::uint32_t idle_ = 0;       // clocks without a queue, modulo kIdleClocks, at next_clock_
  std::uint64_t next_clock_ = 1;
};

}  // namespace longhaul::wan
