// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/ring_buffer.h"
#include "models/wan/gnet1/gnet1_receiver.h"
#include "models/wan/gnet1/gnet1_regs.h"
#include "models/wan/gnet1/gnet1_shaper.h"
#include "models/wan/gnet1/gnet1_time.h"

namespace longhaul::wan {

/// The path of one port's frames from its receiver to the crossbar: shaper, external memory,
/// errors, discard, delay.
///
/// Nothing here is an event. advance() computes the past up to a clock of 31.25 MHz, in the order
/// of time, when a result is needed. Clock numbers count from reset: at the edge that ends clock k
/// the box's time is k - 1.
class Gnet1Channel {
 public:
  /// The causes of a loss, for taps.
  enum class Loss : std::uint8_t { kTail, kRed, kMemory, kDiscard };
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void frame_lost(const FrameRef& frame, std::uint64_t clock, Loss why) = 0;
  };
  /// The clocks of a frame that leaves: of its grant, of the moves of its first and last word to
  /// the transmitters, and the clock at which its last word made room.
  struct Flow {
    std::uint64_t grant = 0;
    std::uint64_t last = 0;
    std::uint64_t tail_in = 0;
  };

  Gnet1Channel(Gnet1Counters& counters, Listener& listener)
      : counters_(counters), listener_(listener) {}

  /// A frame begins to arrive. advance() must have been called for the present clock.
  void accept(const Gnet1Arrival& arrival);
  /// Computes everything that has happened up to the edge of `clock`.
  void advance(std::uint64_t clock);

  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  /// First clock at which the head may be granted, as known at present; kNever without a head. The
  /// head may still be discarded.
  std::uint64_t request();
  /// Whether the head requests a grant at this clock. advance() must have been called for it.
  bool asks(std::uint64_t clock) { return released_ && request() <= clock; }
  const Gnet1Arrival& head() { return queue_.front().arrival; }
  /// Removes the head.
  Gnet1Arrival leave(const Flow& flow);

  // Settings and commands, effective from `clock` on; call advance() for that clock first.
  Gnet1Shaper& shaper() { return shaper_; }
  void set_delay(std::uint64_t clock, Gnet1Time delay) {
    delay_ = delay;
    not_before_ = clock + 1;
  }
  void set_threshold(std::uint32_t threshold) { threshold_ = threshold; }
  void set_capacity(std::uint32_t words);
  void set_discard_mode(gnet1_regs::DiscardMode mode) { discard_mode_ = mode; }
  void set_discard_argument(std::uint32_t argument) { discard_argument_ = argument; }
  void arm();
  void cancel() { armed_ = false; }
  void seed(std::uint64_t seed);

  bool armed() const { return armed_; }
  std::uint32_t discard_stamp() const { return discard_stamp_; }
  std::uint32_t level(std::uint64_t clock) const;  ///< words in the memory
  std::uint32_t level_max() const { return level_max_; }
  void clear_level_max() { level_max_ = 0; }

  /// Counts of what has passed the error stage, as its counters show it at `clock`. Valid up to the
  /// last advance() and a few clocks beyond.
  struct Passed {
    std::uint32_t words;
    std::uint32_t frames;
    std::uint32_t bytes;
  };
  Passed passed(std::uint64_t clock) const;

 private:
  enum class Admission : std::uint8_t { kOpen, kIn, kOut };
  struct Stored {
    Gnet1Arrival arrival;
    std::int64_t departs = 0;  // in quads: stamp with which it left the shaper
    Admission admission = Admission::kOpen;
  };
  /// The words of a frame between memory and crossbar.
  struct Passage {
    std::uint32_t words = 0;
    std::uint32_t bytes = 0;
    std::uint64_t at_head = kNever;   // clock at which its stamp enters the register of the discard
                                      // stage
    std::uint64_t released = kNever;  // clock at which its stamp enters the lookup
    std::uint64_t leaves = kNever;  // clock at which it enters the crossbar, minus the clocks that
                                    // it was held up there
    std::uint32_t passed_by(std::uint64_t clock) const;
  };

  void settle_admissions(std::uint64_t clock);
  void settle_admission(Stored& stored);
  std::uint64_t check_clock(const Stored& stored) const;
  std::uint64_t read_ahead(std::uint64_t clock) const;
  std::uint64_t release_clock() const;
  void find_head();
  bool decide_head();
  void damage(FrameRef& frame, std::uint32_t bytes, std::uint32_t from_word, std::uint32_t to_word);
  void flip(FrameRef& frame, std::uint32_t bytes, std::uint32_t word);

  Gnet1Counters& counters_;
  Listener& listener_;
  Gnet1Shaper shaper_;
  Gnet1Lfsr lfsr_;

  // Settings.
  Gnet1Time delay_{};
  std::uint32_t threshold_ = 0;
  std::uint32_t capacity_ = 1U << 22;
  gnet1_regs::DiscardMode discard_mode_ = gnet1_regs::DiscardMode::kNext;
  std::uint32_t discard_argument_ = 0;

  // Memory: words ever written by the frames in it. The newest words may still be arriving.
  RingBuffer<Stored> queue_;
  std::size_t open_ = 0;  // frames at the end of the queue without a decision on admission
  std::uint64_t written_ = 0;
  std::uint64_t newest_take_ = 0;
  std::uint32_t newest_words_ = 0;
  bool newest_seen_ = true;  // included in level_max_
  std::uint32_t level_max_ = 0;

  // Discard.
  bool armed_ = false;
  std::uint32_t left_ = 0;
  std::uint32_t discard_stamp_ = 0;

  // Head.
  bool head_known_ = false;
  bool decided_ = false;
  bool released_ = false;
  Passage head_;
  Passage last_;                 // the frame before the head
  std::uint64_t last_base_ = 0;  // words of the stream before that frame
  std::uint64_t head_base_ = 0;
  std::uint64_t not_before_ = 0;  // first clock at which the delay setting allows a release
  std::uint64_t stage_free_ = 0;  // clock at which the register of the discard stage can take a
                                  // stamp
  // Clock from which the crossbar can grant this port's next frame.
  std::uint64_t crossbar_free_ = 0;
  Passed done_{0, 0, 0};  // passed by frames before last_
};

}  // namespace longhaul::wan
