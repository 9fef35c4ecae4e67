// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/common/ring_buffer.h"
#include "models/net/frame/frame.h"
#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim {

/// GMII towards a block's receiver (IEEE 802.3, clause 35): RXD<7:0>, RX_DV, RX_ER.
struct GmiiRxPins {
  std::uint8_t* data = nullptr;
  BitPin valid;
  BitPin error;
};

/// Plays frames into GMII: preamble, delimiter, bytes, the FCS that came with them.
///
/// The first preamble byte is on the pins from the first edge of the receive clock after the
/// frame's begin on, so a frame is late by up to a clock (8 ns) and no more. While no frame is
/// under way it does not run, and the receive clock may be gated.
class GmiiRx final : public Transactor {
 public:
  /// Least gap between frames at a receiver (IEEE 802.3, 4.4.2: 64 bit times), which a slow receive
  /// clock can lead to.
  static constexpr std::uint32_t kLeastGapBytes = 8;

  GmiiRx(RtlBlock& block, ClockDomain& clock, GmiiRxPins pins)
      : block_(block), clock_(clock), pins_(pins) {}

  /// A frame's first preamble bit arrives now.
  void begin(const FrameRef& frame);
  /// The light goes: the frame under way ends with RX_ER, those that wait are lost.
  void cut();
  /// Frames played to their end.
  std::uint64_t frames() const { return frames_; }

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
  GmiiRxPins pins_;
  RingBuffer<Waiting> queue_;  // its front is the one that is played
  std::array<std::uint8_t, Frame::kFcsBytes> fcs_{};
  std::uint32_t at_ = 0;  // next byte on the wire, preamble included
  std::uint32_t gap_ = kLeastGapBytes;
  bool playing_ = false;
  bool cut_ = false;
  bool attached_ = false;
  std::uint64_t frames_ = 0;
};

}  // namespace longhaul::cosim
