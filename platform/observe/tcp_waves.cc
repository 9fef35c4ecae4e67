// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/tcp_waves.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/common/units.h"

namespace longhaul::observe {
namespace {

/// Simulated time between searches for new sockets. After a SYN, each exchange also searches for a
/// while.
constexpr std::uint64_t kLookEveryPs = 1'000'000'000;
constexpr std::uint64_t kEagerForPs = 200'000'000;
// Of include/net/tcp_states.h.
constexpr std::uint32_t kTcpSynSent = 2, kTcpSynReceived = 3, kTcpClosed = 7;

struct Row {
  const char* name;
  TcpState::Field field;
  std::uint32_t width;
  WaveShow show;
};

constexpr Row kRows[] = {{"state", TcpState::kSkState, 4, WaveShow::kStates},
                         {"ca_state", TcpState::kCaState, 3, WaveShow::kStates},
                         {"cwnd", TcpState::kCwnd, 32, WaveShow::kPlot},
                         {"ssthresh", TcpState::kSsthresh, 32, WaveShow::kUnsigned},
                         {"snd_una", TcpState::kSndUna, 32, WaveShow::kUnsigned},
                         {"snd_nxt", TcpState::kSndNxt, 32, WaveShow::kUnsigned},
                         {"rcv_nxt", TcpState::kRcvNxt, 32, WaveShow::kUnsigned},
                         {"snd_wnd", TcpState::kSndWnd, 32, WaveShow::kUnsigned},
                         {"rcv_wnd", TcpState::kRcvWnd, 32, WaveShow::kUnsigned},
                         {"srtt_us", TcpState::kSrttUs, 32, WaveShow::kUnsigned},
                         {"rto_us", TcpState::kRtoUs, 32, WaveShow::kUnsigned},
                         {"backoff", TcpState::kBackoff, 8, WaveShow::kUnsigned},
                         {"packets_out", TcpState::kPacketsOut, 32, WaveShow::kUnsigned},
                         {"sacked_out", TcpState::kSackedOut, 32, WaveShow::kUnsigned},
                         {"lost_out", TcpState::kLostOut, 32, WaveShow::kUnsigned},
                         {"retrans_out", TcpState::kRetransOut, 32, WaveShow::kUnsigned},
                         {"total_retrans", TcpState::kTotalRetrans, 32, WaveShow::kUnsigned}};
static_assert(std::size(kRows) == TcpState::kFields);

FlowKey sent_flow(const TcpEnds& e) {
  return flow_key(e.local, e.local_port, e.remote, e.remote_port);
}
FlowKey received_flow(const TcpEnds& e) {
  return flow_key(e.remote, e.remote_port, e.local, e.local_port);
}

/// The names of include/net/tcp_states.h and of enum tcp_ca_state in include/uapi/linux/tcp.h.
WaveStates names_of(TcpState::Field field) {
  if (field == TcpState::kCaState)
    return {{0, "Open"}, {1, "Disorder"}, {2, "CWR"}, {3, "Recovery"}, {4, "Loss"}};
  return {{1, "ESTABLISHED"}, {2, "SYN_SENT"},  {3, "SYN_RECV"}, {4, "FIN_WAIT1"},
          {5, "FIN_WAIT2"},   {6, "TIME_WAIT"}, {7, "CLOSE"},    {8, "CLOSE_WAIT"},
          {9, "LAST_ACK"},    {10, "LISTEN"},   {11, "CLOSING"}, {12, "NEW_SYN_RECV"}};
}

}  // namespace

TcpWaves::TcpWaves(const WaveScope& scope, std::string name, std::unique_ptr<TcpTable> sockets,
                   const SequenceOrigins& origins, const LossBook& losses)
    : scope_(scope),
      file_(scope.file()),
      name_(std::move(name)),
      sockets_(std::move(sockets)),
      origins_(origins),
      losses_(losses) {
  file_.add_source(*this);
}

void TcpWaves::watch(FrameTap& received, FrameTap& sent) {
  taps_.push_back(&received);
  taps_.push_back(&sent);
}

void TcpWaves::waves_begin() {
  listening_ = true;
  for (FrameTap* tap : taps_) tap->listen(this);
}

void TcpWaves::waves_end() {
  listening_ = false;
  for (FrameTap* tap : taps_) tap->ignore(this);
}

void TcpWaves::on_step() {
  const std::uint64_t now = now_ps();
  if (!listening_ || !file_.records(now)) return;
  if (now >= next_look_ps_ || now < eager_until_ps_) look_for_sockets();
  for (const auto& connection : connections_) sample(*connection);
  connections_.erase(std::remove_if(connections_.begin(), connections_.end(),
                                    [](const auto& connection) { return connection->socket == 0; }),
                     connections_.end());
}

void TcpWaves::look_for_sockets() {
  next_look_ps_ = now_ps() + kLookEveryPs;
  sockets_->find(found_);
  for (const std::uint64_t socket : found_) {
    const bool known =
        std::any_of(connections_.begin(), connections_.end(),
                    [socket](const auto& connection) { return connection->socket == socket; });
    TcpEnds ends;
    if (!known && sockets_->ends(socket, ends)) {
      open(socket, ends);
      eager_until_ps_ = 0;
    }
  }
}

void TcpWaves::open(std::uint64_t socket, const TcpEnds& ends) {
  auto connection = std::make_unique<Connection>();
  connection->socket = socket;
  connection->ends = ends;
  const WaveScope scope = scope_.scope(fmt::format("c{}_{}", seen_++, ends.remote_text()));
  for (const Row& row : kRows) {
    connection->waves[row.field] = row.show == WaveShow::kStates
                                       ? scope.add_states(row.name, row.width, names_of(row.field))
                                       : scope.add_bits(row.name, row.width, row.show);
    if (row.field != TcpState::kCaState) continue;
    connection->retransmit = scope.add_event("retransmit");
    connection->duplicate_ack = scope.add_event("dup_ack");
  }
  const std::vector<TcpRow> own = sockets_->own_rows();
  for (std::size_t i = 0; i < own.size(); ++i) {
    connection->own.at(i) = own[i].names.empty()
                                ? scope.add_bits(own[i].name, own[i].width, WaveShow::kUnsigned)
                                : scope.add_states(own[i].name, own[i].width, own[i].names);
  }
  connection->own_rows = own.size();
  connection->iss = scope.add_bits("iss", 32, WaveShow::kUnsigned);
  connection->irs = scope.add_bits("irs", 32, WaveShow::kUnsigned);
  connections_.push_back(std::move(connection));
}

void TcpWaves::sample(Connection& connection) {
  TcpEnds ends;
  TcpState state;
  const bool lives = sockets_->ends(connection.socket, ends) && ends == connection.ends &&
                     sockets_->state(connection.socket, state) &&
                     state.values[TcpState::kSkState] != kTcpClosed;
  if (!lives) {
    // The socket's memory will soon be free or belong to another socket.
    connection.waves[TcpState::kSkState].set(kTcpClosed);
    connection.socket = 0;
    return;
  }
  const bool all = find_origins(connection, state) || !connection.traced;
  if (!all && state.values == connection.state.values && state.own == connection.state.own) return;
  for (std::size_t i = 0; i < TcpState::kFields; ++i) {
    if (all || state.values[i] != connection.state.values[i])
      trace(connection, static_cast<TcpState::Field>(i), state.values[i]);
  }
  for (std::size_t i = 0; i < connection.own_rows; ++i) {
    if (all || state.own.at(i) != connection.state.own.at(i))
      connection.own.at(i).set(state.own.at(i));
  }
  const std::uint32_t sent_again = state.values[TcpState::kTotalRetrans];
  if (connection.traced && sent_again != connection.state.values[TcpState::kTotalRetrans])
    retransmitted(connection, state);
  connection.state = state;
  connection.traced = true;
}

/// Returns true if the origins have just become known. After the handshake, both SYNs have passed.
bool TcpWaves::find_origins(Connection& connection, const TcpState& state) const {
  const std::uint32_t now = state.values[TcpState::kSkState];
  if (connection.sent_origin || now == kTcpSynSent || now == kTcpSynReceived) return false;
  connection.sent_origin = origins_.of(sent_flow(connection.ends)).value_or(0);
  connection.received_origin = origins_.of(received_flow(connection.ends)).value_or(0);
  connection.iss.set(*connection.sent_origin);
  connection.irs.set(*connection.received_origin);
  return true;
}

void TcpWaves::trace(const Connection& connection, TcpState::Field field,
                     std::uint32_t value) const {
  if (field == TcpState::kSndUna || field == TcpState::kSndNxt || field == TcpState::kRcvNxt) {
    const std::optional<std::uint32_t>& origin =
        field == TcpState::kRcvNxt ? connection.received_origin : connection.sent_origin;
    if (!origin) return;
    value -= *origin;
  }
  connection.waves[field].set(value);
}

void TcpWaves::retransmitted(const Connection& connection, const TcpState& state) {
  connection.retransmit.pulse_at(now_ps());
  if (!trigger_retransmit_ || !file_.waits_for_trigger()) return;
  file_.trigger(fmt::format("{} retransmits to {}", name_, sent_flow(connection.ends).to()));
  if (file_.waits_for_trigger()) return;  // the window is not open yet
  file_.show_cause(connection.retransmit);
  file_.show_cause(connection.waves[TcpState::kCaState]);
  file_.show_cause(connection.waves[TcpState::kCwnd]);
  repaired_ = losses_.last_loss(sent_flow(connection.ends), state.values[TcpState::kSndUna], 1);
  if (repaired_) file_.mark_cause(repaired_->ps, *repaired_->place);
}

void TcpWaves::on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                        const char* why) {
  if (fate == FrameFate::kDropped) return;
  const std::optional<TcpSegment> segment = tcp_segment(*frame);
  if (!segment) return;
  if ((segment->flags & TcpSegment::kSyn) != 0) eager_until_ps_ = now_ps() + kEagerForPs;
  if (fate == FrameFate::kSent) {
    duplicates_.sent(*segment);
    return;
  }
  if (!duplicates_.received(*segment)) return;
  for (const auto& connection : connections_) {
    const TcpEnds& ends = connection->ends;
    if (ends.local_port == segment->destination_port && ends.remote_port == segment->source_port &&
        ends.remote == segment->source) {
      connection->duplicate_ack.pulse_at(now_ps());
    }
  }
}

}  // namespace longhaul::observe
