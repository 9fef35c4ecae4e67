// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/common/ring_buffer.h"
#include "platform/cosim/rtl_block.h"
#include "platform/cosim/wire/wire_bytes.h"
#include "platform/cosim/wire/wire_player.h"
#include "platform/cosim/wire/xgmii_pins.h"

namespace longhaul::cosim {

/// Plays frames into a block's XGMII receiver, with the FCS of the frame.
///
/// A frame starts in lane 0 of the first column after its beginning (lanes 0 and 4 of 64 bits) that
/// keeps the gap. The gap is twelve bytes from terminate on, on average, by the deficit idle count
/// (46.3.1.4). So a frame is late by a clock and, after another frame, by up to three bytes. A
/// frame that is cut ends with an error character and terminate. Waiting frames keep a gated clock
/// running.
///
/// Without carrier there are local fault messages in all columns, as a PHY sends them (46.3.4). A
/// change of the carrier keeps a gated clock running for the 128 columns in which a receiver has to
/// see it. After that the pins stand still, and do not.
class XgmiiRx final : public Transactor, public WirePlayer {
 public:
  /// Throws std::invalid_argument, with `name`, for pins of wrong widths.
  XgmiiRx(RtlBlock& block, ClockDomain& clock, const XgmiiPins& pins, const std::string& name);

  void begin(const FrameRef& frame) override;
  void cut() override;
  void mend() override;
  void clocked(std::uint64_t edge_ps) override;
  /// Frames that were played to their end.
  std::uint64_t frames() const { return frames_; }

 private:
  struct Waiting {
    FrameRef frame;
    std::uint64_t begin_ps = 0;
  };
  bool put_data();
  void put(std::uint8_t character, bool control) {
    data_ |= std::uint64_t{character} << 8 * lane_;
    control_ |= (control ? 1U : 0U) << lane_;
    ++lane_;
  }
  bool may_start(std::uint64_t edge_ps);
  void change_carrier(bool up);
  void hold(std::uint64_t now_ps);
  void put_column_of_fault();
  void put_lane();
  void idle();
  void end();

  RtlBlock& block_;
  ClockDomain& clock_;
  Watcher& watcher_;
  XgmiiPins pins_;
  RingBuffer<Waiting> queue_;  // the front is being played
  WireBytes bytes_;
  std::uint32_t at_ = 0;  // next byte of it
  std::uint32_t size_ = 0;
  std::uint32_t gap_ = kLongGap;  // bytes since the last frame, its terminate included
  std::uint32_t deficit_ = 0;
  bool playing_ = false;
  bool cut_ = false;
  bool carrier_ = true;
  bool was_carrier_ = true;         // up to changed_ps_
  std::uint64_t changed_ps_ = 0;    // in the block's time
  std::uint32_t columns_left_ = 0;  // until a change of the carrier is seen
  bool held_ = false;
  std::uint32_t lane_ = 0;  // of this clock's word
  std::uint64_t data_ = 0;
  std::uint32_t control_ = 0;
  std::uint64_t frames_ = 0;

  static constexpr std::uint32_t kLongGap = 64;
};

}  // namespace longhaul::cosim
