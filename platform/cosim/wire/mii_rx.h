// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/ring_buffer.h"
#include "platform/cosim/rtl_block.h"
#include "platform/cosim/wire/mii_pins.h"
#include "platform/cosim/wire/wire_bytes.h"
#include "platform/cosim/wire/wire_player.h"

namespace longhaul::cosim {

/// Plays frames into a block's MII receiver: from the first edge after a frame's begin on, at least
/// kLeastGapNibbles behind the one before. FCS as it came. A frame that is cut ends with RX_ER. It
/// keeps a gated clock going while frames wait.
class MiiRx final : public Transactor, public WirePlayer {
 public:
  /// Least gap between frames at a receiver (IEEE 802.3, 4.4.2: 47 bit times at 10 and 100 Mb/s).
  static constexpr std::uint32_t kLeastGapNibbles = 12;

  MiiRx(RtlBlock& block, ClockDomain& clock, const MiiPins& pins)
      : block_(block), clock_(clock), pins_(pins) {
    clock.watch(*this, false);
  }

  void begin(const FrameRef& frame) override;
  void cut() override;
  void clocked(std::uint64_t edge_ps) override;

 private:
  struct Waiting {
    FrameRef frame;
    std::uint64_t begin_ps = 0;
  };
  void put_next();
  void idle();

  RtlBlock& block_;
  ClockDomain& clock_;
  MiiPins pins_;
  RingBuffer<Waiting> queue_;  // its front is the one that is played
  WireBytes bytes_;
  std::uint32_t nibble_ = 0;  // next one of it
  std::uint32_t gap_ = kLeastGapNibbles;
  bool playing_ = false;
  bool cut_ = false;
  bool held_ = false;
};

}  // namespace longhaul::cosim
