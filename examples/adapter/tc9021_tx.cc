// SPDX-License-Identifier: Apache-2.0
#include "tc9021_tx.h"

#include <algorithm>

#include "models/net/frame/ethernet_header.h"
#include "models/nic/blocks/little_endian.h"

namespace tc9021 {

using namespace regs;      // NOLINT: names of the registers
using namespace longhaul;  // NOLINT: frames and time
using longhaul::Step;
using longhaul::pcix::DmaStatus;

Tc9021Tx::Tc9021Tx(const sc_core::sc_module_name& name, const Tc9021Parts& parts)
    : sc_module(name),
      parts_(parts),
      engine_("engine", parts.params.engine_clock(), [this] { return step(); }),
      poll_timer_("poll_timer", [this] { poll(); }),
      list_(parts.bank, kTfdListPtr0, kTfdListPtr1, [this] { poll(); }) {}

void Tc9021Tx::poll() {
  if (state_ == State::kRest && list_.address() != 0) read();
}

void Tc9021Tx::reset() {
  parts_.dma.abandon(*this);
  engine_.reset();
  poll_timer_.cancel();
  list_.reset();
  state_ = State::kRest;
  reading_ = false;
  forget_packet("reset");
  while (!whole_.empty()) drop(whole_.pop_front().frame, "reset");
  while (!statuses_.empty()) statuses_.pop_front();
  leaving_control_ = 0;
  fifo_fill.set(leaving_);
}

void Tc9021Tx::read() {
  poll_timer_.cancel();
  state_ = State::kReading;
  list_.take(descriptor::kBytes);
  parts_.dma.read(list_.address(), in_.data(), descriptor::kBytes, this, 0);
}

std::uint32_t Tc9021Tx::fragments() const {
  return control_ >> tfc::kFragCountShift & descriptor::kMostFragments;
}

std::uint64_t Tc9021Tx::fragment(std::uint32_t index) const {
  const std::uint32_t at = descriptor::kFragments + index * descriptor::kFragmentBytes;
  return nic::read_le64(in_.data() + at);
}

void Tc9021Tx::descriptor_arrived() {
  control_ = nic::read_le32(in_.data() + descriptor::kStatus);
  if ((control_ & tfc::kDone) != 0) {
    idle_reads.add();
    rest();
    return;
  }
  if (fragments() > 1 && state_ == State::kReading) {
    state_ = State::kReadingMore;
    parts_.dma.read(list_.in_hand() + descriptor::kBytes, in_.data() + descriptor::kBytes,
                    (fragments() - 1) * descriptor::kFragmentBytes, this, 0);
    return;
  }
  state_ = State::kLoaded;
  engine_.kick();
}

void Tc9021Tx::rest() {
  state_ = State::kRest;
  const std::uint32_t period = dma_.value() >> kPollPeriodShift;
  if (period != 0) poll_timer_.restart(parts_.params.poll_unit() * period);
}

Step Tc9021Tx::step() {
  if (state_ == State::kLoaded) {
    engine_.spend(parts_.params.tx_descriptor_clocks());
    open_packet();
    state_ = State::kFetching;
    return Step::kDone;
  }
  if (state_ == State::kFetching && !reading_) return next_fragment();
  return state_ == State::kRest ? Step::kIdle : Step::kBlocked;
}

void Tc9021Tx::open_packet() {
  std::uint32_t length = 0;
  for (std::uint32_t i = 0; i < fragments(); ++i)
    length += static_cast<std::uint32_t>(fragment(i) >> descriptor::kLengthShift);
  const auto fifo = static_cast<std::uint32_t>(parts_.params.tx_fifo().count);
  bad_ = length > std::min(fifo, Frame::kMaxBytes - Frame::kFcsBytes);
  next_ = filled_ = 0;
  frame_ = Frame::allocate(std::clamp(length, Frame::kMinBytes, Frame::kMaxBytes));
  data_ = frame_.writable().data();
}

Step Tc9021Tx::next_fragment() {
  if (bad_ || next_ == fragments()) {
    close_packet();
    return Step::kBlocked;
  }
  const std::uint64_t word = fragment(next_);
  fetching_ = static_cast<std::uint32_t>(word >> descriptor::kLengthShift);
  if (fetching_ == 0) {
    ++next_;
    return Step::kDone;
  }
  const auto fifo = static_cast<std::uint32_t>(parts_.params.tx_fifo().count);
  if (fifo_fill.value() + fetching_ > fifo) return Step::kBlocked;
  fifo_fill.add(fetching_);
  reading_ = true;
  parts_.dma.read(word & descriptor::kAddress, data_ + filled_, fetching_, this, 0);
  return Step::kBlocked;
}

void Tc9021Tx::dma_blank(std::uint64_t /*tag*/, std::uint8_t* data, std::uint32_t length) {
  if (state_ == State::kFetching) {
    blanks_.add(data_, static_cast<std::uint32_t>(data - data_), length);
  } else {
    std::fill_n(data, length, std::uint8_t{0});
  }
}

void Tc9021Tx::dma_done(std::uint64_t /*tag*/, DmaStatus status) {
  if (status != DmaStatus::kOk) {
    state_ = State::kRest;  // first: giving room back kicks the engine
    if (std::exchange(reading_, false)) filled_ += fetching_;
    forget_packet("error on the bus");
    parts_.host_error(status);
    return;
  }
  switch (state_) {
    case State::kReading:
    case State::kReadingMore: descriptor_arrived(); break;
    case State::kFetching:
      reading_ = false;
      filled_ += fetching_;
      ++next_;
      engine_.kick();
      break;
    case State::kReturning: descriptor_returned(); break;
    case State::kRest:
    case State::kLoaded: break;  // nothing of theirs is on the bus
  }
}

/// All fragments are in the FIFO: marks the descriptor as done.
void Tc9021Tx::close_packet() {
  if (bad_ || filled_ < ethernet::kHeaderBytes) {
    forget_packet(bad_ ? "larger than the FIFO" : "no frame");
  } else {
    Frame& frame = frame_.writable();
    const std::uint32_t blank_from = blanks_.settle(data_, filled_);
    frame.resize(filled_);
    if (blank_from < filled_) frame.leave_blank(blank_from);
    const std::uint64_t latency = to_ps(parts_.params.tx_latency());
    whole_.push_back({std::exchange(frame_, {}), control_, filled_, now_ps() + latency});
    parts_.mac.kick();
  }
  state_ = State::kReturning;
  nic::write_le32(out_.data(), control_ | tfc::kDone);
  parts_.dma.write(list_.in_hand() + descriptor::kStatus, out_.data(),
                   static_cast<std::uint32_t>(out_.size()), this, 0);
}

void Tc9021Tx::descriptor_returned() {
  if ((control_ & tfc::kTxDmaIndicate) != 0) parts_.interrupts.post(cause::kTxDmaComplete);
  list_.advance(nic::read_le64(in_.data()));
  state_ = State::kRest;
  poll();
}

void Tc9021Tx::forget_packet(const char* why) {
  if (!frame_) return;
  blanks_ = {};
  drop(std::exchange(frame_, {}), why);
  give_room(std::exchange(filled_, 0));
}

void Tc9021Tx::drop(const FrameRef& frame, const char* why) {
  discarded.add();
  taps.report(now(), frame, observe::FrameFate::kDropped, why);
}

void Tc9021Tx::give_room(std::uint32_t reserved) {
  fifo_fill.add(-static_cast<std::int64_t>(reserved));
  engine_.kick();
}

std::uint64_t Tc9021Tx::ready_ps() const {
  return whole_.empty() ? kNoFrame : whole_.front().ready_ps;
}

FrameRef Tc9021Tx::take_frame() {
  Packet packet = whole_.pop_front();
  frame_left();  // the wire is free
  leaving_ = packet.reserved;
  leaving_control_ = packet.control;
  const std::uint32_t octets = std::max(packet.frame->octets(), EthMac::kMinFrameBytes);
  left_.set(now_ps() + parts_.mac.frame_ps(octets));
  frames.add();
  bytes.add(octets);
  parts_.statistics.sent(*packet.frame);
  taps.report(now(), packet.frame, observe::FrameFate::kSent);
  return std::move(packet.frame);
}

void Tc9021Tx::frame_left() {
  if (leaving_ != 0) give_room(std::exchange(leaving_, 0));
  const std::uint32_t control = std::exchange(leaving_control_, 0);
  if ((control & tfc::kTxIndicate) == 0) return;
  if (statuses_.size() < kMostStatuses)
    statuses_.push_back(tx_status::kTxComplete | tx_status::kTxIndicateReqd |
                        (control & tfc::kFrameId) << tx_status::kFrameIdShift);
  parts_.interrupts.post(cause::kTxComplete);
}

/// The oldest frame that had TxIndicate; zero when none is left.
std::uint32_t Tc9021Tx::take_status() {
  if (statuses_.empty()) return 0;
  return parts_.covers(kTxStatus) ? statuses_.pop_front() : statuses_.front();
}

}  // namespace tc9021
