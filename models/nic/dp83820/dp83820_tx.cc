// SPDX-License-Identifier: Apache-2.0
#include "models/nic/dp83820/dp83820_tx.h"

#include <algorithm>

#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/vlan.h"

namespace longhaul::nic::dp83820 {

using namespace regs;  // NOLINT: names of the registers

namespace {

/// In registers and descriptors the fields of a tag have the byte that is first on the wire in the
/// low half.
std::uint16_t swapped(std::uint32_t value) {
  return static_cast<std::uint16_t>(value << 8 | (value >> 8 & 0xff));
}

}  // namespace

Dp83820Tx::Dp83820Tx(const sc_core::sc_module_name& name, const Dp83820Parts& parts)
    : sc_module(name),
      parts_(parts),
      list_("list", kTxdp, kTxdpHi, parts.bank, parts.dma, *this),
      engine_("engine", parts.params.engine_clock(), [this] { return step(); }) {}

void Dp83820Tx::txcfg_written(std::uint32_t value) {
  constexpr BitRate kGigabit{1'000'000'000};
  parts_.mac.set_loopback((value & kTxcfgFields.mlb) != 0 ? kGigabit : BitRate{});
}

void Dp83820Tx::enable() {
  enabled_ = true;
  if (list_.rests()) list_.start();
  engine_.kick();
}

void Dp83820Tx::reset() {
  parts_.dma.abandon(*this);
  list_.reset();
  engine_.reset();
  enabled_ = false;
  taken_ = reading_ = false;
  forget_packet("reset");
  while (!whole_.empty()) drop(whole_.pop_front().frame, "reset");
  fifo_fill.set(leaving_);
}

void Dp83820Tx::descriptor_arrived() {
  if (!enabled_ && !open_) return list_.rest();
  if (!list_.descriptor().has(cmdsts::kOwn)) {
    list_.idle_reads.add();
    list_.rest();
    list_ended();
    return;
  }
  engine_.kick();
}

void Dp83820Tx::list_ended() {
  parts_.interrupts.post(kIsrFields.tx_idle);
  engine_.kick();
}

void Dp83820Tx::list_failed(pcix::DmaStatus status) {
  taken_ = false;
  forget_packet("error on the bus");
  parts_.interrupts.post(cause_of(status));
  engine_.kick();
}

Step Dp83820Tx::step() {
  if (list_.rests()) return Step::kIdle;
  if (!list_.loaded() || reading_) return Step::kBlocked;
  if (taken_) return next_burst();
  taken_ = true;
  done_ = 0;
  engine_.spend(parts_.params.tx_descriptor_clocks());
  if (!open_) {
    engine_.spend(parts_.params.tx_packet_clocks());
    open_packet();
  }
  return Step::kDone;
}

void Dp83820Tx::open_packet() {
  open_ = true;
  bad_ = false;
  filled_ = 0;
  const bool only = !list_.descriptor().has(cmdsts::kMore);
  const std::uint32_t length = list_.descriptor().length() + ethernet::kVlanTagBytes;
  frame_ = Frame::allocate(only ? std::clamp(length, Frame::kMinBytes, Frame::kMaxBytes)
                                : Frame::kMaxBytes);
  data_ = frame_.writable().data();
}

Step Dp83820Tx::next_burst() {
  const std::uint32_t left = list_.descriptor().length() - done_;
  const auto fifo = static_cast<std::uint32_t>(parts_.params.tx_fifo().count);
  if (filled_ + left > std::min(fifo, Frame::kMaxBytes - ethernet::kVlanTagBytes)) bad_ = true;
  if (left == 0 || bad_) {
    end_descriptor();
    return Step::kDone;
  }
  burst_ = std::min(left, mxdma_bytes(txcfg_.value()));
  if (fifo_fill.value() + burst_ > fifo) return Step::kBlocked;
  fifo_fill.add(burst_);
  reading_ = true;
  parts_.dma.read(list_.descriptor().buffer + done_, data_ + filled_, burst_, this, 0);
  return Step::kBlocked;
}

void Dp83820Tx::dma_done(std::uint64_t /*tag*/, pcix::DmaStatus status) {
  reading_ = false;
  done_ += burst_;
  filled_ += burst_;
  if (status != pcix::DmaStatus::kOk) {
    bad_ = true;
    parts_.interrupts.post(cause_of(status));
  }
  engine_.kick();
}

void Dp83820Tx::dma_blank(std::uint64_t /*tag*/, std::uint8_t* data, std::uint32_t length) {
  blanks_.add(data_, static_cast<std::uint32_t>(data - data_), length);
}

void Dp83820Tx::end_descriptor() {
  std::uint32_t command = list_.descriptor().command & ~cmdsts::kOwn;
  if (!list_.descriptor().has(cmdsts::kMore)) {
    command |= bad_ ? cmdsts::kError : cmdsts::kOk;
    if (bad_) parts_.interrupts.post(kIsrFields.tx_err);
    close_packet();
  }
  taken_ = false;
  list_.give_back(command, 0, false);
}

bool Dp83820Tx::descriptor_returned() {
  if (list_.descriptor().has(cmdsts::kIntr)) parts_.interrupts.post(kIsrFields.tx_desc);
  return enabled_;
}

TxSums Dp83820Tx::sums() const {
  if (vtcr_.has(kVtcrFields.gchk)) return {true, true, true};
  if (!vtcr_.has(kVtcrFields.ppchk)) return {};
  const std::uint32_t asked = list_.descriptor().extended;
  return {(asked & extsts::kIp) != 0, (asked & extsts::kTcp) != 0, (asked & extsts::kUdp) != 0};
}

bool Dp83820Tx::tagged() const {
  return vtcr_.has(kVtcrFields.vgti) ||
         (vtcr_.has(kVtcrFields.vppti) && (list_.descriptor().extended & extsts::kTagged) != 0);
}

void Dp83820Tx::close_packet() {
  if (bad_ || filled_ < ethernet::kHeaderBytes) {
    forget_packet(bad_ ? "larger than the FIFO, or lost in part" : "no frame");
    return;
  }
  open_ = false;
  Frame& frame = frame_.writable();
  const std::uint32_t blank_from = blanks_.settle(data_, filled_);
  frame.resize(filled_);
  if (blank_from < filled_) frame.leave_blank(blank_from);
  insert_sums(frame, sums());
  if (tagged()) {
    const bool of_all = vtcr_.has(kVtcrFields.vgti);
    const std::uint32_t tag = of_all ? vdr_.get(kVdrFields.vtci) : list_.descriptor().extended;
    insert_tag(frame, swapped(vdr_.get(kVdrFields.vtype)), swapped(tag & extsts::kTag));
  }
  const std::uint64_t latency = to_ps(parts_.params.tx_latency());
  whole_.push_back({std::exchange(frame_, {}), filled_, now_ps() + latency});
  parts_.mac.kick();
}

void Dp83820Tx::forget_packet(const char* why) {
  if (!open_) return;
  open_ = false;
  blanks_ = {};
  give_room(filled_);
  drop(std::exchange(frame_, {}), why);
}

void Dp83820Tx::drop(const FrameRef& frame, const char* why) {
  discarded.add();
  taps.report(now(), frame, observe::FrameFate::kDropped, why);
}

void Dp83820Tx::give_room(std::uint32_t reserved) {
  fifo_fill.add(-static_cast<std::int64_t>(reserved));
  engine_.kick();
}

std::uint64_t Dp83820Tx::ready_ps() const {
  return whole_.empty() ? kNoFrame : whole_.front().ready_ps;
}

FrameRef Dp83820Tx::take_frame() {
  Packet packet = whole_.pop_front();
  if (leaving_ != 0) give_room(std::exchange(leaving_, 0));  // the wire is free: it has left
  leaving_ = packet.reserved;
  const std::uint32_t octets = std::max(packet.frame->octets(), EthMac::kMinFrameBytes);
  left_.set(now_ps() + parts_.mac.frame_ps(octets));
  frames.add();
  bytes.add(octets);
  taps.report(now(), packet.frame, observe::FrameFate::kSent);
  parts_.interrupts.post(kIsrFields.tx_ok);
  return std::move(packet.frame);
}

}  // namespace longhaul::nic::dp83820
