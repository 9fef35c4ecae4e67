// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "platform/cosim/pin.h"
#include "platform/cosim/pins.h"
#include "platform/cosim/transactor.h"

namespace longhaul::cosim {

/// A transactor that a clock domain calls at every edge (ClockDomain::watch()), except while it
/// sleeps. It may sleep while its inputs do not change and it has nothing to do.
class Watcher final {
 public:
  /// `changed` is set when it falls asleep or wakes up.
  Watcher(Transactor& transactor, bool samples, bool& changed)
      : transactor_(transactor), samples_(samples), changed_(changed) {}

  /// Ends its sleep when a bit of `pin` differs from `quiet`. Pins are checked at the time of its
  /// call: before the edge if it samples, else after it. An unconnected pin is not checked.
  void wake_by(const Pin& pin, std::uint64_t quiet) {
    for (std::uint32_t bit = 0; bit < pin.width(); ++bit) {
      const Pin one = pin.bits(bit, 1);
      if (one) wake_by(one.byte(), one.byte_mask(), (quiet >> bit & 1U) != 0);
    }
  }
  void wake_by(const BitPin& pin, bool quiet) { wake_by(pin.byte, pin.mask, quiet); }

  /// Called from its clocked(): it is not called again until a pin or wake() wakes it.
  void sleep() { set_asleep(true); }
  /// Like sleep(), but wakes when a pin differs from its present value.
  void sleep_as_it_is() {
    for (Bits& bits : bits_) bits.quiet = *bits.byte & bits.mask;
    combine();
    set_asleep(true);
  }
  void wake() { set_asleep(false); }

  bool asleep() const { return asleep_; }
  bool samples() const { return samples_; }
  Transactor& transactor() { return transactor_; }

  /// Bits of a byte, and their values while nothing happens.
  struct Bits {
    const std::uint8_t* byte;
    std::uint8_t mask;
    std::uint8_t quiet;
    const std::uint8_t* word = nullptr;  ///< the word with which the byte is compared
    std::uint8_t changed() const { return static_cast<std::uint8_t>((*byte & mask) ^ quiet); }
  };
  /// The same of eight bytes.
  struct Word {
    const std::uint8_t* at;
    std::uint64_t mask;
    std::uint64_t quiet;
    std::uint64_t changed() const {
      std::uint64_t now;
      std::memcpy(&now, at, sizeof now);
      return (now & mask) ^ quiet;
    }
    /// Adds bits of the same bytes. Returns whether that is possible: two watchers of a bit may
    /// wait for different levels.
    bool add(const Word& other) {
      if (at != other.at || ((quiet ^ other.quiet) & mask & other.mask) != 0) return false;
      mask |= other.mask;
      quiet |= other.quiet;
      return true;
    }
  };
  /// All watched bits. A change of their words takes effect with combine().
  std::vector<Bits>& bits() { return bits_; }
  void combine();
  /// Whether one of them differs from its value while nothing happens.
  bool pins_changed() const {
    std::uint64_t other = 0;
    for (const Word& word : words_) other |= word.changed();
    for (const Bits& bits : bytes_) other |= bits.changed();
    return other != 0;
  }
  /// The words that cover them, and those without a word.
  const std::vector<Word>& words() const { return words_; }
  const std::vector<Bits>& bytes() const { return bytes_; }

 private:
  void wake_by(const std::uint8_t* byte, std::uint8_t mask, bool quiet) {
    const std::uint8_t level = quiet ? mask : std::uint8_t{0};
    for (Bits& bits : bits_) {
      if (bits.byte != byte) continue;
      bits.mask |= mask;
      bits.quiet |= level;
      return combine();
    }
    bits_.push_back({byte, mask, level});
    combine();
  }
  void set_asleep(bool asleep) {
    if (asleep == asleep_) return;
    asleep_ = asleep;
    changed_ = true;
  }

  Transactor& transactor_;
  const bool samples_;
  bool asleep_ = false;
  bool& changed_;
  std::vector<Bits> bits_;
  std::vector<Word> words_;
  std::vector<Bits> bytes_;
};

/// The watchers of a clock domain, called in the order in which they were added.
///
/// The pins of sleeping watchers are compared eight bytes at once, since Verilator keeps narrow
/// ports side by side. So an edge at which all sleep costs little.
class WatcherList final {
 public:
  Watcher& add(Transactor& transactor, bool samples);
  /// Before an edge.
  void sample() {
    if (changed_) sort();
    if (changed(words_.data(), words_middle_)) wake_changed(true);
    if (has_bytes_ && bytes_changed(true)) wake_changed(true);
    if (!sampling_) return;
    for (const Awake& awake : awake_)
      if (awake.samples) awake.transactor->sample();
  }
  /// After an edge.
  void clocked(std::uint64_t edge_ps) {
    if (changed_) sort();
    if (changed(words_middle_, words_.data() + words_.size())) wake_changed(false);
    if (has_bytes_ && bytes_changed(false)) wake_changed(false);
    for (const Awake& awake : awake_) awake.transactor->clocked(edge_ps);
  }

 private:
  struct Awake {
    Transactor* transactor;
    bool samples;
  };
  static bool changed(const Watcher::Word* word, const Watcher::Word* end) {
    std::uint64_t other = 0;
    for (; word != end; ++word) other |= word->changed();
    return other != 0;
  }
  void place();
  [[gnu::noinline]] void sort();
  [[gnu::noinline]] bool bytes_changed(bool samplers) const;
  [[gnu::noinline]] void wake_changed(bool samplers);

  // Members that each edge reads come first, in a line of the host's cache.
  bool changed_ = false;   // a watcher has fallen asleep or woken up, or has a further pin
  bool sampling_ = false;  // one of awake_ samples
  bool has_bytes_ = false;
  std::vector<Awake> awake_;
  // Of sleeping watchers. Those that sample come first, and the others from the middle on.
  const Watcher::Word* words_middle_ = nullptr;
  std::vector<Watcher::Word> words_;
  std::vector<Watcher::Bits> bytes_;  // those that no word covers
  std::size_t bytes_middle_ = 0;
  std::vector<std::unique_ptr<Watcher>> all_;
  std::size_t placed_ = 0;  // bits of all watchers that have their words
};

}  // namespace longhaul::cosim
