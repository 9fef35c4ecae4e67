// SPDX-License-Identifier: Apache-2.0
#include "mynic_tx.h"

#include <algorithm>

#include "models/common/units.h"

namespace mynic {

using namespace regs;      // NOLINT: names of the registers
using namespace longhaul;  // NOLINT: frames and time
using longhaul::pcix::DmaStatus;

void Tx::enable(bool on) {
  enabled_ = on;
  ring_.enable(on);
  if (on) mac_.kick();
}

void Tx::reset() {
  ring_.reset();
  left_.cancel();
  whole_.clear();
  frame_.reset();
  filled_ = buffered_ = 0;
  enabled_ = busy_ = false;
}

void Tx::next() {
  if (busy_ || ring_.empty() || !parts_.may_start()) return;
  if (buffered_ + Frame::kMaxBytes > kBufferBytes) return;
  busy_ = true;
  now_ = ring_.take();
  const std::uint32_t bytes = now_.word & descriptor::kFragment;
  if (!frame_) frame_ = Frame::allocate(Frame::kMaxBytes);
  // The driver's frames have 9018 bytes at most. The RTL would send a longer one, too.
  if (bytes == 0 || filled_ + bytes > Frame::kMaxBytes) return parts_.fault();
  parts_.dma.read(now_.address, frame_.writable().data() + filled_, bytes, this, 0);
}

void Tx::dma_done(std::uint64_t tag, DmaStatus status) {
  if (status != DmaStatus::kOk) return parts_.fault();
  if (tag == 1) {  // the descriptor is back
    busy_ = false;
    parts_.post(cause::kTx);
    return next();
  }
  filled_ += now_.word & descriptor::kFragment;
  if ((now_.word & descriptor::kEnd) != 0) return end_frame();
  busy_ = false;
  next();
}

void Tx::end_frame() {
  frame_.writable().resize(filled_);
  buffered_ += std::exchange(filled_, 0);
  whole_.push_back(std::exchange(frame_, {}));
  ring_.write_back(now_.index, descriptor::kDone, *this);
  mac_.kick();
}

FrameRef Tx::take_frame() {
  FrameRef frame = std::move(whole_.front());
  whole_.pop_front();
  buffered_ -= frame->size();
  const std::uint32_t octets = std::max(frame->octets(), EthMac::kMinFrameBytes);
  left_.set(now_ps() + mac_.frame_ps(octets));
  taps.report(now(), frame, observe::FrameFate::kSent);
  next();
  return frame;
}

}  // namespace mynic
