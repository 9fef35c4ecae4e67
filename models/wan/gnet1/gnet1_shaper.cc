// SPDX-License-Identifier: Apache-2.0
#include "models/wan/gnet1/gnet1_shaper.h"

#include <algorithm>

#include "models/wan/gnet1/gnet1_time.h"

namespace longhaul::wan {

Gnet1Shaper::Answer Gnet1Shaper::offer(std::uint64_t clock, std::int64_t stamp,
                                       std::uint32_t bytes) {
  pass_clocks(clock);
  const std::uint32_t words = (bytes + 3) / 4;
  const bool ahead = free_at() > time_at(clock);
  const std::uint32_t backlog = backlog_tenths(clock - 1);
  const bool full =
      backlog >= kLongestQueue || (settings_.queue_limit != 0 && backlog >= settings_.queue_limit);
  const bool red = red_hits();
  lfsr_.skip(1);

  Answer answer{Verdict::kPass, stamp};
  if (settings_.rate && (full || red))
    answer.verdict = full ? Verdict::kTailDrop : Verdict::kRedDrop;
  if (settings_.rate && free_at() > stamp) answer.departs = free_at();

  const std::int64_t floor = stamp - settings_.burst;
  if (floor >= free_at()) free_parts_ = floor * kParts;
  idle_ = ahead ? 0 : (idle_ + 1) % kIdleClocks;
  average_ += ((static_cast<std::int64_t>(backlog) << 8) - average_) >> settings_.red_weight;
  next_clock_ = clock + 1;
  if (settings_.rate && answer.verdict == Verdict::kPass) {
    free_parts_ += settings_.frame_cost;
    charge_words(clock, bytes, words);
  }
  return answer;
}

/// RED's decision, on the average before this frame.
bool Gnet1Shaper::red_hits() {
  if (!settings_.red) return false;
  const auto average = static_cast<std::uint32_t>(average_ >> 8);
  if (average < settings_.red_min) return false;
  const std::uint64_t probability =
      std::uint64_t{average - settings_.red_min} * settings_.red_slope;
  return average >= settings_.red_max || probability >> 32 != 0 ||
         static_cast<std::uint32_t>(lfsr_.state()) < probability;
}

/// Charges the words of a frame, one a clock. If the bottleneck stays busy throughout, the sum
/// needs no loop. Otherwise each clock matters, because the ageing of RED's average counts from the
/// clock at which the queue empties.
void Gnet1Shaper::charge_words(std::uint64_t clock, std::uint32_t bytes, std::uint32_t words) {
  const std::uint64_t end = clock + words;
  if (!settings_.atm && free_at() > time_at(end)) {  // ahead throughout
    pass_clock(clock + 1);
    free_parts_ += settings_.word_cost * words;
    next_clock_ = end + 1;
    return;
  }
  std::uint32_t cell = settings_.atm_overhead;
  for (std::uint32_t word = 1; word <= words; ++word) {
    pass_clock(clock + word);
    std::int64_t cost = settings_.word_cost;
    if (settings_.atm) {
      cell += word == words ? bytes - 4 * (words - 1) : 4;
      const std::uint32_t cells =
          (cell >= kCellBytes ? 1 : 0) + (word == words && cell != kCellBytes ? 1 : 0);
      if (cell >= kCellBytes) cell -= kCellBytes;
      cost *= cells;
    }
    free_parts_ += cost;
  }
}

void Gnet1Shaper::pass_clock(std::uint64_t clock) {
  if (idle_ == kIdleClocks - 1) age();
  idle_ = free_at() > time_at(clock) ? 0 : (idle_ + 1) % kIdleClocks;
  next_clock_ = clock + 1;
}

/// Passes all clocks before `until`. No word arrives in them.
void Gnet1Shaper::pass_clocks(std::uint64_t until) {
  // First clock at whose edge the bottleneck has sent everything.
  const std::int64_t free = free_at();
  const std::uint64_t empty =
      free <= 0 ? 0 : static_cast<std::uint64_t>((free + kQuadsPerClock - 1) / kQuadsPerClock) + 1;
  while (next_clock_ < until) {
    if (next_clock_ < empty) {
      pass_clock(next_clock_);
      next_clock_ = std::min(until, empty);
      continue;
    }
    const std::uint64_t clocks = until - next_clock_;
    const std::uint64_t to_age = kIdleClocks - 1 - idle_;
    if (clocks <= to_age || average_ >> settings_.red_weight == 0) {
      idle_ = static_cast<std::uint32_t>((idle_ + clocks) % kIdleClocks);
      next_clock_ = until;
    } else {
      next_clock_ += to_age + 1;
      age();
      idle_ = 0;
    }
  }
}

void Gnet1Shaper::change(std::uint64_t clock, const Settings& settings) {
  pass_clocks(clock + 1);
  // Until now, an idle bottleneck has saved up with the old burst.
  const std::int64_t floor = time_at(clock) - kFifoQuads - settings_.burst;
  if (floor >= free_at()) free_parts_ = floor * kParts;
  settings_ = settings;
}

std::uint32_t Gnet1Shaper::backlog_tenths(std::uint64_t clock) const {
  const std::int64_t ahead = free_at() - time_at(clock + 1);
  if (!settings_.rate || ahead <= 0) return 0;
  return static_cast<std::uint32_t>(ahead / Gnet1Time::kQuadsPerTenth) & 0x07ff'ffffU;
}

std::uint32_t Gnet1Shaper::average_tenths(std::uint64_t clock) {
  pass_clocks(clock + 1);
  return static_cast<std::uint32_t>(average_ >> 8);
}

}  // namespace longhaul::wan
