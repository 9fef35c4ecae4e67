// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/genesis_rx.h"

#include <algorithm>
#include <utility>

#include "models/net/frame/ethernet_header.h"

namespace longhaul::nic::genesis {
namespace {

constexpr std::uint32_t kPortions = 2;            // portions of a frame in progress between RAM
                                                  // buffer and bus
constexpr std::uint32_t kLeastPortionBytes = 64;  // whatever the watermark says

}  // namespace

GenesisRx::GenesisRx(const sc_core::sc_module_name& name, const GenesisParts& parts)
    : sc_module(name),
      parts_(parts),
      ram_(
          "ram", parts.bank, regs::kRbR1, parts.params.ram(), [this] { take_in(); },
          [this] { ram_emptied(); }),
      bmu_("bmu",
           {regs::kR1, regs::kR1CsrMirror, regs::kIsrcFields.r1_b, regs::kIsrcFields.r1_f,
            regs::kIsrcFields.r1_c},
           parts.bank, parts.dma, *this, parts.causes_changed, parts.bus_error),
      engine_("engine", parts.params.engine_clock(), [this] { return step(); }) {
  parts_.ram.attach(RamPort::kRxWrite, [this] { taken_in(); });
  parts_.ram.attach(RamPort::kRxRead, [this] { portion_read(); });
}

void GenesisRx::reset() {
  parts_.ram.cancel(RamPort::kRxWrite);
  parts_.ram.cancel(RamPort::kRxRead);
  mff_held_ = true;
  mff_operates_ = false;
  pause_on_ = false;
  ram_.reset();
  bmu_.reset();
  engine_.reset();
  items_.clear();
  arrived_ps_.clear();
  front_reported_ = false;
  incoming_.reset();
  current_ = {};
  open_ = false;
  portion_ = 0;
  held_ = 0;
  note_starving(false);
  parts_.xmac.set_ram_pause(false);
}

void GenesisRx::mff_ctrl1_written(std::uint32_t value) {
  mff_ctrl1_.set(value & 0xffff'0000);  // the upper half holds two timeouts
  pause_on_ = regs::after(value, regs::kRxMffCtrl1Fields.ena_pause,
                          regs::kRxMffCtrl1Fields.dis_pause, pause_on_);
  update_pause();
}

void GenesisRx::mff_ctrl2_written(std::uint32_t value) {
  mff_operates_ = regs::after(value, regs::kMffCtrl2Fields.ena_op_md,
                              regs::kMffCtrl2Fields.dis_op_md, mff_operates_);
  mff_held_ =
      !regs::after(value, regs::kMffCtrl2Fields.rst_clr, regs::kMffCtrl2Fields.rst_set, !mff_held_);
  if (mff_held_) let_go_incoming();
  take_in();
}

std::uint32_t GenesisRx::footprint(std::uint32_t length) const {
  return RamBuffer::quadwords(length) + RamBuffer::quadwords(parts_.params.rx_status_bytes());
}

void GenesisRx::take_in() {
  // Only one frame is on its way, so a frame that fits now also fits when it arrives.
  while (!incoming_ && passes() && parts_.xmac.rx_waits()) {
    const Xmac::Received& front = parts_.xmac.rx_front();
    const std::uint32_t quadwords = footprint(front.bytes);
    if (!ram_.fits(quadwords)) {
      if (quadwords <= ram_.capacity()) return;  // it stays in the XMAC's FIFO
      drop(front.frame, "larger than the RAM buffer");
      pop_front();
      continue;
    }
    report_front();
    incoming_ = front.frame;
    incoming_status_ = front.status;
    parts_.xmac.rx_leaves(true);
    parts_.ram.start(RamPort::kRxWrite, 8 * quadwords);
  }
}

void GenesisRx::taken_in() {
  pop_front();
  const std::uint64_t latency = to_ps(parts_.params.rx_latency());
  const std::uint32_t quadwords = footprint(incoming_->size());
  items_.push_back({std::move(incoming_), incoming_status_, quadwords, now_ps() + latency});
  ram_.put(quadwords);
  ram_.packet_in();
  update_pause();
  if (!open_ && items_.size() == 1) engine_.kick_in(latency);
  take_in();
}

/// Reports the frame on the tap, with the time at which its first bit was on the wire.
void GenesisRx::report_front() {
  if (std::exchange(front_reported_, true) || !taps.active()) return;
  const FrameRef& frame = parts_.xmac.rx_front().frame;
  const std::uint64_t lasted = parts_.xmac.mac().frame_ps(frame->octets());
  const std::uint64_t arrived = arrived_ps_.empty() ? now_ps() : arrived_ps_.front();
  taps.report(from_ps(arrived - std::min(lasted, arrived)), frame, observe::FrameFate::kReceived);
}

void GenesisRx::pop_front() {
  parts_.xmac.rx_pop();
  if (!arrived_ps_.empty()) arrived_ps_.pop_front();
  front_reported_ = false;
}

void GenesisRx::frame_waits() {
  arrived_ps_.push_back(now_ps());
  take_in();
}

void GenesisRx::fifo_flushed() {
  arrived_ps_.clear();
  front_reported_ = false;
  let_go_incoming();
}

/// Drops the frame that is on its way. It is still in the XMAC's FIFO, or was dropped with that.
void GenesisRx::let_go_incoming() {
  if (incoming_ && parts_.xmac.rx_waits()) parts_.xmac.rx_leaves(false);
  parts_.ram.cancel(RamPort::kRxWrite);
  incoming_.reset();
}

void GenesisRx::ram_emptied() {
  let_go_incoming();
  while (!items_.empty()) drop(items_.pop_front().frame, "RAM buffer reset");
  held_ = 0;  // the frame that the BMU has begun is still written to memory
  update_pause();
}

void GenesisRx::give_back_room(std::uint32_t quadwords) {
  const std::uint32_t back = std::min(quadwords, held_);
  if (back == 0) return;
  held_ -= back;
  ram_.take(back);
  update_pause();
}

Step GenesisRx::step() {
  if (!open_) {
    if (items_.empty()) return Step::kIdle;
    if (now_ps() < items_.front().ready_ps) {
      engine_.kick_in(items_.front().ready_ps - now_ps());
      return Step::kIdle;
    }
  }
  if (bmu_.taken()) return next_portion();
  if (!bmu_.loaded()) {
    note_starving(!bmu_.active());
    return Step::kBlocked;
  }
  note_starving(false);
  if (!open_) open_frame();
  bmu_.take();
  buffer_at_ = done_;
  buffer_take_ = std::min(bmu_.descriptor().bytes(), current_.frame->size() - done_);
  engine_.spend(parts_.params.rx_descriptor_clocks());
  return Step::kDone;
}

void GenesisRx::open_frame() {
  current_ = items_.pop_front();
  ram_.packet_out();
  held_ = current_.quadwords;
  open_ = true;
  done_ = 0;
  engine_.spend(parts_.params.rx_packet_clocks());
}

Step GenesisRx::next_portion() {
  const std::uint32_t left = buffer_at_ + buffer_take_ - done_;
  if (left == 0 && portion_ == 0) {  // a buffer of no bytes
    end_buffer();
    return Step::kDone;
  }
  if (portion_ != 0 || bmu_.transfers() >= kPortions) return Step::kBlocked;
  const auto fifo = static_cast<std::uint32_t>(parts_.params.bmu_fifo().count);
  portion_ = std::min(left, std::clamp(bmu_.watermark(), kLeastPortionBytes, fifo));
  const bool last = done_ + portion_ == current_.frame->size();
  parts_.ram.start(RamPort::kRxRead, portion_ + (last ? parts_.params.rx_status_bytes() : 0));
  return Step::kBlocked;
}

void GenesisRx::portion_read() {
  const Frame& frame = *current_.frame;
  const std::uint32_t stored = frame.stored() - std::min(frame.stored(), done_);
  bmu_.store(done_ - buffer_at_, frame.head() + done_, portion_, stored);
  give_back_room((done_ + portion_) / 8 - done_ / 8);
  done_ += std::exchange(portion_, 0);
  if (done_ == buffer_at_ + buffer_take_) end_buffer();
  take_in();
  engine_.kick();
}

void GenesisRx::end_buffer() {
  using namespace regs::bmu;
  const bool last = done_ == current_.frame->size();
  std::uint32_t control =
      bmu_.descriptor().control & ~(kOwn | kStf | kEof | kStatVal | kTistVal | kBytesMask);
  control |= buffer_take_;
  if (buffer_at_ == 0) control |= kStf;
  if (!last) {
    bmu_.finish(control);
    return;
  }
  open_ = false;
  give_back_room(held_);
  bmu_.finish(control | kEof | kStatVal, Bmu::Status{current_.status, 0, 0});
}

void GenesisRx::descriptor_returned() {
  if (open_) return;
  frames.add();
  bytes.add(current_.frame->size());
  current_.frame.reset();
}

void GenesisRx::bmu_aborted(const char* why) {
  parts_.ram.cancel(RamPort::kRxRead);
  portion_ = 0;
  open_ = false;
  if (current_.frame) drop(std::exchange(current_.frame, {}), why);
  give_back_room(held_);
  note_starving(false);
  take_in();
  engine_.kick();
}

void GenesisRx::drop(const FrameRef& frame, const char* why) {
  discarded.add();
  taps.report(now(), frame, observe::FrameFate::kDropped, why);
}

void GenesisRx::note_starving(bool starving) {
  if (starving == starving_) return;
  starving_ = starving;
  if (starving) {
    starving_since_ps_ = now_ps();
  } else {
    starved.report(starving_since_ps_, now_ps(), "no descriptor", ram_.fill.value());
  }
}

void GenesisRx::update_pause() { parts_.xmac.set_ram_pause(pause_on_ && ram_.above_pause()); }

}  // namespace longhaul::nic::genesis
