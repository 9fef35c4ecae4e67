// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "models/tcp/range_set.h"
#include "models/tcp/wire.h"
#include "tests/unit/models/tcp/rig.h"

namespace longhaul::tcp::rig {

/// Draws from one seed.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  std::uint64_t upto(std::uint64_t most) { return random_() % (most + 1); }
  std::uint64_t between(std::uint64_t least, std::uint64_t most) {
    return least + upto(most - least);
  }
  bool chance(double p) { return static_cast<double>(random_() >> 11U) * 0x1p-53 < p; }
  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[upto(choices.size() - 1)];
  }

 private:
  std::mt19937_64 random_;
};

/// Parameters drawn over everything that the engine can be told, kept to times that let a test end.
TcpParams random_params(Dice& dice);

/// Two hosts with random users on a random network, and the rules that must hold at every step.
///
/// Each user writes a number of bytes in random pieces, reads with random pauses, then closes. The
/// wire loses, duplicates and delays segments, and the sending queues refuse some. Every segment
/// goes through the codec, so that what arrives is what a wire carries.
class RandomNetwork {
 public:
  explicit RandomNetwork(std::uint64_t seed);

  /// Runs to the end of both connections, or to `limit`; then `failure` says what rule was broken,
  /// if any.
  void run(std::uint64_t limit);
  /// `a` ends its connection by a reset at `time`, whatever is under way; run() then asks only that
  /// nobody waits for an answer.
  void reset_at(std::uint64_t time);
  Pair& pair() { return *pair_; }
  std::uint64_t to_write(bool a) const { return side(a).total; }
  const std::string& failure() const { return failure_; }
  /// Lets everything through from `time` on, so that a dead end cannot be blamed on bad luck.
  void heal_at(std::uint64_t time) { heal_at_ = time; }

 private:
  struct Side {
    std::uint64_t total = 0;
    std::uint64_t written = 0;
    std::uint64_t largest_write = 1;
    double refuses = 0;
    bool pauses = false;
    bool waiting = false;  // for room in the sending queue
    RangeSet arrived;      // ranges of the peer's stream that came in here
    std::uint64_t granted =
        0;  // end of what the peer was heard to allow, in bytes of this side's stream
    std::uint8_t shift = 0;  // of the windows that the peer sends
    std::uint64_t read = 0;
  };
  Side& side(bool a) { return a ? a_ : b_; }
  const Side& side(bool a) const { return a ? a_ : b_; }
  Host& host(bool a) { return a ? pair_->a : pair_->b; }

  void attach(bool a);
  void write_some(bool a);
  void read_some(bool a);
  void wake_reader(bool a);
  void fail(const std::string& text) {
    if (failure_.empty()) failure_ = text;
  }
  void check_sending(bool a, const Segment& segment);
  void check_state(bool a);
  Segment over_the_wire(const Segment& segment);

  Dice dice_;
  std::unique_ptr<Pair> pair_;
  Side a_;
  Side b_;
  double loss_ = 0;
  double duplicate_ = 0;
  double reorder_ = 0;
  std::uint64_t jitter_ = 0;
  std::uint64_t heal_at_ = ~0ULL;
  bool reset_ = false;
  std::string failure_;
};

}  // namespace longhaul::tcp::rig
