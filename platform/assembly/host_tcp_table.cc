// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/host_tcp_table.h"

#include <algorithm>

namespace longhaul::assembly {
namespace {

using observe::TcpState;

/// Numbers of include/net/tcp_states.h. 0 stands for states that are not in Linux' table of
/// established connections.
std::uint32_t number_of(tcp::State state) {
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

/// Numbers of enum tcp_ca_state in include/uapi/linux/tcp.h. In Linux, the test for a spurious
/// timeout is part of the state Loss.
std::uint32_t number_of(const tcp::Recovery& recovery) {
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

const host::TcpEndpoint* HostTcpTable::endpoint(std::uint64_t socket) const {
  const host::TcpEndpoint* const found =
      socket <= stack_.endpoint_slots() ? stack_.endpoint(socket - 1) : nullptr;
  return found != nullptr && number_of(found->connection().state()) != 0 ? found : nullptr;
}

void HostTcpTable::find(std::vector<std::uint64_t>& sockets) {
  sockets.clear();
  for (std::uint64_t handle = 1; handle <= stack_.endpoint_slots(); ++handle) {
    if (endpoint(handle) != nullptr) sockets.push_back(handle);
  }
}

bool HostTcpTable::ends(std::uint64_t socket, observe::TcpEnds& ends) const {
  const host::TcpEndpoint* const found = endpoint(socket);
  if (found == nullptr) return false;
  const tcp::Endpoints& own = found->ends();
  ends = {own.ipv6, own.source, own.destination, own.source_port, own.destination_port};
  return true;
}

bool HostTcpTable::state(std::uint64_t socket, TcpState& state) const {
  const host::TcpEndpoint* const found = endpoint(socket);
  if (found == nullptr) return false;
  const tcp::Connection& connection = found->connection();
  const tcp::Sender& sender = connection.sender();
  const tcp::Receiver& receiver = connection.receiver();
  const tcp::Scoreboard& board = sender.recovery().board();
  const std::uint64_t mss = sender.mss();
  const auto segments = [mss](std::uint64_t bytes) {
    constexpr std::uint64_t kInfinite = 0x7fffffff;  // TCP_INFINITE_SSTHRESH
    return static_cast<std::uint32_t>(std::min((bytes + mss - 1) / mss, kInfinite));
  };
  const tcp::Position promised = std::max(receiver.window().edge(), receiver.next());
  auto& values = state.values;
  values[TcpState::kSkState] = number_of(connection.state());
  values[TcpState::kCaState] = number_of(sender.recovery());
  values[TcpState::kSndUna] = tcp::to_wire(found->iss(), sender.una());
  values[TcpState::kSndNxt] = tcp::to_wire(found->iss(), sender.next());
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
  return true;
}

}  // namespace longhaul::assembly
