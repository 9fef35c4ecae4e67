// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace longhaul::cosim {

/// Flags of Verilator's triggers, one a byte: VlTriggerVec of Verilator 5.006, with its names.
///
/// Each evaluation of a block asks some times whether any flag is set. Verilator's class looks at
/// one flag after the other, which is a tenth of the time of a block with ten clocks. This class
/// looks at eight at once.
template <std::size_t Size>
class TriggerFlags final {
 public:
  TriggerFlags() { clear(); }

  void clear() { flags_.fill(false); }
  bool& at(std::size_t index) { return flags_[index]; }
  bool any() const {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < kBytes; i += kWord) found |= word(i);
    return found != 0;
  }
  /// Sets those of `other`, too.
  void set(const TriggerFlags& other) {
    for (std::size_t i = 0; i < kBytes; i += kWord) put(i, word(i) | other.word(i));
  }
  /// Becomes those of `a` that are not of `b`.
  void andNot(const TriggerFlags& a, const TriggerFlags& b) {  // NOLINT(*-identifier-naming)
    for (std::size_t i = 0; i < kBytes; i += kWord) put(i, a.word(i) & ~b.word(i));
  }

 private:
  static constexpr std::size_t kWord = sizeof(std::uint64_t);
  static constexpr std::size_t kBytes = (Size + kWord - 1) / kWord * kWord;

  std::uint64_t word(std::size_t at) const {
    std::uint64_t word;
    std::memcpy(&word, &flags_[at], kWord);
    return word;
  }
  void put(std::size_t at, std::uint64_t word) { std::memcpy(&flags_[at], &word, kWord); }

  alignas(kWord) std::array<bool, kBytes> flags_;
};

}  // namespace longhaul::cosim
