// SPDX-License-Identifier: Apache-2.0
// The output side of the transmit unit: frames that are whole in the RAM buffer go through the
// XMAC's FIFO to the wire.
#include <algorithm>
#include <utility>

#include "models/net/frame/ethernet_header.h"
#include "models/nic/genesis/genesis_tx.h"
#include "models/nic/genesis/xmac_regs.h"

namespace longhaul::nic::genesis {
namespace {

constexpr std::uint32_t kPortionBytes = 2048;  // of a long frame, that move into the FIFO at a time
constexpr std::uint64_t kBytePs = 8'000;       // on a wire of 1 Gb/s (IEEE 802.3, clause 36)

}  // namespace

void GenesisTx::mff_ctrl1_written(std::uint32_t value) {
  if ((value & regs::kTxMffCtrl1Fields.set_mac_rst) != 0) {
    parts_.xmac.set_reset(true);
    flush_fifo();
  } else if ((value & regs::kTxMffCtrl1Fields.clr_mac_rst) != 0) {
    parts_.xmac.set_reset(false);
    move_on();
  }
}

void GenesisTx::mff_ctrl2_written(std::uint32_t value) {
  mff_operates_ = regs::after(value, regs::kMffCtrl2Fields.ena_op_md,
                              regs::kMffCtrl2Fields.dis_op_md, mff_operates_);
  mff_held_ =
      !regs::after(value, regs::kMffCtrl2Fields.rst_clr, regs::kMffCtrl2Fields.rst_set, !mff_held_);
  if (mff_held_) lose_front("MAC FIFO reset");
  move_on();
}

std::uint32_t GenesisTx::threshold() const {
  const std::uint32_t words = parts_.bank.peek(xm::kBase + 2 * xm::kTxThr) & 0x7ff;
  const auto capacity = static_cast<std::uint32_t>(parts_.params.xmac_tx_fifo().count);
  return std::clamp(4 * words, 64U, capacity);
}

void GenesisTx::move_on() {
  if (front_.portion != 0 || stored_.empty() || !passes()) return;
  std::uint32_t portion = std::min(stored_.front().size - front_.moved, kPortionBytes);
  const std::uint32_t start = threshold();
  if (front_.moved < start) portion = std::min(portion, start - front_.moved);
  if (!room_for(portion)) return;
  front_.portion = portion;
  fifo_fill.add(portion);
  if (front_.taken) wire_.in += portion;
  parts_.ram.start(RamPort::kTxRead, portion);
}

/// Whether the XMAC's FIFO has room. If not, move_on() is called when it may have.
bool GenesisTx::room_for(std::uint32_t length) {
  settle_wire();
  const std::uint64_t capacity = parts_.params.xmac_tx_fifo().count;
  const std::uint64_t wanted = fifo_fill.value() + length;
  if (wanted <= capacity) return true;
  // With a frame waiting, the next take_frame() checks again.
  if (fifo_.empty()) {
    const std::uint64_t at = wire_.from_ps + (wire_.drained + wanted - capacity) * kBytePs;
    room_timer_.set(std::max(at, now_ps() + kBytePs));
  }
  return false;
}

void GenesisTx::settle_wire() {
  if (now_ps() < wire_.from_ps || wire_.drained == wire_.in) return;
  const std::uint64_t sent =
      std::min<std::uint64_t>((now_ps() - wire_.from_ps) / kBytePs, wire_.in);
  if (sent <= wire_.drained) return;
  fifo_fill.add(-static_cast<std::int64_t>(sent - wire_.drained));
  wire_.drained = static_cast<std::uint32_t>(sent);
}

void GenesisTx::portion_moved() {
  Packet& packet = stored_.front();
  const std::uint32_t before = front_.moved;
  front_.moved += std::exchange(front_.portion, 0);
  const bool whole = front_.moved == packet.size;
  const std::uint32_t freed = whole ? packet.quadwords : front_.moved / 8 - before / 8;
  packet.quadwords -= freed;
  ram_.take(freed);
  const bool goes = !front_.sent_on && (whole || front_.moved >= threshold());
  if (goes) {
    front_.sent_on = true;
    fifo_.push_back({packet.frame, packet.size, 0, now_ps() + to_ps(parts_.params.tx_latency())});
  }
  if (whole) {
    stored_.pop_front();
    ram_.packet_out();
    front_ = {};
  }
  if (goes) parts_.xmac.kick_tx();
  look_again();
}

std::uint64_t GenesisTx::ready_ps() const {
  return fifo_.empty() ? kNoFrame : fifo_.front().ready_ps;
}

FrameRef GenesisTx::take_frame() {
  fifo_fill.add(-static_cast<std::int64_t>(
      wire_.in - wire_.drained));  // the one before has left: the wire is free
  Packet packet = fifo_.pop_front();
  const bool in_part = fifo_.empty() && front_.sent_on;
  front_.taken = in_part;
  wire_ = {in_part ? front_.moved + front_.portion : packet.size, 0,
           now_ps() + ethernet::kPreambleBytes * kBytePs};
  frames.add();
  bytes.add(std::max(packet.size + Frame::kFcsBytes, EthMac::kMinFrameBytes));
  taps.report(now(), packet.frame, observe::FrameFate::kSent);
  move_on();
  return std::move(packet.frame);
}

/// Drops the frame that is leaving the RAM buffer.
void GenesisTx::lose_front(const char* why) {
  parts_.ram.cancel(RamPort::kTxRead);
  const std::uint32_t in_fifo = front_.moved + front_.portion;
  if (in_fifo == 0) return;
  const Packet packet = stored_.pop_front();
  ram_.take(packet.quadwords);
  ram_.packet_out();
  if (!front_.taken) {
    fifo_fill.add(-static_cast<std::int64_t>(in_fifo));
    if (front_.sent_on) fifo_.pop_back();
    drop(packet.frame, why);
  }
  front_ = {};
}

void GenesisTx::flush_fifo() {
  lose_front("XMAC FIFO flushed");
  while (!fifo_.empty()) drop(fifo_.pop_front().frame, "XMAC FIFO flushed");
  room_timer_.cancel();
  fifo_fill.set(0);
  wire_ = {};
  look_again();
}

}  // namespace longhaul::nic::genesis
