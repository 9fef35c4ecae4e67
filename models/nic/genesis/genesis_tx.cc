// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/genesis_tx.h"

#include <algorithm>
#include <utility>

namespace longhaul::nic::genesis {

GenesisTx::GenesisTx(const sc_core::sc_module_name& name, const GenesisParts& parts)
    : sc_module(name),
      parts_(parts),
      ram_(
          "ram", parts.bank, regs::kRbXa1, parts.params.ram(), [this] { look_again(); },
          [this] { ram_emptied(); }),
      bmu_("bmu",
           {regs::kXa1, regs::kXa1CsrMirror, regs::kIsrcFields.xa1_b, regs::kIsrcFields.xa1_f,
            regs::kIsrcFields.xa1_c},
           parts.bank, parts.dma, *this, parts.causes_changed, parts.bus_error),
      engine_("engine", parts.params.engine_clock(), [this] { return step(); }) {
  parts_.ram.attach(RamPort::kTxWrite, [this] { buffer_moved(); });
  parts_.ram.attach(RamPort::kTxRead, [this] { portion_moved(); });
  add_synchronous_queue();
}

void GenesisTx::add_synchronous_queue() {
  const auto holds = [this](const char* name, std::uint32_t at) {
    unused_.emplace_back(parts_.bank, RegisterSpec{name, at});
  };
  const auto commands = [this](const char* name, std::uint32_t at, const RegisterFields& fields,
                               std::uint32_t reads) {
    unused_.emplace_back(parts_.bank, RegisterSpec{name, at, fields, Access::kReadOnly},
                         [reads] { return reads; });
  };
  holds("XS1_DA_L", regs::kXs1 + regs::q::kDaL);
  holds("XS1_DA_H", regs::kXs1 + regs::q::kDaH);
  holds("XS1_F", regs::kXs1 + regs::q::kF);
  commands("XS1_CSR", regs::kXs1 + regs::q::kCsr, regs::kCsrFields, regs::kCsrFields.sv_idle);
  commands("B0_XS1_CSR", regs::kXs1CsrMirror, regs::kCsrFields, regs::kCsrFields.sv_idle);
  holds("XS1_RB_START", regs::kRbXs1 + regs::rb::kStart);
  holds("XS1_RB_END", regs::kRbXs1 + regs::rb::kEnd);
  holds("XS1_RB_WP", regs::kRbXs1 + regs::rb::kWp);
  holds("XS1_RB_RP", regs::kRbXs1 + regs::rb::kRp);
  commands("XS1_RB_CTRL", regs::kRbXs1 + regs::rb::kCtrl, regs::kRbCtrlFields,
           regs::kRbCtrlFields.rst_set | regs::kRbCtrlFields.dis_op_md);
}

void GenesisTx::reset() {
  mff_held_ = true;
  mff_operates_ = false;
  parts_.ram.cancel(RamPort::kTxWrite);
  parts_.ram.cancel(RamPort::kTxRead);
  room_timer_.cancel();
  ram_.reset();
  bmu_.reset();
  engine_.reset();
  open_ = false;
  moving_buffer_ = false;
  blanks_ = {};
  frame_.reset();
  held_ = 0;
  stored_.clear();
  fifo_.clear();
  front_ = {};
  wire_ = {};
  fifo_fill.set(0);
  parts_.xmac.set_reset(true);
}

void GenesisTx::look_again() {
  move_on();
  engine_.kick();
}

Step GenesisTx::step() {
  if (bmu_.taken()) return next_buffer();
  if (bmu_.loaded()) return next_descriptor();
  return bmu_.active() ? Step::kBlocked : Step::kIdle;
}

Step GenesisTx::next_descriptor() {
  const std::uint32_t control = bmu_.descriptor().control;
  const bool first = (control & regs::bmu::kStf) != 0;
  if (first == open_) {  // it begins a frame within another, or continues none
    forget_frame("bad descriptor");
    bmu_.refuse();
    return Step::kIdle;
  }
  bmu_.take();
  engine_.spend(parts_.params.tx_descriptor_clocks());
  if (first) {
    engine_.spend(parts_.params.tx_packet_clocks());
    open_frame(bmu_.descriptor().bytes(), (control & regs::bmu::kEof) != 0);
  }
  return Step::kDone;
}

void GenesisTx::open_frame(std::uint32_t length, bool whole) {
  open_ = true;
  bad_ = false;
  filled_ = 0;
  frame_ = Frame::allocate(whole ? std::clamp(length, 1U, Frame::kMaxBytes) : Frame::kMaxBytes);
  data_ = frame_.writable().data();
}

Step GenesisTx::next_buffer() {
  if (moving_buffer_) return Step::kBlocked;
  const std::uint32_t length = bmu_.descriptor().bytes();
  const std::uint32_t end = filled_ + length;
  if (end > Frame::kMaxBytes) bad_ = true;
  if (bad_ || length == 0) {
    end_buffer();
    return Step::kDone;
  }
  if (ram_.enabled() &&
      RamBuffer::quadwords(end) > ram_.capacity()) {  // stored whole it can never be
    forget_frame("larger than the RAM buffer");
    bmu_.refuse();
    return Step::kIdle;
  }
  const std::uint32_t quadwords = RamBuffer::quadwords(end) - RamBuffer::quadwords(filled_);
  if (!ram_.fits(quadwords)) return Step::kBlocked;
  ram_.put(quadwords);
  held_ += quadwords;
  asked_ = length;
  moving_buffer_ = true;
  parts_.ram.start(RamPort::kTxWrite, length);
  bmu_.fetch(0, data_ + filled_, length);
  return Step::kBlocked;
}

void GenesisTx::data_blank(std::uint8_t* data, std::uint32_t length) {
  blanks_.add(data_, static_cast<std::uint32_t>(data - data_), length);
}

void GenesisTx::buffer_moved() {
  if (!moving_buffer_ || parts_.ram.busy(RamPort::kTxWrite) || bmu_.transfers() != 0) return;
  moving_buffer_ = false;
  filled_ += asked_;
  end_buffer();
  engine_.kick();
}

void GenesisTx::end_buffer() {
  const std::uint32_t control = bmu_.descriptor().control & ~regs::bmu::kOwn;
  if ((control & regs::bmu::kEof) != 0) close_frame();
  bmu_.finish(control);
}

void GenesisTx::close_frame() {
  if (bad_ || filled_ == 0) {
    forget_frame(filled_ == 0 && !bad_ ? "no data" : "too long, or lost in part");
    return;
  }
  open_ = false;
  Frame& frame = frame_.writable();
  const std::uint32_t blank_from = blanks_.settle(data_, filled_);
  frame.resize(filled_);
  if (blank_from < filled_) frame.leave_blank(blank_from);
  stored_.push_back({std::exchange(frame_, {}), filled_, std::exchange(held_, 0), 0});
  ram_.packet_in();
  move_on();
}

void GenesisTx::forget_frame(const char* why) {
  if (!open_) return;
  open_ = false;
  blanks_ = {};
  ram_.take(std::exchange(held_, 0));
  drop(std::exchange(frame_, {}), why);
}

void GenesisTx::bmu_aborted(const char* why) {
  parts_.ram.cancel(RamPort::kTxWrite);
  moving_buffer_ = false;
  forget_frame(why);
  engine_.kick();
}

void GenesisTx::drop(const FrameRef& frame, const char* why) {
  discarded.add();
  taps.report(now(), frame, observe::FrameFate::kDropped, why);
}

void GenesisTx::ram_emptied() {
  if (open_) bad_ = true;
  held_ = 0;
  parts_.ram.cancel(RamPort::kTxWrite);
  if (!stored_.empty()) stored_.front().quadwords = 0;
  lose_front("RAM buffer reset");
  while (!stored_.empty()) drop(stored_.pop_front().frame, "RAM buffer reset");
  buffer_moved();  // in case it waited for the RAM only
}

}  // namespace longhaul::nic::genesis
