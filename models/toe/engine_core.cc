// SPDX-License-Identifier: Apache-2.0
#include "models/toe/engine_core.h"

#include <algorithm>
#include <utility>

namespace longhaul::toe {
namespace {

std::uint32_t connection_entries(const ToeParams& params) {
  const std::uint32_t others = params.tcam_servers() + params.tcam_routes();
  if (params.tcam_entries() > others) return params.tcam_entries() - others;
  throw ConfigError("toe: tcam_entries must exceed tcam_servers + tcam_routes (" +
                    std::to_string(others) + ")");
}

tcp::Reduction reduction(const T1Params& t1, const std::string& where, tcp::Reduction reno) {
  if (t1.on_loss() == "reno") return reno;
  if (t1.on_loss() == "tahoe") return tcp::Reduction::kTahoe;
  if (t1.on_loss() == "none") return tcp::Reduction::kNone;
  fail_unknown_name("on_loss", t1.on_loss(), t1.on_loss.choices, where);
}

/// The payload of a connection, in payload memory.
struct StoredPayload final : tcp::PayloadSource {
  StoredPayload(const PayloadMemory& from, const PayloadStream& which)
      : memory(from), stream(which) {}
  void fill(std::uint64_t offset, std::uint8_t* out, std::uint32_t length) override {
    memory.read(stream, offset, out, length);
  }
  const PayloadMemory& memory;
  const PayloadStream& stream;
};

}  // namespace

EngineCore::EngineCore(const ToeParams& params, const tcp::TcpParams& tcp, const T1Params& t1,
                       const std::string& where, const std::function<void()>& due)
    : tcam(connection_entries(params), params.tcam_servers()),
      contexts(params),
      payload_memory(params, contexts),
      stations(params.l2t_entries(), params.smt_entries(), params.mtu_entries()),
      tx(params.tx_fifo(), params.tx_reserved(), params.fifo_frames()),
      params_(params),
      config_(tcp::resolve(tcp, where)),
      fin_wait2_ps_(to_ps(t1.fin_wait2())),
      tcbs_(connection_entries(params)),
      epochs_(connection_entries(params), 0),
      timers_(due) {
  config_.keepalive_idle = 0;
  config_.reduction = reduction(t1, where, config_.reduction);
  keepalive_config_ = config_;
  keepalive_config_.keepalive_idle = to_ps(t1.keepalive_idle());
}

EngineCore::~EngineCore() = default;

// --- Connections ---------------------------------------------------------------------------------

Tcb* EngineCore::at(Tid tid, std::uint32_t epoch) const {
  Tcb* const tcb = at(tid);
  return tcb != nullptr && tcb->epoch() == epoch ? tcb : nullptr;
}

Tcb* EngineCore::enter(const Ends& ends, bool active, std::uint32_t opener, Error& error) {
  error = Error::kNone;
  if (tcam.find(ends)) {
    error = Error::kInUse;
  } else if (tcam.full()) {
    error = Error::kTableFull;
    probes.table_full.add();
  } else if (!contexts.take()) {
    error = Error::kNoMemory;
    probes.no_memory.add();
  }
  if (error != Error::kNone) return nullptr;
  probes.opened.add();
  const Tid tid = *tcam.insert(ends);
  tids_ = std::max(tids_, tid + 1);
  tcbs_[tid] = std::make_unique<Tcb>(*this, tid, ++epochs_[tid], ends, active, opener);
  return tcbs_[tid].get();
}

void EngineCore::release(Tid tid) {
  tcbs_[tid].reset();
  tcam.forget(tid);
  contexts.give_back(tid);
  probes.released.add();
  parting_.push_back({tid, replies.posted()});
  free_tids();
}

void EngineCore::free_tids() {
  while (!parting_.empty() && parting_.front().last_message <= replies.delivered())
    tcam.free(parting_.pop_front().tid);
}

void EngineCore::release_if_over(const Tcb& tcb) {
  if (tcb.life() == Tcb::Life::kOver) release(tcb.tid());
}

void EngineCore::reset() {
  for (const std::unique_ptr<Tcb>& tcb : tcbs_) {
    if (tcb) release(tcb->tid());
  }
  tcam.clear_servers();
  tokens_.clear();
  replies.clear();
  free_tids();
  tx.clear();
}

Error EngineCore::check(const ConnectionOptions& options) const {
  if (stations.mtu(options.mtu_index) == 0 || options.receive_buffer == 0)
    return Error::kBadRequest;
  if (stations.next(options.l2t_index) == nullptr || stations.source(options.smt_index) == nullptr)
    return Error::kNoStation;
  return Error::kNone;
}

tcp::Opening EngineCore::opening(const Ends& ends, const ConnectionOptions& options) const {
  // RFC 9293, 3.4.1: a clock of 4 us, and a function of the ends.
  constexpr std::uint64_t kTick = 4'000'000;   // ps
  constexpr std::uint32_t kHeaders = 20 + 20;  // IPv4 and TCP, without options
  tcp::Opening opening;
  opening.iss = static_cast<std::uint32_t>(now_ps() / kTick + Tcam::hash(ends));
  opening.mss = static_cast<std::uint16_t>(stations.mtu(options.mtu_index) - kHeaders);
  return opening;
}

// --- An event's work -----------------------------------------------------------------------------

void EngineCore::begin(std::uint64_t serial) {
  replies.order.begins(serial, replies.posted());
  tx.order.begins(serial, tx.pushed());
}

EventClocks EngineCore::end() {
  replies.order.filled(replies.posted());
  tx.order.filled(tx.pushed());
  return std::exchange(clocks_, {});
}

// --- Sending -------------------------------------------------------------------------------------

void EngineCore::push(FrameRef frame) {
  tx.push(std::move(frame));
  probes.tx_segments.add();
}

void EngineCore::send(Tcb& tcb, const tcp::Segment& segment) {
  Envelope envelope;
  envelope.next = stations.next(tcb.options().l2t_index);
  envelope.source = stations.source(tcb.options().smt_index);
  if (envelope.next == nullptr || envelope.source == nullptr) return probes.no_station.add();
  envelope.tos = tcb.options().tos;
  envelope.identification = ++identification_;
  StoredPayload source(payload_memory, tcb.tx());
  const bool blank = payload_memory.is_blank(tcb.tx(), segment.offset, segment.length);
  if (segment.has(tcp::kRst)) tcp_counts.resets_sent.add();
  spend(params_.segment_clocks());
  spend_payload(segment.length);
  push(build(segment, tcb.ends(), envelope, source, blank));
}

std::uint32_t EngineCore::room_for_segments(std::uint32_t bytes) const {
  // Headers with a tag and all options.
  constexpr std::uint32_t kMostHeaders = ethernet::kHeaderBytes + 4 + 20 + 60;
  return tx.room_for(bytes + kMostHeaders);
}

void EngineCore::refuse(const tcp::Segment& syn, const Ends& ends, const Origin& origin) {
  const NextStation next{origin.source, origin.tagged, origin.vlan};
  Envelope envelope;
  envelope.next = &next;
  envelope.source = &origin.destination;
  envelope.identification = ++identification_;
  tcp::NoPayload nothing;
  tcp_counts.resets_sent.add();
  spend(params_.segment_clocks());
  push(build(tcp::reset_for(syn), ends, envelope, nothing, false));
}

// --- Tokens and timers ---------------------------------------------------------------------------

bool EngineCore::token_waits() {
  while (!tokens_.empty()) {
    const Tcb* const tcb = at(tokens_.front().tid, tokens_.front().epoch);
    if (tcb != nullptr && tcb->wants_events()) return true;
    tokens_.pop_front();
  }
  return false;
}

bool EngineCore::timer_waits() {
  while (timers_.any_due()) {
    const TimerList::Entry& entry = timers_.first();
    const Tcb* const tcb = at(entry.tid, entry.epoch);
    if (tcb != nullptr && tcb->wants_events() && tcb->is_request(entry.kind, entry.order))
      return true;
    timers_.take_due();
  }
  return false;
}

void EngineCore::run_token() {
  spend(params_.modulation_clocks());
  const Token token = tokens_.pop_front();
  Tcb& tcb = *at(token.tid);
  work_on(tcb);
  tcb.modulate();
  release_if_over(tcb);
}

void EngineCore::run_timer() {
  spend(params_.timer_clocks());
  const TimerList::Entry entry = *timers_.take_due();
  Tcb& tcb = *at(entry.tid);
  work_on(tcb);
  tcb.on_timer(entry.kind);
  release_if_over(tcb);
}

}  // namespace longhaul::toe
