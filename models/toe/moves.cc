// SPDX-License-Identifier: Apache-2.0
// Connections that the host has opened: they come to the engine, and go back to the host.
#include "models/toe/moves.h"

#include <utility>

#include "models/tcp/move.h"
#include "models/toe/message_events.h"

namespace longhaul::toe {
namespace {

void to_host(EngineCore& core, const FrameRef& frame) {
  core.probes.rx_to_host.add();
  core.post(RxPacket{frame});
}

/// The context with this engine's positions, in which the present ones lie far above 0.
tcp::Context based_on(const tcp::Context& first, const tcp::Context& context) {
  constexpr tcp::Position kBase = 1ULL << 32U;
  const std::uint32_t sent = tcp::to_wire(context.iss, context.una) - first.iss;
  const std::uint32_t received = tcp::to_wire(context.irs, context.received) - first.irs;
  tcp::Context out = context;
  out.iss = first.iss;
  out.irs = first.irs;
  out.una = kBase + sent;
  out.next = out.una + (context.next - context.una);
  out.peer_edge = out.una + (context.peer_edge - context.una);
  out.received = kBase + received;
  out.offered = out.received + (context.offered - context.received);
  return out;
}

}  // namespace

void receive_moved(EngineCore& core, Tcb& tcb, const Inbound& in, const FrameRef& frame) {
  if (tcb.life() == Tcb::Life::kTaking) return tcb.hold(frame);
  if (tcb.life() == Tcb::Life::kOpen && tcp::Move::is_exception(*tcb.connection(), in.segment))
    tcb.give_back(false);
  if (tcb.life() != Tcb::Life::kOpen) return to_host(core, frame);
  core.probes.rx_segments.add();
  const std::uint32_t stored = frame->stored();
  tcb.receive(in.segment, frame->head() + in.payload_at,
              stored > in.payload_at ? stored - in.payload_at : 0);
}

void MessageEvents::handle(const TakeRequest& request) {
  core_.spend(core_.params().tcam_search());
  Error error = core_.check(request.options);
  Tcb* tcb = nullptr;
  if (error == Error::kNone) tcb = core_.enter(request.ends, false, request.atid, error);
  core_.post(TakeReply{request.atid, tcb != nullptr ? tcb->tid() : 0, error});
  if (tcb == nullptr) return;
  core_.work_on(*tcb);
  tcb->await(core_.config(request.options), request.options, request.first);
}

void MessageEvents::handle(const TakeContext& message) {
  Tcb* const tcb = named(message.tid);
  if (tcb == nullptr || tcb->life() != Tcb::Life::kTaking) return core_.probes.bad_messages.add();
  core_.work_on(*tcb);
  tcb->take(message.context);
  for (const FrameRef& frame : tcb->held()) receive_moved(core_, *tcb, parse(*frame), frame);
  core_.release_if_over(*tcb);
}

void MessageEvents::handle(const ReturnRequest& request) {
  Tcb* const tcb = named(request.tid);
  // Without one, the connection and the request have crossed.
  if (tcb == nullptr || !tcb->moves()) return;
  core_.work_on(*tcb);
  if (tcb->life() == Tcb::Life::kOpen) return tcb->give_back(false);
  if (tcb->life() != Tcb::Life::kTaking) return;
  tcb->give_back(false);
  for (const FrameRef& frame : tcb->held()) to_host(core_, frame);
}

// --- The control block ---------------------------------------------------------------------------

void Tcb::await(const tcp::TcpConfig& config, const ConnectionOptions& options,
                const tcp::Context& first) {
  life_ = Life::kTaking;
  moves_ = true;
  options_ = options;
  first_ = first;
  config_ = &config;
}

void Tcb::take(const tcp::Context& context) {
  tcp::Context whole = based_on(first_, context);
  whole.agreed = first_.agreed;
  iss_ = whole.iss;
  life_ = Life::kOpen;
  established_ = told_established_ = announced_ = true;
  // The host keeps what the peer has not acknowledged, and resends it.
  tx_.resume(whole.una - 1, whole.next - 1);
  rx_.resume(whole.received - 1, whole.unread);
  connection_.emplace(*config_, static_cast<tcp::Environment&>(*this));
  connection_->set_nodelay(options_.nodelay);
  connection_->set_receive_limit(options_.receive_buffer);
  tcp::Move::resume(*connection_, whole, whole.next);
  if (early_credits_ != 0) return credit(std::exchange(early_credits_, 0));
  settle();
}

void Tcb::give_back(bool timed_out) {
  Returned message;
  message.tid = tid_;
  if (life_ == Life::kOpen) {
    flush();
    message.taken = true;
    message.context = tcp::Move::leave(*connection_);
    message.context.timed_out = timed_out;
    tx_.release_all();
  }
  life_ = Life::kReturned;
  owner_.post(message);
}

}  // namespace longhaul::toe
