// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/common/ring_buffer.h"
#include "models/net/frame/frame.h"
#include "models/wan/gnet1/gnet1_regs.h"
#include "models/wan/gnet1/gnet1_timebase.h"

namespace longhaul::wan {

/// The sixteen counters of one port; they wrap at 2^32.
class Gnet1Counters {
 public:
  void add(gnet1_regs::Counter counter, std::uint32_t n = 1) {
    now_[static_cast<std::size_t>(counter)] += n;
  }
  void set(gnet1_regs::Counter counter, std::uint32_t n) {
    now_[static_cast<std::size_t>(counter)] = n;
  }
  void latch() { held_ = now_; }
  std::uint32_t held(std::size_t index) const { return held_[index]; }
  std::uint32_t now(gnet1_regs::Counter counter) const {
    return now_[static_cast<std::size_t>(counter)];
  }

 private:
  std::array<std::uint32_t, gnet1_regs::kCounterCount> now_{};
  std::array<std::uint32_t, gnet1_regs::kCounterCount> held_{};
};

/// A frame in the box: its bytes with FCS, and the clock at which its stamp word leaves the receive
/// FIFO. Word n leaves n clocks later.
struct Gnet1Arrival {
  FrameRef frame;
  std::uint64_t take = 0;
  std::uint64_t stamp = 0;  ///< time of the start delimiter, in clocks of 32 ns
  std::uint32_t bytes = 0;
  bool errored = false;  ///< cut at the largest size

  std::uint32_t words() const { return (bytes + 3) / 4; }
};

/// One-way latency from GPS times in frames; results in 100 ns.
struct Gnet1Oneway {
  std::uint32_t count = 0;
  std::uint32_t last = 0;
  std::uint32_t min = 0xffff'ffff;
  std::uint32_t max = 0;
  std::uint64_t sum = 0;

  /// Evaluates a good frame that arrived at `arrival` GPS time.
  void measure(const Frame& frame, std::uint32_t offset, std::uint32_t magic,
               Gnet1Timebase::Gps arrival);
};

/// The receive side of a port: times of arrival, and the results that are known when a frame has
/// ended.
class Gnet1Receiver {
 public:
  /// Largest frame that is passed without a cut, with FCS.
  static constexpr std::uint32_t kMaxFrameBytes = 16000;
  /// Least gap between frames on the pins (IEEE 802.3, 4.4.2).
  static constexpr std::uint32_t kLeastGapBytes = 8;

  /// A frame whose preamble began on the wire just before tick `tick` of 8 ns. From there on its
  /// bytes are on the pins, unless the frame before delays it. A frame that is too long is copied
  /// and cut.
  Gnet1Arrival arrive(const FrameRef& frame, std::uint64_t tick);

  /// Stores a frame until its end.
  void take(Gnet1Arrival arrival) { arriving_.push_back(std::move(arrival)); }
  /// The clock at whose edge the oldest frame has ended; ~0 if there is none.
  std::uint64_t next_end() {
    return arriving_.empty() ? ~std::uint64_t{0} : end_of(arriving_.front());
  }
  Gnet1Arrival end_next() { return arriving_.pop_front(); }

  static std::uint64_t end_of(const Gnet1Arrival& arrival) {
    return arrival.take + arrival.words();
  }

 private:
  RingBuffer<Gnet1Arrival> arriving_;
  std::uint64_t next_tick_ = 0;  // when the next frame may begin
};

/// Byte `at` of a frame with its FCS; `at` is less than size() + 4.
inline std::uint8_t wire_byte(const Frame& frame, std::uint32_t fcs, std::uint32_t at) {
  return at < frame.size() ? frame.data()[at]
                           : static_cast<std::uint8_t>(fcs >> (8 * (at - frame.size())));
}

}  // namespace longhaul::wan
