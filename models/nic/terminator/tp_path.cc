// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/tp_path.h"

#include <cstring>
#include <utility>

#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/vlan.h"
#include "models/nic/terminator/rx_sum.h"
#include "models/nic/terminator/sge_rx.h"
#include "models/nic/terminator/sge_tx.h"

namespace longhaul::nic::terminator {

TpPath::TpPath(const sc_core::sc_module_name& name, const TerminatorParams& params, const Tp& tp,
               const SgeControl& control)
    : sc_module(name), params_(params), tp_(tp), control_(control) {}

void TpPath::attach(SgeTx& tx, SgeRx& rx, MacPart& line) {
  tx_ = &tx;
  rx_ = &rx;
  line_ = &line;
}

void TpPath::send(cpl::Message message, std::uint32_t room) {
  if (message.opcode() == cpl::kTxPkt) {
    send_packet(std::move(message), room);
  } else {
    unhandled(message, room);
  }
}

void TpPath::send_packet(cpl::Message message, std::uint32_t room) {
  if (!message.rest || message.rest->size() < ethernet::kHeaderBytes) {
    tx_->discarded.add();
    tx_->give_room(room);
    return;
  }
  const cpl::TxPkt packet(message.head);
  Frame& frame = message.rest.writable();
  insert_sums(frame, tp_.sums(packet));
  if (packet.tagged) insert_tag(frame, ethernet::kTypeVlan, packet.tag);
  waiting_.push_back({std::move(message.rest), room, now_ps() + to_ps(params_.tp_tx_latency())});
  line_->kick_tx();
}

void TpPath::unhandled(const cpl::Message& /*message*/, std::uint32_t room) {
  unhandled_messages.add();
  tx_->give_room(room);
}

std::uint64_t TpPath::ready_ps() const {
  return waiting_.empty() ? kNoFrame : waiting_.front().ready_ps;
}

FrameRef TpPath::take_frame() {
  Waiting first = waiting_.pop_front();
  tx_->give_room(first.room);
  return std::move(first.frame);
}

void TpPath::frame_sent(const FrameRef& frame) { tx_->frame_sent(frame); }

void TpPath::kick_rx() { line_->kick_rx(); }

bool TpPath::take_received(const FrameRef& frame, const sc_core::sc_time& began) {
  if (!rx_->has_room(frame->size())) return false;
  rx_->taps.report(began, frame, observe::FrameFate::kReceived);
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
  message.head = packet.head();
  rx_->accept(std::move(message));
  return true;
}

void TpPath::reset() {
  while (!waiting_.empty()) tx_->drop(waiting_.pop_front().frame, "reset");
}

}  // namespace longhaul::nic::terminator
