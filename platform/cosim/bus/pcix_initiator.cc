// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/pcix_initiator.h"

#include <algorithm>

namespace longhaul::cosim {
namespace {

namespace command = pcix_command;
namespace group = pcix_group;

constexpr int kAttributes = 1;
constexpr int kFirstData = 3;
constexpr int kLastDecode = 6;
constexpr std::uint32_t kLeastCut = 4;  // data phases of a burst that is cut

bool is_dual(const PcixWork& work) {
  return work.command != command::kSplitCompletion && work.address >> 32U != 0;
}

}  // namespace

void PcixInitiator::begin(PcixWork& work) {
  work_ = &work;
  work.moved = 0;
  done_ = false;
  clock_ = command::is_config(work.command) ? -kPreDrive : is_dual(work) ? -1 : 0;
  claim_ = first_ = last_ = -1;
  wide_ = false;
  phases_ = 0;
}

PcixClock PcixInitiator::header() const {
  PcixClock drive;
  drive.drives = group::kAd | group::kAd64 | group::kCbe | group::kCbe64;
  const bool config = command::is_config(work_->command);
  const auto code = static_cast<std::uint8_t>(work_->command << 4U | work_->command);
  if (clock_ <= 0) {
    const std::uint64_t high = work_->address >> 32U;
    drive.ad = clock_ == 0 && is_dual(*work_) ? high << 32U | high : work_->address;
    drive.cbe = clock_ < 0 && !config
                    ? static_cast<std::uint8_t>(work_->command << 4U | command::kDual)
                    : code;
  } else {
    drive.ad = work_->attributes;
    drive.cbe = static_cast<std::uint8_t>(0xf0U | work_->upper);
  }
  if (clock_ < 0 && config) return drive;  // ahead of FRAME#
  drive.frame = true;
  drive.req64 = work_->wide;
  drive.drives |= group::kFrame | (work_->wide ? group::kReq64 : 0);
  return drive;
}

PcixClock PcixInitiator::data_phase(std::uint32_t index, bool known) const {
  PcixClock drive;
  drive.drives = group::kCbe | group::kCbe64;
  if (work_->data == nullptr) return drive;
  drive.drives |= group::kAd | group::kAd64;
  const bool words = wide_ || !known;  // before DEVSEL# is seen the target may have 64 bits
  const std::uint32_t size = words ? 8 : 4;
  const std::uint64_t base = (work_->first / size + index) * size;
  std::uint64_t ad = 0;
  std::uint32_t enables = 0xff;
  for (std::uint32_t lane = 0; lane < size; ++lane) {
    const std::uint64_t at = base + lane;
    if (at < work_->first || at >= work_->first + work_->bytes) continue;
    ad |= std::uint64_t{work_->data[at - work_->first]} << 8U * lane;
    if (work_->command == command::kWrite) enables &= ~(1U << lane);
  }
  if (!words) {
    ad |= ad << 32U;
    enables = (enables & 0xfU) | (enables & 0xfU) << 4U;
  } else if (!known && (work_->first & 4U) != 0) {
    ad = (ad & ~std::uint64_t{0xffff'ffff}) | ad >> 32U;
    enables = (enables & 0xf0U) | enables >> 4U;
  }
  drive.ad = ad;
  drive.cbe = static_cast<std::uint8_t>(enables);
  return drive;
}

void PcixInitiator::take_answer(const PcixClock& seen, int at) {
  first_ = at;
  if (seen.trdy && (seen.devsel || seen.stop)) {
    work_->ending = PcixEnding::kMoved;
    phases_ = command::is_dword(work_->command) || !seen.devsel
                  ? 1
                  : pcix_phases(work_->first, work_->bytes, wide_);
    if (seen.devsel && seen.stop)
      phases_ = std::min(phases_, pcix_stop_phases(work_->first, wide_, 0));
  } else if (seen.trdy) {
    work_->ending = PcixEnding::kSplit;
  } else {
    work_->ending = seen.devsel ? PcixEnding::kRetry : PcixEnding::kTargetAbort;
  }
  last_ = first_ + static_cast<int>(std::max(phases_, 1U)) - 1;
}

void PcixInitiator::judge(const PcixClock& seen, int at) {
  if (claim_ < 0) {
    if (seen.devsel) {
      claim_ = at;
      wide_ = work_->wide && seen.ack64;
    } else if (at == kLastDecode) {
      work_->ending = PcixEnding::kMasterAbort;
      done_ = true;
    }
    return;
  }
  if (first_ < 0) {
    if (seen.trdy || seen.stop || !seen.devsel) take_answer(seen, at);
  } else if (at <= last_ && work_->ending == PcixEnding::kMoved) {
    const auto phase = static_cast<std::uint32_t>(at - first_);
    if (!seen.devsel) {  // Target-Abort in the burst
      work_->ending = PcixEnding::kTargetAbort;
      phases_ = 0;
      last_ = at;
    } else if (seen.stop && phases_ > kLeastCut) {
      // The clock that is driven may be the last but one already.
      const std::uint32_t end = pcix_stop_phases(work_->first, wide_, phase);
      if (end < phases_ && end >= phase + kLeastCut) {
        phases_ = end;
        last_ = first_ + static_cast<int>(end) - 1;
      }
    }
  }
  if (first_ < 0) return;
  if (work_->data == nullptr && at < first_ + static_cast<int>(phases_)) {
    const std::uint32_t size = wide_ ? 8 : 4;
    const std::uint64_t base =
        (work_->first / size + static_cast<std::uint32_t>(at - first_)) * size;
    for (std::uint32_t lane = 0; lane < size; ++lane) {
      const std::uint64_t offset = base + lane - work_->first;
      if (offset < work_->read.size())
        work_->read[offset] = static_cast<std::uint8_t>(seen.ad >> 8U * lane);
    }
  }
  if (at >= std::max(last_, first_ + 1)) done_ = true;
}

PcixClock PcixInitiator::step(const PcixClock& seen) {
  PcixClock drive;
  idsel_ = clock_ <= 0 && command::is_config(work_->command);
  if (clock_ <= kAttributes) {
    drive = header();
  } else if (clock_ < kFirstData) {
    drive = data_phase(0, false);
    drive.frame = true;
    drive.req64 = work_->wide;
    drive.drives |= group::kFrame | (work_->wide ? group::kReq64 : 0);
  } else {
    judge(seen, clock_ - 2);
    if (done_) {
      end();
      return drive;
    }
    const bool frame = first_ < 0 || clock_ <= std::max(last_ - 2, first_ + 1);
    const bool irdy = first_ < 0 || clock_ <= std::max(last_, first_ + 1);
    std::uint32_t index = 0;
    if (claim_ >= 0 && clock_ > claim_ + 1)
      index = static_cast<std::uint32_t>(first_ < 0 ? (clock_ - claim_ - 1) & 1 : clock_ - first_);
    if (irdy) drive = data_phase(index, claim_ >= 0);
    drive.frame = frame;
    drive.irdy = irdy;
    drive.req64 = frame && work_->wide;
    drive.drives |=
        (frame ? group::kFrame : 0) | (irdy ? group::kIrdy : 0) | (drive.req64 ? group::kReq64 : 0);
  }
  ++clock_;
  return drive;
}

void PcixInitiator::end() {
  const std::uint32_t size = wide_ ? 8 : 4;
  const auto lead = static_cast<std::uint32_t>(work_->first % size);
  work_->moved =
      work_->ending == PcixEnding::kMoved ? std::min(work_->bytes, phases_ * size - lead) : 0;
  work_ = nullptr;
}

}  // namespace longhaul::cosim
