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
      core_(params, tcp, t1, this->name(), [this] { pipeline_.kick(); }),
      probes(core_.probes),
      host_(host),
      wire_(wire),
      receive_(core_),
      messages_(core_),
      pipeline_("pipeline", core_.params(), *this) {
  for (Tid tid = 0; tid < params.watched(); ++tid) {
    watched_.push_back(std::make_unique<TcbProbes>(("tcb" + std::to_string(tid)).c_str(),
                                                   [this, tid] { return fields(tid); }));
  }
}

OffloadEngine::~OffloadEngine() = default;

// --- The host's side -----------------------------------------------------------------------------

bool OffloadEngine::offer(HostQueue queue, FromHost&& message) {
  if (!messages_.offer(queue, std::move(message))) return false;
  pipeline_.kick();
  return true;
}

void OffloadEngine::host_ready() { deliver(); }

/// Gives the host the messages of events that are over.
void OffloadEngine::deliver() {
  if (!core_.replies.deliver(host_)) return;
  core_.free_tids();
  pipeline_.kick();
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
  receive_.clear();
  wire_.fill_changed(0);
  pipeline_.kick();
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
  pipeline_.kick();
  return frame;
}

void OffloadEngine::frame_received(const FrameRef& frame) {
  if (!receive_.add(frame)) return;
  wire_.fill_changed(receive_.fill());
  pipeline_.kick();
}

// --- The pipeline --------------------------------------------------------------------------------

bool OffloadEngine::waits(Event event) {
  switch (event) {
    case Event::kReceive: return receive_.waits();
    case Event::kMessage: return messages_.waits();
    case Event::kModulation: return core_.token_waits();
    case Event::kTimer: return core_.timer_waits();
  }
  return false;
}

Stall OffloadEngine::stall(Event event) {
  if (core_.replies.size() >= core_.params().reply_messages()) return Stall::kReplies;
  if (event == Event::kMessage) return messages_.stall(largest_frame_);
  const bool room =
      event == Event::kReceive ? core_.tx.has_room_to_answer() : core_.tx.has_room(largest_frame_);
  return room ? Stall::kNone : Stall::kTxFifo;
}

std::uint64_t OffloadEngine::run(Event event) {
  switch (event) {
    case Event::kReceive:
      receive_.run();
      wire_.fill_changed(receive_.fill());
      break;
    case Event::kMessage: {
      const MessageEvents::Taken taken = messages_.run(largest_frame_);
      host_.message_taken(taken.queue);
      if (taken.had_refused) host_.queue_ready(taken.queue);
      break;
    }
    case Event::kModulation: core_.run_token(); break;
    case Event::kTimer: core_.run_timer(); break;
  }
  return core_.take_clocks();
}

void OffloadEngine::finish() {
  core_.replies.finish();
  if (core_.tx.finish()) wire_.frame_ready();
  deliver();
}

}  // namespace longhaul::toe
