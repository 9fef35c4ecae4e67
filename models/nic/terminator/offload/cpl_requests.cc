// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/offload/cpl_requests.h"

#include <algorithm>
#include <utility>

#include "models/nic/terminator/offload/cpl_context.h"
#include "models/nic/terminator/offload/cpl_fields.h"

namespace longhaul::nic::terminator::cpl {
namespace {

constexpr std::uint32_t kBytesOfKib = 1024;
static_assert(kTcbReceiveBuffer == static_cast<std::uint8_t>(toe::TcbField::kReceiveBuffer));
constexpr std::uint32_t kEcnBits = 2;

/// A message's bytes, by the offsets of its struct.
class Reader {
 public:
  explicit Reader(const Message& message)
      : head_(message.head), rest_(message.rest ? message.rest->head() : nullptr) {
    stored_ = message.rest ? message.rest->stored() : 0;
    size_ = kHeadBytes + (message.rest ? message.rest->size() : 0);
  }
  std::uint32_t size() const { return size_; }
  std::uint8_t byte(std::uint32_t at) const {
    if (at < kHeadBytes) return head_.at(at);
    return at - kHeadBytes < stored_ ? rest_[at - kHeadBytes] : 0;  // zeros may be elided
  }
  std::uint16_t half(std::uint32_t at) const {
    return static_cast<std::uint16_t>(byte(at) << 8U | byte(at + 1));
  }
  std::uint32_t word(std::uint32_t at) const {
    return std::uint32_t{half(at)} << 16U | half(at + 2);
  }
  std::uint32_t tid() const { return kTidField.get(word(0)); }
  template <std::size_t N>
  std::array<std::uint8_t, N> bytes(std::uint32_t at) const {
    std::array<std::uint8_t, N> out{};
    for (std::uint32_t i = 0; i < N; ++i) out.at(i) = byte(at + i);
    return out;
  }

 private:
  const Head& head_;
  const std::uint8_t* rest_;
  std::uint32_t stored_ = 0;
  std::uint32_t size_ = 0;
};

toe::ConnectionOptions options(std::uint32_t high, std::uint32_t low) {
  toe::ConnectionOptions out;
  out.mtu_index = static_cast<std::uint8_t>(opt0h::kMssIndex.get(high));
  out.window_scale = static_cast<std::uint8_t>(opt0h::kWindowScale.get(high));
  out.nodelay = opt0h::kNagle.get(high) == 0;
  out.keepalive = opt0h::kKeepAlive.get(high) != 0;
  out.l2t_index = static_cast<std::uint16_t>(opt0h::kL2tIndex.get(high));
  out.smt_index = static_cast<std::uint8_t>(opt0h::kSourceMac.get(high));
  out.receive_buffer = opt0l::kBuffer.get(low) * kBytesOfKib;
  out.tos = static_cast<std::uint8_t>(opt0l::kTos.get(low) << kEcnBits);
  return out;
}

/// The ends in a message: ports at 4 and 6, addresses at 8 and 12.
toe::Ends ends(const Reader& in) {
  return {in.bytes<4>(8), in.bytes<4>(12), in.half(4), in.half(6)};
}

toe::FromHost pass_open(const Reader& in) {
  constexpr std::uint32_t kOpt1 = 28;
  toe::PassOpenRequest out;
  out.stid = in.tid();
  out.address = in.bytes<4>(8);
  out.port = in.half(4);
  out.options = options(in.word(16), in.word(20));
  const std::uint32_t policy = kConnPolicy.get(in.word(kOpt1));  // CPL_CONN_POLICY_*
  out.policy = policy == 0   ? toe::Policy::kAuto
               : policy == 1 ? toe::Policy::kAsk
                             : toe::Policy::kDeny;
  return out;
}

toe::FromHost pass_accept(const Reader& in) {
  const std::uint32_t low = in.word(20);
  const bool accept = opt0l::kStatus.get(low) == 0;  // CPL_PASS_OPEN_ACCEPT
  return toe::PassAcceptReply{in.tid(), accept, options(in.word(16), low)};
}

toe::FromHost l2t_write(const Reader& in) {
  const std::uint32_t params = in.word(4);
  const std::uint32_t vlan = l2t::kVlan.get(params);
  toe::L2tWrite out;
  out.index = static_cast<std::uint16_t>(l2t::kIndex.get(params));
  out.station.address = in.bytes<6>(10);
  out.station.tagged = vlan != l2t::kNoVlan;
  if (out.station.tagged)
    out.station.vlan = static_cast<std::uint16_t>(l2t::kPriority.get(params) << 13U | vlan);
  return out;
}

toe::FromHost take_request(const Reader& in) {
  toe::TakeRequest out;
  out.atid = in.tid();
  out.ends = ends(in);
  out.options = options(in.word(16), in.word(20));
  out.first.iss = in.word(24);
  out.first.irs = in.word(28);
  tcp::Agreement& agreed = out.first.agreed;
  agreed.mss = in.half(32);
  agreed.own_mss = in.half(34);
  const std::uint32_t flags = in.half(36);
  agreed.sack = take::kSack.get(flags) != 0;
  agreed.timestamps = take::kTimestamps.get(flags) != 0;
  agreed.own_shift = static_cast<std::uint8_t>(take::kOwnShift.get(flags));
  agreed.peer_shift = static_cast<std::uint8_t>(take::kPeerShift.get(flags));
  return out;
}

toe::FromHost take_context(const Reader& in) {
  toe::TakeContext out;
  out.tid = in.tid();
  ContextWords words{};
  std::uint32_t at = 4;
  for (std::uint32_t& word : words) {
    word = in.word(at);
    at += 4;
  }
  // Without iss and irs, which came with kTakeReq, positions are the numbers on the wire.
  from_words(words, out.context);
  return out;
}

/// The bytes of a message without its data; 0 for an unknown opcode.
std::uint32_t struct_bytes(Opcode opcode) {
  switch (opcode) {
    case Opcode::kPassOpenReq: return 32;
    case Opcode::kPassAcceptRpl: return 24;
    case Opcode::kActOpenReq: return 32;
    case Opcode::kCloseConReq:
    case Opcode::kCloseListsrvReq:
    case Opcode::kGetTcb:
    case Opcode::kRxDataAck:
    case Opcode::kL2tReadReq:
    case Opcode::kSmtReadReq: return 8;
    case Opcode::kAbortReq:
    case Opcode::kAbortRpl:
    case Opcode::kSetTcbField:
    case Opcode::kL2tWriteReq: return 16;
    case Opcode::kSmtWriteReq: return 24;
    case Opcode::kTakeReq: return kTakeBytes;
    case Opcode::kTakeContext: return kContextBytes;
    case Opcode::kReturnReq: return 8;
    case Opcode::kTxData: return kTxDataBytes + 1;
    default: return 0;
  }
}

}  // namespace

std::optional<toe::FromHost> request(Message&& message) {
  const Reader in(message);
  const auto opcode = static_cast<Opcode>(message.opcode());
  const std::uint32_t least = struct_bytes(opcode);
  if (least == 0 || in.size() < least) return std::nullopt;
  const toe::Tid tid = in.tid();
  switch (opcode) {
    case Opcode::kPassOpenReq: return pass_open(in);
    case Opcode::kPassAcceptRpl: return pass_accept(in);
    case Opcode::kActOpenReq:
      return toe::ActOpenRequest{tid, ends(in), options(in.word(16), in.word(20))};
    case Opcode::kCloseConReq: return toe::CloseRequest{tid};
    case Opcode::kCloseListsrvReq: return toe::CloseServerRequest{tid};
    case Opcode::kAbortReq: return toe::AbortRequest{tid, in.byte(9) != 1};  // CPL_ABORT_NO_RST
    case Opcode::kAbortRpl: return toe::AbortedReply{tid};
    case Opcode::kGetTcb: return toe::GetTcb{tid};
    case Opcode::kSetTcbField:
      return toe::SetTcbField{tid, static_cast<toe::TcbField>(in.byte(7)),
                              in.word(12) & in.word(8)};
    case Opcode::kRxDataAck: return toe::RxCredits{tid, kCredits.get(in.word(4))};
    case Opcode::kL2tWriteReq: return l2t_write(in);
    case Opcode::kL2tReadReq: return toe::L2tRead{in.byte(7)};
    case Opcode::kSmtWriteReq:
      return toe::SmtWrite{static_cast<std::uint8_t>(kInterface.get(in.byte(5))), in.bytes<6>(18)};
    case Opcode::kSmtReadReq:
      return toe::SmtRead{static_cast<std::uint8_t>(kInterface.get(in.byte(5)))};
    case Opcode::kTakeReq: return take_request(in);
    case Opcode::kTakeContext: return take_context(in);
    case Opcode::kReturnReq: return toe::ReturnRequest{tid};
    case Opcode::kTxData: {
      if (in.word(4) != in.size() - kTxDataBytes) return std::nullopt;
      const bool push = kShove.get(in.half(14)) != 0;
      return toe::TxData{tid, std::move(message.rest), push, kTxDataBytes - kHeadBytes};
    }
    default: return std::nullopt;
  }
}

}  // namespace longhaul::nic::terminator::cpl
