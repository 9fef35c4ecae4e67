// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/offload/cpl_messages.h"

#include <algorithm>

namespace longhaul::host::chelsio {
namespace {

namespace cpl = nic::terminator::cpl;

CplMessage begin(Opcode opcode, std::uint32_t tid, std::uint32_t size) {
  CplMessage message;
  message.size = size;
  write_be32(message.bytes.data(),
             cpl::kOpcodeField.put(static_cast<std::uint32_t>(opcode)) | cpl::kTidField.put(tid));
  return message;
}

void put(CplMessage& message, std::uint32_t at, std::uint32_t value) {
  write_be32(&message.bytes.at(at), value);
}

template <class From>
void put_bytes(CplMessage& message, std::uint32_t at, const From& from, std::uint32_t count) {
  std::copy_n(from.begin(), count, message.bytes.begin() + at);
}

/// The shift with which a window of so many bytes is told.
std::uint32_t window_scale(std::uint64_t window) {
  constexpr std::uint32_t kMost = 14;
  std::uint32_t scale = 0;
  while (scale < kMost && 65535ULL << scale < window) ++scale;
  return scale;
}

void put_options(CplMessage& message, const CplConnection& settings) {
  const std::uint64_t window = std::min(settings.options.window, kLargestOpt0Window);
  put(message, 16,
      cpl::opt0h::kL2tIndex.put(settings.station) |
          cpl::opt0h::kNagle.put(settings.options.nodelay ? 0 : 1) |
          cpl::opt0h::kWindowScale.put(window_scale(settings.options.window)));
  put(message, 20, cpl::opt0l::kBuffer.put(static_cast<std::uint32_t>(window >> 10U)));
}

}  // namespace

tcp::Endpoints CplMessage::ends() const {
  tcp::Endpoints ends;
  ends.source_port = half(4);
  ends.destination_port = half(6);
  std::copy_n(bytes.begin() + 8, 4, ends.source.begin());
  std::copy_n(bytes.begin() + 12, 4, ends.destination.begin());
  return ends;
}

std::uint32_t least_bytes(Opcode opcode) {
  switch (opcode) {
    case Opcode::kActOpenRpl:
    case Opcode::kPassOpenRpl:
    case Opcode::kTakeRpl: return 24;
    case Opcode::kActEstablish:
    case Opcode::kPassEstablish: return 32;
    case Opcode::kPassAcceptReq: return 48;
    case Opcode::kAbortReq:
    case Opcode::kAbortRpl:
    case Opcode::kCloseConRpl:
    case Opcode::kRxData: return 16;
    case Opcode::kPeerClose:
    case Opcode::kReturned:
    case Opcode::kTxDataAck: return 8;
    default: return 0;
  }
}

CplMessage l2t_write(std::uint32_t index, const MacAddress& station) {
  CplMessage message = begin(Opcode::kL2tWriteReq, index, 16);
  put(message, 4, cpl::l2t::kIndex.put(index) | cpl::l2t::kVlan.put(cpl::l2t::kNoVlan));
  put_bytes(message, 10, station, 6);
  return message;
}

CplMessage smt_write(const MacAddress& source) {
  CplMessage message = begin(Opcode::kSmtWriteReq, 0, 24);
  put_bytes(message, 12, source, 6);
  put_bytes(message, 18, source, 6);
  return message;
}

CplMessage act_open(std::uint32_t atid, const tcp::Endpoints& ends, const CplConnection& settings) {
  CplMessage message = begin(Opcode::kActOpenReq, atid, 32);
  put(message, 4, std::uint32_t{ends.source_port} << 16U | ends.destination_port);
  put_bytes(message, 8, ends.source, 4);
  put_bytes(message, 12, ends.destination, 4);
  put_options(message, settings);
  return message;
}

CplMessage pass_open(std::uint32_t stid, std::uint16_t port) {
  constexpr std::uint32_t kAsk = 1;  // CPL_CONN_POLICY_ASK
  CplMessage message = begin(Opcode::kPassOpenReq, stid, 32);
  put(message, 4, std::uint32_t{port} << 16U);
  put(message, 28, cpl::kConnPolicy.put(kAsk));
  return message;
}

CplMessage close_server(std::uint32_t stid) { return begin(Opcode::kCloseListsrvReq, stid, 8); }

CplMessage pass_accept(std::uint32_t tid, const HostBytes& peer, const CplConnection& settings) {
  CplMessage message = begin(Opcode::kPassAcceptRpl, tid, 24);
  put_bytes(message, 8, peer, 4);
  put_options(message, settings);
  return message;
}

CplMessage pass_reject(std::uint32_t tid, const HostBytes& peer) {
  constexpr std::uint32_t kReject = 1;  // CPL_PASS_OPEN_REJECT
  CplMessage message = begin(Opcode::kPassAcceptRpl, tid, 24);
  put_bytes(message, 8, peer, 4);
  put(message, 20, cpl::opt0l::kStatus.put(kReject));
  return message;
}

CplMessage close_connection(std::uint32_t tid) { return begin(Opcode::kCloseConReq, tid, 8); }
CplMessage abort_request(std::uint32_t tid) { return begin(Opcode::kAbortReq, tid, 16); }
CplMessage abort_reply(std::uint32_t tid) { return begin(Opcode::kAbortRpl, tid, 16); }

CplMessage credits(std::uint32_t tid, std::uint32_t bytes) {
  CplMessage message = begin(Opcode::kRxDataAck, tid, 8);
  put(message, 4, cpl::kCredits.put(bytes));
  return message;
}

CplMessage set_window(std::uint32_t tid, std::uint64_t bytes) {
  CplMessage message = begin(Opcode::kSetTcbField, tid, 16);
  message.bytes[7] = cpl::kTcbReceiveBuffer;
  put(message, 8, ~0U);
  put(message, 12, static_cast<std::uint32_t>(bytes));
  return message;
}

CplMessage take_request(std::uint32_t atid, const tcp::Endpoints& ends,
                        const CplConnection& settings, const tcp::Context& first) {
  CplMessage message = act_open(atid, ends, settings);
  write_be32(message.bytes.data(),
             cpl::kOpcodeField.put(static_cast<std::uint32_t>(Opcode::kTakeReq)) |
                 cpl::kTidField.put(atid));
  message.size = cpl::kTakeBytes;
  const tcp::Agreement& agreed = first.agreed;
  put(message, 24, first.iss);
  put(message, 28, first.irs);
  put(message, 32, agreed.mss << 16U | agreed.own_mss);
  put(message, 36,
      (cpl::take::kSack.put(agreed.sack ? 1 : 0) |
       cpl::take::kTimestamps.put(agreed.timestamps ? 1 : 0) |
       cpl::take::kOwnShift.put(agreed.own_shift) | cpl::take::kPeerShift.put(agreed.peer_shift))
          << 16U);
  return message;
}

CplMessage take_context(std::uint32_t tid, const tcp::Context& context) {
  CplMessage message = begin(Opcode::kTakeContext, tid, cpl::kContextBytes);
  std::uint32_t at = 4;
  for (const std::uint32_t word : cpl::to_words(context)) {
    put(message, at, word);
    at += 4;
  }
  return message;
}

CplMessage return_request(std::uint32_t tid) { return begin(Opcode::kReturnReq, tid, 8); }

tcp::Context context_in(const CplMessage& message, const tcp::Context& known) {
  cpl::ContextWords words{};
  std::uint32_t at = 4;
  for (std::uint32_t& word : words) {
    word = message.word(at);
    at += 4;
  }
  tcp::Context context = known;
  cpl::from_words(words, context);
  return context;
}

CplMessage tx_data(std::uint32_t tid, std::uint32_t bytes, bool push) {
  CplMessage message = begin(Opcode::kTxData, tid, cpl::kTxDataBytes);
  put(message, 4, bytes);
  put(message, 12, cpl::kShove.put(push ? 1 : 0));
  return message;
}

}  // namespace longhaul::host::chelsio
