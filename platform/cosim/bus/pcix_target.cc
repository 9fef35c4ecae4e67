// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/pcix_target.h"

#include <algorithm>

namespace longhaul::cosim {
namespace {

namespace command = pcix_command;
namespace group = pcix_group;

}  // namespace

PcixClock PcixTarget::step(const PcixClock& seen, bool own, bool wide) {
  switch (state_) {
    case State::kIdle:
      if (!seen.frame) break;
      if (own) {
        state_ = State::kEnds;
        break;
      }
      wide_ = wide;
      asks_wide_ = seen.req64;
      taken_.address = seen.low();
      if (seen.command() == command::kDual) {
        state_ = State::kHigh;
        break;
      }
      taken_.command = seen.command();
      address(seen);
      return respond(seen);
    case State::kHigh:
      taken_.address |= std::uint64_t{seen.low()} << 32U;
      taken_.command = seen.command();
      address(seen);
      return respond(seen);
    case State::kAnswers: ++at_; return respond(seen);
    case State::kEnds:
      if (!seen.frame && !seen.irdy) state_ = State::kIdle;
      break;
  }
  return {};
}

void PcixTarget::address(const PcixClock&) {
  at_ = 0;
  shown_ = 0;
  ended_ = false;
  taken_.bytes = 0;
  taken_.split = false;
  taken_.enabled.reset();
  state_ = client_.claims(taken_) ? State::kAnswers : State::kEnds;
  wide_ = wide_ && asks_wide_;
}

PcixClock PcixTarget::respond(const PcixClock& seen) {
  PcixClock drive;
  if (state_ != State::kAnswers) return drive;
  if (at_ == 1) {
    taken_.attributes = seen.low();
    taken_.upper = seen.cbe & 0xfU;
    answer_ = client_.answer(taken_);
    first_ = kDecode + 1 + static_cast<int>(answer_.waits);
    total_ =
        command::is_dword(taken_.command) ? 1 : pcix_phases(taken_.first(), taken_.count(), wide_);
    if (answer_.cut) total_ = std::min(total_, pcix_stop_phases(taken_.first(), wide_, 0));
    if (answer_.kind != PcixAnswer::Kind::kData) total_ = 1;
  }
  drive.drives = group::kTarget | (wide_ ? group::kAck64 : 0);
  drive.devsel = true;
  drive.ack64 = wide_;
  if (at_ == 0 || at_ + 2 < first_) return drive;
  return data_phase(seen);
}

PcixClock PcixTarget::data_phase(const PcixClock& seen) {
  PcixClock drive;
  const bool moves = answer_.kind == PcixAnswer::Kind::kData;
  if (moves && at_ >= first_ && static_cast<std::uint32_t>(at_ - first_) < shown_)
    collect(seen, static_cast<std::uint32_t>(at_ - first_));
  if (shown_ == total_ || (at_ >= first_ && !seen.frame)) ended_ = true;
  if (!ended_) {
    ++shown_;
    drive.drives = group::kTarget | (wide_ ? group::kAck64 : 0);
    drive.ack64 = wide_;
    switch (answer_.kind) {
      case PcixAnswer::Kind::kData:
        drive.devsel = drive.trdy = true;
        drive.stop = answer_.cut;
        break;
      case PcixAnswer::Kind::kSplit:
        drive.trdy = true;
        drive.drives |= group::kAd | (wide_ ? group::kAd64 : 0);  // all ones
        break;
      case PcixAnswer::Kind::kRetry: drive.devsel = drive.stop = true; break;
      case PcixAnswer::Kind::kTargetAbort: drive.stop = true; break;
    }
    return drive;
  }
  if (at_ - first_ + 1 < static_cast<int>(shown_)) return drive;
  // The clock of the last data phase has been seen.
  state_ = !seen.frame && !seen.irdy ? State::kIdle : State::kEnds;
  taken_.split = answer_.kind == PcixAnswer::Kind::kSplit;
  if (moves || taken_.split) client_.taken(taken_);
  return drive;
}

void PcixTarget::collect(const PcixClock& seen, std::uint32_t phase) {
  const std::uint32_t size = wide_ ? 8 : 4;
  const std::uint64_t first = taken_.first();
  const std::uint64_t base = (first / size + phase) * size;
  for (std::uint32_t lane = 0; lane < size; ++lane) {
    const std::uint64_t at = base + lane;
    if (at < first || at >= first + taken_.count()) continue;
    const std::uint64_t offset = at - first;
    taken_.data[offset] = static_cast<std::uint8_t>(seen.ad >> 8U * lane);
    taken_.enabled[offset] = taken_.command != command::kWrite || (seen.cbe >> lane & 1U) == 0;
    taken_.bytes = static_cast<std::uint32_t>(offset) + 1;
  }
}

}  // namespace longhaul::cosim
