// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/linux_tcp_state.h"

#include <algorithm>

namespace longhaul::assembly {
namespace {

using observe::TcpState;

/// Numbers of enum tcp_ca_state in include/uapi/linux/tcp.h. In Linux, the test for a spurious
/// timeout is part of the state Loss.
std::uint32_t recovery_number(const tcp::Recovery& recovery) {
  constexpr std::uint32_t kOpen = 0, kDisorder = 1, kRecovery = 3, kLoss = 4;
  switch (recovery.phase()) {
    case tcp::Recovery::Phase::kOpen: return recovery.board().has_sacks() ? kDisorder : kOpen;
    case tcp::Recovery::Phase::kRecovery: return kRecovery;
    case tcp::Recovery::Phase::kFrto:
    case tcp::Recovery::Phase::kLoss: break;
  }
  return kLoss;
}

std::uint32_t in_us(std::uint64_t ps) { return static_cast<std::uint32_t>(ps / 1'000'000); }

}  // namespace

std::uint32_t linux_number(tcp::State state) {
  switch (state) {
    case tcp::State::kEstablished: return 1;
    case tcp::State::kSynSent: return 2;
    case tcp::State::kFinWait1: return 4;
    case tcp::State::kFinWait2: return 5;
    case tcp::State::kCloseWait: return 8;
    case tcp::State::kLastAck: return 9;
    case tcp::State::kClosing: return 11;
    case tcp::State::kClosed:
    case tcp::State::kListen:
    case tcp::State::kSynReceived:
    case tcp::State::kTimeWait: break;
  }
  return 0;
}

observe::TcpState linux_state(const tcp::Connection& connection, std::uint32_t iss) {
  const tcp::Sender& sender = connection.sender();
  const tcp::Receiver& receiver = connection.receiver();
  const tcp::Scoreboard& board = sender.recovery().board();
  const std::uint64_t mss = sender.mss();
  const auto segments = [mss](std::uint64_t bytes) {
    constexpr std::uint64_t kInfinite = 0x7fffffff;  // TCP_INFINITE_SSTHRESH
    return static_cast<std::uint32_t>(std::min((bytes + mss - 1) / mss, kInfinite));
  };
  const tcp::Position promised = std::max(receiver.window().edge(), receiver.next());
  TcpState state;
  auto& values = state.values;
  values[TcpState::kSkState] = linux_number(connection.state());
  values[TcpState::kCaState] = recovery_number(sender.recovery());
  values[TcpState::kSndUna] = tcp::to_wire(iss, sender.una());
  values[TcpState::kSndNxt] = tcp::to_wire(iss, sender.next());
  values[TcpState::kRcvNxt] = tcp::to_wire(receiver.irs(), receiver.next());
  values[TcpState::kSndWnd] =
      static_cast<std::uint32_t>(sender.window() + sender.next() - sender.una());
  values[TcpState::kRcvWnd] = static_cast<std::uint32_t>(promised - receiver.next());
  values[TcpState::kCwnd] = static_cast<std::uint32_t>(sender.control().cwnd() / mss);
  values[TcpState::kSsthresh] =
      segments(std::min<std::uint64_t>(sender.control().ssthresh(), ~std::uint64_t{0} - mss));
  values[TcpState::kSrttUs] = in_us(sender.rtt().srtt());
  values[TcpState::kRtoUs] = in_us(sender.rtt().rto());
  values[TcpState::kBackoff] = sender.rtt().backed_off();
  values[TcpState::kPacketsOut] = segments(sender.next() - sender.una());
  values[TcpState::kSackedOut] = segments(board.sacked_bytes());
  values[TcpState::kLostOut] = segments(board.lost_bytes());
  values[TcpState::kRetransOut] = segments(board.retransmitted_bytes());
  values[TcpState::kTotalRetrans] =
      static_cast<std::uint32_t>(connection.stats().retransmitted_segments);
  return state;
}

}  // namespace longhaul::assembly
