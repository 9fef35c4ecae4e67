// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/offload/cpl_replies.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "models/common/big_endian.h"
#include "models/nic/terminator/offload/cpl_context.h"
#include "models/nic/terminator/offload/cpl_fields.h"

namespace longhaul::nic::terminator::cpl {
namespace {

std::uint32_t status_of(toe::Error error) {
  using toe::Error;
  switch (error) {  // CPL_ERR_*
    case Error::kNone: return 0;
    case Error::kTableFull: return 3;
    case Error::kReset: return 20;
    case Error::kInUse: return 22;
    case Error::kNoStation: return 23;
    case Error::kTimedOut: return 30;
    case Error::kSendTimedOut: return 31;
    case Error::kPersistTimedOut: return 32;
    case Error::kFinWait2TimedOut: return 33;
    case Error::kKeepaliveTimedOut: return 34;
    case Error::kAbortFailed: return 42;
    case Error::kNoMemory:
    case Error::kBadRequest: return 99;
  }
  return 99;
}

/// Writes a message's struct, by its offsets.
class Writer {
 public:
  RxMessage out;

  void begin(Opcode opcode, toe::Tid tid, std::uint32_t bytes) {
    out.head_bytes = bytes;
    out.offload = true;
    word(0, kOpcodeField.put(static_cast<std::uint32_t>(opcode)) | kTidField.put(tid));
  }
  void byte(std::uint32_t at, std::uint32_t value) {
    out.head.at(at) = static_cast<std::uint8_t>(value);
  }
  void half(std::uint32_t at, std::uint32_t value) { write_be16(&out.head.at(at), value); }
  void word(std::uint32_t at, std::uint32_t value) { write_be32(&out.head.at(at), value); }
  template <std::size_t N>
  void bytes(std::uint32_t at, const std::array<std::uint8_t, N>& from) {
    std::copy(from.begin(), from.end(), out.head.begin() + at);
  }
  void ends(const toe::Ends& ends) {
    half(4, ends.local_port);
    half(6, ends.peer_port);
    bytes(8, ends.local);
    bytes(12, ends.peer);
  }

  void operator()(std::monostate) {}
  void operator()(const toe::RxPacket&) {}
  void operator()(const toe::ActOpenReply& m) {
    begin(Opcode::kActOpenRpl, m.atid, 24);
    word(16, m.tid);
    byte(23, status_of(m.error));
  }
  void operator()(const toe::Established& m) {
    begin(m.active ? Opcode::kActEstablish : Opcode::kPassEstablish, m.tid, 32);
    ends(m.ends);
    word(16, kOpenTid.put(m.opener));
    word(24, m.snd_isn);
    word(28, m.rcv_isn);
  }
  void operator()(const toe::PassOpenReply& m) {
    begin(Opcode::kPassOpenRpl, m.stid, 24);
    byte(23, status_of(m.error));
  }
  void operator()(const toe::CloseServerReply& m) {
    begin(Opcode::kCloseListsrvRpl, m.stid, 8);
    byte(7, status_of(m.error));
  }
  void operator()(const toe::PassAcceptRequest& m) {
    begin(Opcode::kPassAcceptReq, m.tid, 48);
    ends(m.ends);
    word(16, kOpenTid.put(m.stid) | kOpenTos.put(m.tos));
    half(20, m.options.mss.value_or(0));
    byte(22, m.options.window_scale.value_or(0));
    byte(23, (m.options.sack_permitted ? 0x20U : 0U) | (m.options.timestamps ? 0x40U : 0U));
    bytes(24, m.destination);
    half(30, m.tagged ? m.vlan : 0U);
    bytes(32, m.source);
    word(40, m.rcv_isn);
  }
  void operator()(const toe::TxDataAck& m) {
    begin(Opcode::kTxDataAck, m.tid, 8);
    word(4, m.snd_una);
  }
  void operator()(const toe::RxData& m) {
    begin(Opcode::kRxData, m.tid, 16);
    word(4, m.bytes->size());
    word(8, m.seq);
    out.frame = m.bytes;
    out.payload = true;
  }
  void operator()(const toe::PeerClose& m) { begin(Opcode::kPeerClose, m.tid, 8); }
  void operator()(const toe::CloseReply& m) {
    begin(Opcode::kCloseConRpl, m.tid, 16);
    word(8, m.snd_nxt);
    word(12, m.rcv_nxt);
  }
  void operator()(const toe::Aborted& m) {
    begin(Opcode::kAbortReq, m.tid, 16);
    byte(9, status_of(m.error));
  }
  void operator()(const toe::AbortReply& m) {
    begin(Opcode::kAbortRpl, m.tid, 16);
    byte(9, status_of(m.error));
  }
  void operator()(const toe::TakeReply& m) {
    begin(Opcode::kTakeRpl, m.atid, 24);
    word(16, m.tid);
    byte(23, status_of(m.error));
  }
  void operator()(const toe::Returned& m) {
    begin(Opcode::kReturned, m.tid, m.taken ? kContextBytes : 8);
    if (!m.taken) return;
    std::uint32_t at = 4;
    for (const std::uint32_t value : to_words(m.context)) {
      word(at, value);
      at += 4;
    }
  }
  void operator()(const toe::TcbReply& m) {
    begin(Opcode::kGetTcbRpl, m.tid, 8);
    half(4, kTcbBytes);
    byte(7, status_of(m.error));
    out.frame = Frame::allocate(kTcbBytes);
    std::uint8_t* const tcb = out.frame.writable().data();
    std::fill_n(tcb, kTcbBytes, std::uint8_t{0});
    const toe::TcbFields& f = m.fields;
    std::uint32_t at = 0;
    const auto put = [&](std::uint32_t value) {
      write_be32(tcb + at, value);
      at += 4;
    };
    for (const std::uint32_t value :
         {static_cast<std::uint32_t>(f.state), f.snd_una, f.snd_nxt, f.rcv_nxt})
      put(value);
    for (const std::uint64_t value :
         {f.cwnd, f.ssthresh, f.snd_wnd, f.unsent, f.unread, f.rto_ps}) {
      put(static_cast<std::uint32_t>(value >> 32U));
      put(static_cast<std::uint32_t>(value));
    }
    put(f.mss);
  }
  void operator()(const toe::SetTcbReply& m) {
    begin(Opcode::kSetTcbRpl, m.tid, 8);
    byte(7, status_of(m.error));
  }
  void operator()(const toe::L2tReply& m) {
    if (m.read) {
      begin(Opcode::kL2tReadRpl, m.index, 16);
      word(4, l2t::kIndex.put(m.index) |
                  l2t::kVlan.put(m.station.tagged ? m.station.vlan : l2t::kNoVlan) |
                  l2t::kPriority.put(m.station.vlan >> 13U));
      bytes(10, m.station.address);
    } else {
      begin(Opcode::kL2tWriteRpl, m.index, 8);
      byte(4, status_of(m.error));
    }
  }
  void operator()(const toe::SmtReply& m) {
    begin(m.read ? Opcode::kSmtReadRpl : Opcode::kSmtWriteRpl, m.index, m.read ? 24 : 8);
    byte(4, status_of(m.error));
    if (!m.read) return;
    byte(5, kInterface.put(m.index));
    bytes(18, m.address);
  }
};

}  // namespace

RxMessage reply(const toe::ToHost& message) {
  Writer writer;
  std::visit([&writer](const auto& m) { writer(m); }, message);
  return std::move(writer.out);
}

}  // namespace longhaul::nic::terminator::cpl
