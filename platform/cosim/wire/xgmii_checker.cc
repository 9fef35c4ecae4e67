// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/wire/xgmii_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::cosim {
namespace {

constexpr std::uint32_t kLeastXgmiiGap = ethernet::kGapBytes - 3;

bool is_legal(std::uint8_t character) {
  constexpr std::uint8_t kLegal[] = {xgmii::kLowPowerIdle, xgmii::kIdle,      xgmii::kSequence,
                                     xgmii::kStart,        xgmii::kTerminate, xgmii::kError};
  return std::find(std::begin(kLegal), std::end(kLegal), character) != std::end(kLegal);
}

}  // namespace

XgmiiChecker::XgmiiChecker(std::string name, CheckerSink& sink)
    : name_(std::move(name)), sink_(sink), gap_(kFullGap) {}

void XgmiiChecker::tell(const Rule& rule, std::uint8_t character, bool control) {
  sink_.violated(rule, edge_ps_, name_,
                 fmt::format("{} 0x{:02x}", control ? "control" : "data", character));
}

void XgmiiChecker::check_lanes(std::uint64_t data, std::uint32_t control, std::uint32_t lanes,
                               std::uint64_t edge_ps) {
  edge_ps_ = edge_ps;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const auto character = static_cast<std::uint8_t>(data >> 8 * lane);
    const bool is_control = (control >> lane & 1U) != 0;
    if (lane % xgmii::kColumn == 0) {
      behind_end_ = false;
      if (state_ == State::kSequence) state_ = State::kIdle;
    }
    if (is_control && !is_legal(character)) {
      tell(xgmii_rules::kControl, character, is_control);
      continue;
    }
    if (state_ == State::kIdle) {
      check_idle(character, is_control, lane % xgmii::kColumn);
    } else if (state_ == State::kSequence) {
      check_sequence(character, is_control, lane % xgmii::kColumn);
    } else {
      check_frame(character, is_control);
    }
  }
}

void XgmiiChecker::check_idle(std::uint8_t character, bool control, std::uint32_t lane) {
  if (!control) {
    if (!std::exchange(told_, true)) {
      tell(behind_end_ ? xgmii_rules::kBehindEnd : xgmii_rules::kIdleData, character, control);
    }
    return;
  }
  told_ = false;
  if (character == xgmii::kTerminate) tell(xgmii_rules::kEnd, character, control);
  if (character == xgmii::kSequence) {
    if (lane == 0) {
      state_ = State::kSequence;
    } else if (!behind_end_) {
      tell(xgmii_rules::kSequence, character, control);
    }
  }
  if (character != xgmii::kStart) {
    if (behind_end_ && character != xgmii::kIdle) tell(xgmii_rules::kBehindEnd, character, control);
    if (gap_ < kFullGap) ++gap_;
    return;
  }
  if (lane != 0) {
    tell(xgmii_rules::kStartLane, character, control);
  } else if (gap_ < kLeastXgmiiGap) {
    tell(xgmii_rules::kGap, character, control);
  }
  state_ = State::kPreamble;
  preamble_ = 0;
}

void XgmiiChecker::check_sequence(std::uint8_t character, bool control, std::uint32_t lane) {
  if (gap_ < kFullGap) ++gap_;
  const bool right = lane + 1 < xgmii::kColumn
                         ? character == 0
                         : character >= xgmii::kLocalFault && character <= xgmii::kLinkInterruption;
  if ((control || !right) && !std::exchange(told_, true))
    tell(xgmii_rules::kSequence, character, control);
}

void XgmiiChecker::check_frame(std::uint8_t character, bool control) {
  if (control && character == xgmii::kError) return;
  if (control) {
    if (character != xgmii::kTerminate) tell(xgmii_rules::kEnd, character, control);
    state_ = State::kIdle;
    told_ = false;
    gap_ = 1;
    behind_end_ = character == xgmii::kTerminate;
    return;
  }
  if (state_ != State::kPreamble) return;
  ++preamble_;
  const bool last = preamble_ == ethernet::kPreambleBytes - 1;
  if (character != (last ? ethernet::kDelimiter : ethernet::kPreamble)) {
    if (!std::exchange(told_, true)) tell(xgmii_rules::kPreamble, character, control);
  }
  if (last) state_ = State::kFrame;
}

}  // namespace longhaul::cosim
