// SPDX-License-Identifier: Apache-2.0
#include "mynic_rx.h"

#include <zlib.h>

#include "models/common/units.h"
#include "models/net/frame/ethernet_header.h"

namespace mynic {

using namespace regs;      // NOLINT: names of the registers
using namespace longhaul;  // NOLINT: frames and time
using longhaul::pcix::DmaStatus;

namespace {

std::uint32_t in_buffer(const Frame& frame) { return (frame.size() + kRxPad + 7) & ~7U; }

}  // namespace

void Rx::reset() {
  ring_.reset();
  frames_.clear();
  buffered_ = 0;
  busy_ = false;
}

bool Rx::is_for_us(const Frame& frame) const {
  if (ctrl_.has(ctrl::kPromiscuous)) return true;
  const MacAddress to = ethernet::destination(frame);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < to.size(); ++i) word |= std::uint64_t{to.at(i)} << 8 * i;
  const std::uint64_t own = mac_low_.value() | std::uint64_t{mac_high_.value()} << 32;
  if (word == own || word == 0xffff'ffff'ffffULL) return true;
  if ((to.front() & 1U) == 0) return false;
  if (ctrl_.has(ctrl::kAllMulticast)) return true;
  const std::uint64_t hash = hash_low_.value() | std::uint64_t{hash_high_.value()} << 32;
  return (hash >> (~crc32_z(0, to.data(), to.size()) & 63U) & 1U) != 0;
}

void Rx::frame_refused(const FrameRef& /*frame*/, RxFault fault) {
  if (ctrl_.has(ctrl::kRxEnable)) parts_.count(fault == RxFault::kRunt ? kRxRunt : kRxFcs);
}

void Rx::frame_received(const FrameRef& frame) {
  if (!ctrl_.has(ctrl::kRxEnable)) return;
  if (frame->size() + kRxPad > buf_size_.value()) return lose(frame, kRxLong, "too long");
  if (!is_for_us(*frame)) return parts_.count(kRxFiltered);
  if (buffered_ + in_buffer(*frame) > kBufferBytes || frames_.size() == kMostFrames) {
    lose(frame, ring_.empty() ? kRxNoDesc : kRxOverrun, "buffer full");
    return parts_.post(cause::kRxDrop);
  }
  parts_.count(kRxGood);
  buffered_ += in_buffer(*frame);
  frames_.push_back(frame);
  taps.report(now(), frame, observe::FrameFate::kReceived);
  next();
}

void Rx::lose(const FrameRef& frame, Count why, const char* text) {
  parts_.count(why);
  taps.report(now(), frame, observe::FrameFate::kDropped, text);
}

void Rx::next() {
  if (busy_ || frames_.empty() || ring_.empty() || !parts_.may_start()) return;
  busy_ = true;
  const Descriptor descriptor = ring_.take();
  index_ = descriptor.index;
  const Frame& frame = *frames_.front();
  const std::uint64_t buffer = descriptor.address & ~std::uint64_t{7};
  parts_.dma.write(buffer + kRxPad, frame.data(), frame.size(), this, 0);
}

void Rx::dma_done(std::uint64_t tag, DmaStatus status) {
  if (status != DmaStatus::kOk) return parts_.fault();
  if (tag == 0) {  // the frame is in memory
    ring_.write_back(index_, descriptor::kDone | frames_.front()->size(), *this);
    return;
  }
  buffered_ -= in_buffer(*frames_.front());
  frames_.pop_front();
  busy_ = false;
  parts_.post(cause::kRx);
  next();
}

}  // namespace mynic
