// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "models/net/frame/ethernet_header.h"
#include "platform/cosim/wire/wire_rules.h"
#include "platform/cosim/wire/xgmii_pins.h"

namespace longhaul::cosim {

/// Checks a transmitter's XGMII against xgmii_rules.
class XgmiiChecker {
 public:
  /// `name` is that of the pins in messages.
  XgmiiChecker(std::string name, CheckerSink& sink);
  /// Checks the word of one clock.
  void check(std::uint64_t data, std::uint32_t control, std::uint32_t lanes,
             std::uint64_t edge_ps) {
    // Most words are all of a frame's inside, or all between two frames.
    if (state_ == State::kFrame && control == 0) return;
    if (state_ == State::kIdle && data == xgmii::idle_data(lanes) &&
        control == xgmii::idle_control(lanes)) {
      told_ = false;
      gap_ = gap_ + lanes < kFullGap ? gap_ + lanes : kFullGap;
      return;
    }
    check_lanes(data, control, lanes, edge_ps);
  }
  /// Whether nothing needs to be counted while all lanes are idle.
  bool rests() const { return state_ == State::kIdle && !told_ && gap_ == kFullGap; }

 private:
  enum class State : std::uint8_t { kIdle, kPreamble, kFrame, kSequence };
  static constexpr std::uint32_t kFullGap = ethernet::kGapBytes;

  void check_lanes(std::uint64_t data, std::uint32_t control, std::uint32_t lanes,
                   std::uint64_t edge_ps);
  void check_idle(std::uint8_t character, bool control, std::uint32_t lane);
  void check_frame(std::uint8_t character, bool control);
  void check_sequence(std::uint8_t character, bool control, std::uint32_t lane);
  void tell(const Rule& rule, std::uint8_t character, bool control);

  const std::string name_;
  CheckerSink& sink_;
  std::uint64_t edge_ps_ = 0;
  State state_ = State::kIdle;
  std::uint32_t preamble_ = 0;  // bytes after start
  std::uint32_t gap_;           // bytes since the last frame, its terminate included
  bool behind_end_ = false;     // in the column of a terminate
  bool told_ = false;           // data between frames, or a wrong preamble, was reported
};

}  // namespace longhaul::cosim
