// SPDX-License-Identifier: Apache-2.0
#include "models/toe/offload_engine.h"

#include <algorithm>
#include <string>
#include <utility>

namespace longhaul::toe {
namespace {

constexpr std::uint32_t kTaggedHeader = ethernet::kHeaderBytes + 4;
constexpr std::uint16_t kLeastMtu = 68;  // RFC 791
constexpr std::uint16_t kMostMtu = 16114;

}  // namespace

OffloadEngine::OffloadEngine(const sc_core::sc_module_name& name, const ToeParams& params,
                             const tcp::TcpParams& tcp, const T1Params& t1, HostSide& host,
                             WireSide& wire)
    : sc_module(name),
      core_(params, tcp, t1, this->name(), [this] { kick(); }),
      probes(core_.probes),
      send_waits(core_.waits),
      tcp_counts(core_.tcp_counts),
      host_(host),
      wire_(wire),
      receive_(core_),
      messages_(core_) {
  add_lanes();
  for (Tid tid = 0; tid < params.watched(); ++tid) {
    watched_.push_back(std::make_unique<TcbProbes>(("tcb" + std::to_string(tid)).c_str(),
                                                   [this, tid] { return fields(tid); }));
  }
}

OffloadEngine::~OffloadEngine() = default;

void OffloadEngine::add_lanes() {
  const ToeParams& params = core_.params();
  LaneWork& work = *this;
  const auto add = [&](const char* name, std::vector<Event> events, std::uint32_t elements = 1) {
    MemoryTurns* const memory = params.arrangement() == "one" ? nullptr : &memory_;
    lanes_.push_back(std::make_unique<Lane>(name, params, Lane::Form{std::move(events), elements},
                                            work, serials_, memory));
  };
  // Sending comes first: it is asked first when the memory is free.
  if (params.arrangement() == "parallel") {
    add("transmit", {Event::kData, Event::kModulation});
    add("receive", {Event::kReceive});
    add("management", {Event::kControl, Event::kTimer});
  } else if (params.arrangement() == "rows") {
    add("transmit", {Event::kData, Event::kControl, Event::kModulation, Event::kTimer},
        params.transmit_elements());
    add("receive", {Event::kReceive}, params.receive_elements());
  } else if (params.arrangement() == "one") {
    add("pipeline",
        {Event::kReceive, Event::kData, Event::kControl, Event::kModulation, Event::kTimer});
  } else {
    fail_unknown_name("arrangement", params.arrangement(), params.arrangement.choices,
                      std::string(this->name()));
  }
}

void OffloadEngine::kick() {
  for (const std::unique_ptr<Lane>& lane : lanes_) lane->kick();
}

void OffloadEngine::set_separators(std::uint32_t modulation_clocks, std::uint32_t timer_clocks) {
  for (const std::unique_ptr<Lane>& lane : lanes_)
    lane->set_separators(modulation_clocks, timer_clocks);
}

// --- The host's side -----------------------------------------------------------------------------

bool OffloadEngine::offer(HostQueue queue, FromHost&& message) {
  if (!messages_.offer(queue, std::move(message))) return false;
  kick();
  return true;
}

void OffloadEngine::host_ready() { deliver(); }

/// Gives the host the messages of events that are over.
void OffloadEngine::deliver() {
  if (!core_.replies.deliver(host_)) return;
  core_.free_tids();
  kick();
}

void OffloadEngine::taken(const RxData& data) {
  if (Tcb* const tcb = core_.at(data.tid, data.epoch)) tcb->taken(data.bytes->size());
}

bool OffloadEngine::set_mtu(std::uint32_t index, std::uint16_t bytes) {
  if (bytes < kLeastMtu || bytes > kMostMtu || !core_.stations.set_mtu(index, bytes)) return false;
  largest_frame_ = std::max<std::uint32_t>(largest_frame_, bytes + kTaggedHeader);
  return true;
}

std::optional<TcbFields> OffloadEngine::fields(Tid tid) const {
  const Tcb* const tcb = core_.at(tid);
  if (tcb == nullptr) return std::nullopt;
  return tcb->fields();
}

void OffloadEngine::reset() {
  core_.reset();
  messages_.clear();
  for (const HostQueue queue : {HostQueue::kData, HostQueue::kControl}) note_waits_pm(queue, false);
  receive_.clear();
  wire_.fill_changed(0);
  kick();
}

// --- The wire's side -----------------------------------------------------------------------------

bool OffloadEngine::send(const FrameRef& frame) {
  if (!core_.tx.add(frame)) {
    send_refused_ = true;
    return false;
  }
  probes.tx_from_host.add();
  if (core_.tx.ready()) wire_.frame_ready();
  return true;
}

FrameRef OffloadEngine::take_frame() {
  FrameRef frame = core_.tx.take();
  if (std::exchange(send_refused_, false)) wire_.send_ready();
  kick();
  return frame;
}

void OffloadEngine::frame_received(const FrameRef& frame) {
  if (!receive_.add(frame)) return;
  wire_.fill_changed(receive_.fill());
  kick();
}

// --- Events --------------------------------------------------------------------------------------

bool OffloadEngine::waits(Event event) {
  switch (event) {
    case Event::kReceive: return receive_.waits();
    case Event::kData: return messages_.waits(HostQueue::kData);
    case Event::kControl: return messages_.waits(HostQueue::kControl);
    case Event::kModulation: return core_.token_waits();
    case Event::kTimer: return core_.timer_waits();
  }
  return false;
}

Stall OffloadEngine::stall(Event event) {
  if (core_.replies.places() >= core_.params().reply_messages()) return Stall::kReplies;
  if (event == Event::kData) return message_stall(HostQueue::kData);
  if (event == Event::kControl) return message_stall(HostQueue::kControl);
  const bool room =
      event == Event::kReceive ? core_.tx.has_room_to_answer() : core_.tx.has_room(largest_frame_);
  return room ? Stall::kNone : Stall::kTxFifo;
}

Stall OffloadEngine::message_stall(HostQueue queue) {
  const Stall stall = messages_.stall(queue, largest_frame_);
  note_waits_pm(queue, stall == Stall::kPayload);
  return stall;
}

void OffloadEngine::note_waits_pm(HostQueue queue, bool waits) {
  bool& noted = waits_pm_.at(static_cast<std::size_t>(queue));
  if (std::exchange(noted, waits) != waits) probes.data_waits_pm.add(waits ? 1 : -1);
}

void OffloadEngine::run_message(HostQueue queue) {
  const bool had_refused = messages_.run(queue);
  host_.message_taken(queue);
  if (had_refused) host_.queue_ready(queue);
}

EventClocks OffloadEngine::run(Event event, std::uint64_t serial) {
  core_.begin(serial);
  switch (event) {
    case Event::kReceive:
      receive_.run();
      wire_.fill_changed(receive_.fill());
      break;
    case Event::kData: run_message(HostQueue::kData); break;
    case Event::kControl: run_message(HostQueue::kControl); break;
    case Event::kModulation: core_.run_token(); break;
    case Event::kTimer: core_.run_timer(); break;
  }
  if (watcher_ != nullptr) watcher_->on_step();
  return core_.end();
}

void OffloadEngine::finish(std::uint64_t serial) {
  core_.replies.order.over(serial);
  if (core_.tx.order.over(serial)) wire_.frame_ready();
  deliver();
}

}  // namespace longhaul::toe
