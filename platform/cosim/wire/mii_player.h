// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/ring_buffer.h"
#include "platform/cosim/rtl_block.h"
#include "platform/cosim/wire/wire_bytes.h"
#include "platform/cosim/wire/wire_player.h"

namespace longhaul::cosim {

/// Plays frames into a block's receiver by MII or GMII: preamble, delimiter, bytes, and the FCS of
/// the frame.
///
/// The first part of the preamble is on the pins from the first edge of the receive clock after the
/// frame's beginning. So a frame is late by at most a clock. A slow receive clock may bring frames
/// close together; they are at least `Pins::kLeastGap` clocks apart. A frame that is cut ends with
/// RX_ER. Without a frame the player does not run, and the receive clock may be gated.
///
/// `Pins` has kParts, the clocks of a byte; put() of a part of a byte; valid and error (RX_DV,
/// RX_ER) as bits to be set; and shows_error(), whether an error is on the pins or there is no
/// error pin.
template <class Pins>
class MiiPlayer final : public Transactor, public WirePlayer {
 public:
  MiiPlayer(RtlBlock& block, ClockDomain& clock, const Pins& pins)
      : block_(block), clock_(clock), pins_(pins) {}

  void begin(const FrameRef& frame) override {
    const std::uint64_t now = block_.input_ps();
    queue_.push_back({frame, now});
    if (attached_) return;
    attached_ = true;
    clock_.attach(*this, now);
  }
  void cut() override {
    static_cast<void>(block_.input_ps());
    while (queue_.size() > (playing_ ? 1U : 0U)) queue_.pop_back();
    cut_ = playing_;
  }

  void clocked(std::uint64_t edge_ps) override {
    if (playing_) return put_next();
    if (gap_ < Pins::kLeastGap) ++gap_;
    if (gap_ < Pins::kLeastGap) return;
    if (queue_.empty()) {
      attached_ = false;
      return clock_.detach(*this);
    }
    if (queue_.front().begin_ps >= edge_ps) return;
    bytes_ = WireBytes(queue_.front().frame);
    end_ = bytes_.size() * Pins::kParts;
    at_ = 0;
    playing_ = true;
    pins_.valid.set(1);
    put_next();
  }

 private:
  struct Waiting {
    FrameRef frame;
    std::uint64_t begin_ps = 0;
  };
  void put_next() {
    if (at_ == end_ || (cut_ && pins_.shows_error())) return idle();
    pins_.put(bytes_[at_ / Pins::kParts], at_ % Pins::kParts);
    ++at_;
    if (cut_) pins_.error.set(1);
  }
  void idle() {
    pins_.put(0, 0);
    pins_.valid.set(0);
    pins_.error.set(0);
    playing_ = false;
    cut_ = false;
    gap_ = 0;
    queue_.pop_front();
  }

  RtlBlock& block_;
  ClockDomain& clock_;
  Pins pins_;
  RingBuffer<Waiting> queue_;  // the front is being played
  WireBytes bytes_;
  std::uint32_t at_ = 0;   // next part of it
  std::uint32_t end_ = 0;  // number of its parts
  std::uint32_t gap_ = Pins::kLeastGap;
  bool playing_ = false;
  bool cut_ = false;
  bool attached_ = false;
};

}  // namespace longhaul::cosim
