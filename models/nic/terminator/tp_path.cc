// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/tp_path.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/vlan.h"
#include "models/nic/terminator/rx_sum.h"
#include "models/nic/terminator/sge_rx.h"
#include "models/nic/terminator/sge_tx.h"

namespace longhaul::nic::terminator {

TpPath::TpPath(const sc_core::sc_module_name& name, const TerminatorParams& params, Tp& tp,
               const SgeControl& control, bool offload, const tcp::TcpParams& tcp)
    : sc_module(name), params_(params), tp_(tp), control_(control) {
  OffloadPart::Path& path = *this;
  if (offload) offload_ = std::make_unique<OffloadPart>(params, tcp, tp, path);
}

void TpPath::attach(SgeTx& tx, SgeRx& rx, Line& line) {
  tx_ = &tx;
  rx_ = &rx;
  line_ = &line;
}

// --- To the wire ---------------------------------------------------------------------------------

void TpPath::send(cpl::Message message) {
  if (message.opcode() == cpl::kTxPkt) return send_packet(std::move(message));
  const cpl::Room room = message.room;
  if (offloads() && offload_->message(std::move(message))) return;
  unhandled_messages.add();
  tx_->give_room(room);
}

void TpPath::send_packet(cpl::Message message) {
  if (!message.rest || message.rest->size() < ethernet::kHeaderBytes) {
    tx_->discarded.add();
    tx_->give_room(message.room);
    return;
  }
  const cpl::TxPkt packet(message.head);
  Frame& frame = message.rest.writable();
  insert_sums(frame, tp_.sums(packet));
  if (packet.tagged) insert_tag(frame, ethernet::kTypeVlan, packet.tag);
  const std::uint64_t latency = to_ps(params_.tp_tx_latency());
  waiting_.push_back({std::move(message.rest), message.room, now_ps() + latency});
  if (!offloads()) return line_->kick_tx();
  if (waiting_.size() == 1) pass_on_.set(waiting_.front().ready_ps);
}

/// Gives the engine's transmit FIFO the frames that have come through TP.
void TpPath::pass_on() {
  while (offloads() && !waiting_.empty()) {
    const Waiting& first = waiting_.front();
    if (now_ps() < first.ready_ps) return pass_on_.set(first.ready_ps);
    if (!offload_->send(first.frame)) return;
    tx_->give_room(waiting_.pop_front().room);
  }
}

std::uint64_t TpPath::ready_ps() const {
  const std::uint64_t own = waiting_.empty() || offloads() ? kNoFrame : waiting_.front().ready_ps;
  return offload_ ? std::min(own, offload_->ready_ps()) : own;
}

FrameRef TpPath::take_frame() {
  if (offload_ && offload_->ready_ps() <= now_ps()) return offload_->take_frame();
  Waiting first = waiting_.pop_front();
  tx_->give_room(first.room);
  return std::move(first.frame);
}

void TpPath::give_room(const cpl::Room& room) { tx_->give_room(room); }

void TpPath::frame_sent(const FrameRef& frame) { tx_->frame_sent(frame); }

// --- From the wire -------------------------------------------------------------------------------

void TpPath::kick_rx() {
  if (offload_) offload_->host_room();
  line_->kick_rx();
}

bool TpPath::take_received(const FrameRef& frame, const sc_core::sc_time& began) {
  if (!(offloads() ? offload_->receive(frame) : give_packet(frame))) return false;
  rx_->taps.report(began, frame, observe::FrameFate::kReceived);
  return true;
}

bool TpPath::give_message(RxMessage&& message) {
  if (!rx_->has_room(message.room())) return false;
  rx_->accept(std::move(message));
  return true;
}

bool TpPath::give_packet(const FrameRef& frame) {
  if (!rx_->has_room(frame->size())) return false;
  RxMessage message;
  message.frame = frame;
  cpl::RxPkt packet;
  if (control_.has(regs::kSgControlFields.vlan_xtract) &&
      ethernet::type(*frame) == ethernet::kTypeVlan) {
    packet.tagged = true;
    packet.tag = read_be16(frame->head() + ethernet::kHeaderBytes);
    std::uint8_t* const bytes = message.frame.writable().data();
    std::memmove(bytes + ethernet::kVlanTagBytes, bytes, 2 * sizeof(MacAddress));
    message.skip = ethernet::kVlanTagBytes;
  }
  const auto sum = l4_sum(*message.frame, message.skip);
  packet.sum_valid = sum.has_value();
  packet.sum = sum.value_or(0);
  packet.length = static_cast<std::uint16_t>(message.length());
  const cpl::Head head = packet.head();
  std::copy(head.begin(), head.end(), message.head.begin());
  rx_->accept(std::move(message));
  return true;
}

void TpPath::reset() {
  if (offload_) offload_->reset_chip();
  pass_on_.cancel();
  while (!waiting_.empty()) tx_->drop(waiting_.pop_front().frame, "reset");
}

}  // namespace longhaul::nic::terminator
