// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/ring_buffer.h"
#include "models/net/frame/frame.h"
#include "models/wan/gnet1/gnet1_timebase.h"

namespace longhaul::wan {

/// The transmit side of a port: the FIFO of 64 words to 125 MHz, the gap, and the MAC's changes to
/// a frame.
///
/// Computes when words find room and when a frame starts. Ticks are 8 ns, clocks 32 ns, both from
/// reset.
class Gnet1Transmitter {
 public:
  struct Settings {
    std::uint32_t ifg = 12;  ///< bytes; fewer than 8 count as 8
    bool fcs_new = false;
    bool stamp = false;
    std::uint32_t stamp_offset = 0;  ///< bytes to the magic number
    std::uint32_t magic = 0;
  };

  void set(const Settings& settings) { settings_ = settings; }
  const Settings& settings() const { return settings_; }

  /// First clock at which the register behind the crossbar can take a stamp word.
  std::uint64_t register_free() const { return register_free_; }
  /// First clock at which the port sees that all words of earlier frames have left. A frame then
  /// passes without a halt.
  std::uint64_t drained_from() const;

  /// A frame's stamp word came into the register at the edge of `clock`. Returns the clock at which
  /// it leaves the register.
  std::uint64_t begin(std::uint64_t clock, std::uint32_t bytes);
  /// The next data word is in the register and may be written at `earliest`. Returns the clock at
  /// which it is written.
  std::uint64_t write_word(std::uint64_t earliest);
  /// Writes all words, one a clock from `first` on. There must be room for all of them.
  void write_all(std::uint64_t first);
  /// The tick at which the last byte of the frame just written has left.
  std::uint64_t end_tick() const {
    return static_cast<std::uint64_t>(last_.start) + kStartToPins + kPreamble + last_.bytes;
  }

  /// The frame as it leaves: with a stamp, with a new FCS, or unchanged.
  FrameRef finish(const FrameRef& frame, const Gnet1Timebase& time) const;

 private:
  static constexpr std::uint64_t kDepth = 64;       // words
  static constexpr std::int64_t kStartDelay = 8;    // ticks from the first word to the start
  static constexpr std::uint64_t kStartToPins = 1;  // ticks
  static constexpr std::uint64_t kPreamble = 8;     // bytes
  static constexpr std::uint32_t kStampWords = 2;

  /// A frame in the FIFO: its words by their running number, and when they leave.
  struct InFifo {
    std::uint64_t first = 0;  // number of its first word, stamp words included
    std::uint32_t stamps = 0;
    std::uint32_t words = 0;
    std::uint32_t bytes = 0;
    std::int64_t start = 0;  // tick at which the MAC starts
    std::int64_t stamp_pops[kStampWords] = {};
    std::uint64_t end() const { return first + stamps + words; }
    std::int64_t pop_tick(std::uint64_t number) const;
  };
  static std::uint64_t seen_after(std::int64_t tick) {
    return static_cast<std::uint64_t>(tick) / Gnet1Time::kTicksPerClock + 3;
  }
  static std::int64_t seen_by_mac(std::uint64_t clock) {
    return static_cast<std::int64_t>(Gnet1Time::kTicksPerClock * clock) + 3;
  }
  std::uint64_t room_at(std::uint64_t number, std::uint64_t earliest);
  void first_word_written(std::uint64_t clock);

  Settings settings_;
  RingBuffer<InFifo> fifo_;  // frames before last_ whose words may still be in the FIFO
  InFifo last_;
  std::uint32_t to_write_ = 0;  // words of last_ that are not yet written
  std::uint64_t written_ = 0;
  std::uint64_t register_free_ = 0;
  std::int64_t mac_idle_ = -1'000;  // tick of the last byte of the frame before
  std::uint64_t stamp_clocks_[kStampWords] = {};
};

}  // namespace longhaul::wan
