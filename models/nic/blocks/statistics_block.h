// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "models/common/register_bank.h"

namespace longhaul::nic {

/// The statistics registers of an adapter, all cleared by reading: 64-bit counters as pairs (low,
/// high), and 32-bit counters.
///
/// Reading the low half of a pair latches the high half and clears the counter, so no count is lost
/// or counted twice. Reading the high half then returns the latched value. If the high half is read
/// first, it returns the counter's upper bits and clears those. 32-bit counters stop at their
/// largest value.
class StatisticsBlock {
 public:
  explicit StatisticsBlock(RegisterBank& bank) : bank_(bank) {}

  /// Adds a pair at `offset` and the next word. `also` is a part of the count that is kept
  /// elsewhere and never cleared.
  std::uint64_t& add_pair(const char* low_name, const char* high_name, std::uint32_t offset,
                          std::function<std::uint64_t()> also = {});
  std::uint64_t& add_pair(const RegisterSpec& low, const RegisterSpec& high,
                          std::function<std::uint64_t()> also = {}) {
    return add_pair(low.name, high.name, low, std::move(also));
  }
  std::uint32_t& add_word(const char* name, std::uint32_t offset);
  std::uint32_t& add_word(const RegisterSpec& spec) { return add_word(spec.name, spec); }
  /// Adds a word with an `also` as in add_pair().
  std::uint64_t& add_wide_word(const char* name, std::uint32_t offset,
                               std::function<std::uint64_t()> also);
  /// Adds a word that counts the growth of `now` since the last read.
  void add_follower(const char* name, std::uint32_t offset, std::function<std::uint64_t()> now);
  void add_follower(const RegisterSpec& spec, std::function<std::uint64_t()> now) {
    add_follower(spec.name, spec, std::move(now));
  }
  /// Adds a counter of events that do not occur in the model; it reads as zero.
  void add_zero(const char* name, std::uint32_t offset);
  void add_zero(const RegisterSpec& spec) { add_zero(spec.name, spec); }

  static void count(std::uint32_t& counter) {
    if (counter != ~std::uint32_t{0}) ++counter;
  }
  /// Device reset: sets all counters to zero.
  void reset();

 private:
  /// A count that is kept elsewhere. take() returns its growth since the last call.
  struct Follower {
    std::function<std::uint64_t()> now;
    std::uint64_t seen = 0;
    std::uint64_t take();
  };
  struct Pair {
    std::uint64_t value = 0;
    std::uint32_t latched = 0;
    bool has_latch = false;
    Follower also{};
  };

  RegisterBank& bank_;
  std::deque<Reg32> registers_;
  std::deque<Pair> pairs_;
  std::deque<Follower> followers_;
  std::deque<std::uint32_t> words_;
};

}  // namespace longhaul::nic
