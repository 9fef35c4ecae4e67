// SPDX-License-Identifier: Apache-2.0
// Construction, connections, and what the pipeline asks for; engine_receive.cc and
// engine_messages.cc have the events of the wire and of the host.
#include "models/toe/offload_engine.h"

#include <algorithm>
#include <utility>

namespace longhaul::toe {
namespace {

constexpr std::uint32_t kGranule = 8;  // bytes of a word in the FIFOs
constexpr std::uint32_t kTaggedHeader = ethernet::kHeaderBytes + 4;
constexpr std::uint32_t kHeaders = 20 + 20;  // IPv4 and TCP, without options
constexpr std::uint16_t kLeastMtu = 68;      // RFC 791
constexpr std::uint16_t kMostMtu = 16114;

std::uint32_t connection_entries(const ToeParams& params) {
  const std::uint32_t others = params.tcam_servers() + params.tcam_routes();
  if (params.tcam_entries() > others) return params.tcam_entries() - others;
  throw ConfigError("toe: tcam_entries must exceed tcam_servers + tcam_routes (" +
                    std::to_string(others) + ")");
}

}  // namespace

OffloadEngine::OffloadEngine(const sc_core::sc_module_name& name, const ToeParams& params,
                             const tcp::TcpParams& tcp, const T1Params& t1, HostSide& host,
                             WireSide& wire)
    : sc_module(name),
      params_(params),
      config_(tcp::resolve(tcp, this->name())),
      fin_wait2_ps_(to_ps(t1.fin_wait2())),
      host_(host),
      wire_(wire),
      tcam_(connection_entries(params), params.tcam_servers()),
      contexts_(params_),
      payload_(params_, contexts_),
      stations_(params.l2t_entries(), params.smt_entries(), params.mtu_entries()),
      tcbs_(connection_entries(params)),
      epochs_(connection_entries(params), 0),
      timers_([this] { pipeline_.kick(); }),
      rx_fifo_("rx_fifo", params.rx_fifo(), kGranule, params.fifo_frames()),
      tx_fifo_("tx_fifo", params.tx_fifo(), kGranule, params.fifo_frames()),
      pipeline_("pipeline", params_, *this) {
  config_.keepalive_idle = 0;
  if (t1.tahoe()) config_.reduction = tcp::Reduction::kTahoe;
  keepalive_config_ = config_;
  keepalive_config_.keepalive_idle = to_ps(t1.keepalive_idle());
  for (Tid tid = 0; tid < std::min<std::size_t>(params.watched(), tcbs_.size()); ++tid) {
    watched_.push_back(std::make_unique<TcbProbes>(("tcb" + std::to_string(tid)).c_str(),
                                                   [this, tid] { return fields(tid); }));
  }
}

OffloadEngine::~OffloadEngine() = default;

bool OffloadEngine::set_mtu(std::uint32_t index, std::uint16_t bytes) {
  if (bytes < kLeastMtu || bytes > kMostMtu || !stations_.set_mtu(index, bytes)) return false;
  largest_frame_ = std::max<std::uint32_t>(largest_frame_, bytes + kTaggedHeader);
  return true;
}

void OffloadEngine::reset() {
  for (std::unique_ptr<Tcb>& tcb : tcbs_) {
    if (!tcb) continue;
    const Tid tid = tcb->tid();
    tcb.reset();
    tcam_.erase(tid);
    contexts_.give_back(tid);
    probes.released.add();
  }
  tcam_.clear_servers();
  tokens_.clear();
  for (RingBuffer<FromHost>& queue : messages_) queue.clear();
  replies_.clear();
  ready_replies_ = 0;
  rx_fifo_.clear();
  tx_fifo_.clear();
  ready_frames_ = 0;
  wire_.fill_changed(0);
  pipeline_.kick();
}

// --- Connections ---------------------------------------------------------------------------------

Tcb* OffloadEngine::at(Tid tid, std::uint32_t epoch) const {
  if (tid >= tcbs_.size() || !tcbs_[tid] || tcbs_[tid]->epoch() != epoch) return nullptr;
  return tcbs_[tid].get();
}

std::optional<TcbFields> OffloadEngine::fields(Tid tid) const {
  if (tid >= tcbs_.size() || !tcbs_[tid]) return std::nullopt;
  return tcbs_[tid]->fields();
}

std::optional<Tid> OffloadEngine::enter(const Ends& ends, Error& error) {
  error = Error::kNone;
  if (tcam_.find(ends)) {
    error = Error::kInUse;
  } else if (tcam_.full()) {
    error = Error::kTableFull;
    probes.table_full.add();
  } else if (!contexts_.take()) {
    error = Error::kNoMemory;
    probes.no_memory.add();
  }
  if (error != Error::kNone) return std::nullopt;
  probes.opened.add();
  return tcam_.insert(ends);
}

Tcb& OffloadEngine::make(Tid tid, const Ends& ends, bool active, std::uint32_t opener) {
  tcbs_[tid] = std::make_unique<Tcb>(static_cast<TcbOwner&>(*this), tid, ++epochs_[tid], ends,
                                     active, opener);
  return *tcbs_[tid];
}

void OffloadEngine::release_if_over(Tcb& tcb) {
  if (tcb.life() != Tcb::Life::kOver) return;
  const Tid tid = tcb.tid();
  tcbs_[tid].reset();
  tcam_.erase(tid);
  contexts_.give_back(tid);
  probes.released.add();
}

Error OffloadEngine::check(const ConnectionOptions& options) const {
  if (stations_.mtu(options.mtu_index) == 0 || options.receive_buffer == 0)
    return Error::kBadRequest;
  if (stations_.next(options.l2t_index) == nullptr ||
      stations_.source(options.smt_index) == nullptr)
    return Error::kNoStation;
  return Error::kNone;
}

tcp::Opening OffloadEngine::opening(const Ends& ends, const ConnectionOptions& options) const {
  // RFC 9293, 3.4.1: a clock of 4 us, and a function of the ends.
  constexpr std::uint64_t kTick = 4'000'000;  // ps
  tcp::Opening opening;
  opening.iss = static_cast<std::uint32_t>(now_ps() / kTick + Tcam::hash(ends));
  opening.mss = static_cast<std::uint16_t>(stations_.mtu(options.mtu_index) - kHeaders);
  return opening;
}

// --- Frames --------------------------------------------------------------------------------------

void OffloadEngine::push_frame(FrameRef frame) {
  tx_fifo_.reserve(frame->size());
  tx_fifo_.push(std::move(frame));
  probes.tx_segments.add();
}

void OffloadEngine::send(Tcb& tcb, const tcp::Segment& segment) {
  Envelope envelope;
  envelope.next = stations_.next(tcb.options().l2t_index);
  envelope.source = stations_.source(tcb.options().smt_index);
  if (envelope.next == nullptr || envelope.source == nullptr) return probes.no_station.add();
  envelope.tos = tcb.options().tos;
  envelope.identification = ++identification_;
  struct Source final : tcp::PayloadSource {
    Source(const PayloadMemory& from, const PayloadStream& which) : memory(from), stream(which) {}
    void fill(std::uint64_t offset, std::uint8_t* out, std::uint32_t length) override {
      memory.read(stream, offset, out, length);
    }
    const PayloadMemory& memory;
    const PayloadStream& stream;
  } source(payload_, tcb.tx());
  const bool blank = payload_.is_blank(tcb.tx(), segment.offset, segment.length);
  clocks_ += params_.segment_clocks() + payload_.clocks(segment.length);
  push_frame(build(segment, tcb.ends(), envelope, source, blank));
}

std::uint32_t OffloadEngine::room_for_segments(std::uint32_t bytes) const {
  const std::uint64_t room =
      tx_fifo_.capacity() - std::min(tx_fifo_.capacity(), tx_fifo_.fill.value() + kControlBytes);
  // Options take at most 40 bytes of a segment's payload, so a segment is no longer than this.
  const std::uint64_t each = tx_fifo_.footprint(bytes + kHeaders + kTaggedHeader + 40);
  const std::uint32_t places = params_.fifo_frames() - tx_fifo_.size();
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(room / each, places - std::min(places, kEventFrames)));
}

bool OffloadEngine::send(const FrameRef& frame) {
  if (!tx_fifo_.fits(frame->size())) {
    send_refused_ = true;
    return false;
  }
  const bool first = tx_fifo_.size() == ready_frames_;
  tx_fifo_.reserve(frame->size());
  tx_fifo_.push(frame);
  probes.tx_from_host.add();
  // Behind the frames of an event that is not over, it waits for the end of the event.
  if (first) ++ready_frames_;
  if (first) wire_.frame_ready();
  return true;
}

FrameRef OffloadEngine::take_frame() {
  FrameRef frame = tx_fifo_.pop();
  tx_fifo_.release(frame->size());
  --ready_frames_;
  if (std::exchange(send_refused_, false)) wire_.send_ready();
  pipeline_.kick();
  return frame;
}

void OffloadEngine::frame_received(const FrameRef& frame) {
  if (!rx_fifo_.fits(frame->size())) {
    probes.rx_overflows.add();
    probes.drops.report(now(), frame, observe::FrameFate::kDropped, "receive FIFO full");
    return;
  }
  rx_fifo_.reserve(frame->size());
  rx_fifo_.push(frame);
  wire_.fill_changed(rx_fifo_.fill.value());
  pipeline_.kick();
}

// --- The pipeline --------------------------------------------------------------------------------

/// Takes out timers that were set again and tokens of connections that have ended.
void OffloadEngine::skip_stale() {
  while (timers_.any_due()) {
    const TimerList::Entry& entry = timers_.first();
    const Tcb* const tcb = at(entry.tid, entry.epoch);
    if (tcb != nullptr && tcb->wants_events() && tcb->is_request(entry.kind, entry.order)) break;
    timers_.take_due();
  }
  while (!tokens_.empty()) {
    const Tcb* const tcb = at(tokens_.front().tid, tokens_.front().epoch);
    if (tcb != nullptr && tcb->wants_events()) break;
    tokens_.pop_front();
  }
}

bool OffloadEngine::waits(Event event) {
  switch (event) {
    case Event::kReceive: return !rx_fifo_.empty();
    case Event::kMessage: return !messages_[0].empty() || !messages_[1].empty();
    case Event::kModulation: skip_stale(); return !tokens_.empty();
    case Event::kTimer: skip_stale(); return timers_.any_due();
  }
  return false;
}

Stall OffloadEngine::stall(Event event) {
  if (replies_.size() >= params_.reply_messages()) return Stall::kReplies;
  if (event == Event::kMessage) {
    Stall why = Stall::kNone;
    return runnable(why) ? Stall::kNone : why;
  }
  const std::uint32_t need = event == Event::kReceive ? kControlBytes : largest_frame_;
  return has_tx_room(need) ? Stall::kNone : Stall::kTxFifo;
}

std::uint64_t OffloadEngine::run(Event event) {
  clocks_ = 0;
  switch (event) {
    case Event::kReceive: receive_event(); break;
    case Event::kMessage: message_event(); break;
    case Event::kModulation: {
      clocks_ += params_.modulation_clocks();
      const Token token = tokens_.pop_front();
      Tcb& tcb = *at(token.tid, token.epoch);
      work_on(tcb);
      tcb.token_taken();
      tcb.modulate();
      release_if_over(tcb);
      break;
    }
    case Event::kTimer: {
      clocks_ += params_.timer_clocks();
      const TimerList::Entry entry = *timers_.take_due();
      Tcb& tcb = *at(entry.tid, entry.epoch);
      work_on(tcb);
      tcb.on_timer(entry.kind);
      release_if_over(tcb);
      break;
    }
  }
  return clocks_;
}

void OffloadEngine::finish() {
  const bool frames = ready_frames_ != tx_fifo_.size();
  ready_frames_ = tx_fifo_.size();
  ready_replies_ = replies_.size();
  if (frames) wire_.frame_ready();
  pump();
}

void OffloadEngine::dropped(bool no_page) {
  (no_page ? probes.rx_no_page : probes.rx_beyond_holes).add();
}

/// Gives the host the messages of events that are over, as far as it takes them.
void OffloadEngine::pump() {
  if (pumping_) return;
  pumping_ = true;
  bool any = false;
  while (ready_replies_ > 0 && host_.deliver(replies_.front())) {
    replies_.pop_front();
    --ready_replies_;
    any = true;
  }
  pumping_ = false;
  if (any) pipeline_.kick();
}

void OffloadEngine::host_ready() { pump(); }

void OffloadEngine::taken(const RxData& data) {
  if (Tcb* const tcb = at(data.tid, data.epoch)) tcb->taken(data.bytes->size());
}

}  // namespace longhaul::toe
