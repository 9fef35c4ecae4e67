// SPDX-License-Identifier: Apache-2.0
// The host's messages to the offload engine.
#include <utility>
#include <variant>

#include "models/toe/offload_engine.h"

namespace longhaul::toe {

bool OffloadEngine::offer(HostQueue queue, FromHost&& message) {
  RingBuffer<FromHost>& messages = messages_[index(queue)];
  if (messages.size() >= params_.host_messages()) {
    offer_refused_[index(queue)] = true;
    return false;
  }
  messages.push_back(std::move(message));
  pipeline_.kick();
  return true;
}

Stall OffloadEngine::stall_of(const FromHost& message) {
  std::uint32_t need = largest_frame_;
  if (const auto* const data = std::get_if<TxData>(&message)) {
    const Tcb* const tcb = data->tid < tcbs_.size() ? tcbs_[data->tid].get() : nullptr;
    if (tcb != nullptr && tcb->wants_events() && data->bytes && !tcb->has_room(data->bytes->size()))
      return Stall::kPayload;
  } else {
    need = kControlBytes;
  }
  return has_tx_room(need) ? Stall::kNone : Stall::kTxFifo;
}

/// The queue whose first message is next. Without one, the reason why the first cannot be taken.
std::optional<HostQueue> OffloadEngine::runnable(Stall& stall) {
  for (std::size_t turn = 0; turn < kHostQueues; ++turn) {
    const auto queue = static_cast<HostQueue>((index(next_queue_) + turn) % kHostQueues);
    const RingBuffer<FromHost>& messages = messages_[index(queue)];
    if (messages.empty()) continue;
    const Stall why = stall_of(messages.front());
    if (why == Stall::kNone) return queue;
    stall = why;
  }
  return std::nullopt;
}

void OffloadEngine::message_event() {
  Stall none = Stall::kNone;
  const HostQueue queue = *runnable(none);
  next_queue_ = queue == HostQueue::kData ? HostQueue::kControl : HostQueue::kData;
  const FromHost message = messages_[index(queue)].pop_front();
  clocks_ += params_.message_clocks();
  std::visit([this](const auto& m) { handle(m); }, message);
  if (std::exchange(offer_refused_[index(queue)], false)) host_.queue_ready(queue);
}

Tcb* OffloadEngine::addressed(Tid tid) {
  Tcb* const tcb = tid < tcbs_.size() ? tcbs_[tid].get() : nullptr;
  if (tcb == nullptr || !tcb->wants_events()) {
    probes.bad_messages.add();
    return nullptr;
  }
  work_on(*tcb);
  return tcb;
}

// --- Opening -------------------------------------------------------------------------------------

void OffloadEngine::handle(const ActOpenRequest& request) {
  clocks_ += params_.tcam_search();
  Error error = check(request.options);
  std::optional<Tid> tid;
  if (error == Error::kNone) tid = enter(request.ends, error);
  post(ActOpenReply{request.atid, tid.value_or(0), error});
  if (!tid) return;
  Tcb& tcb = make(*tid, request.ends, true, request.atid);
  work_on(tcb);
  tcb.connect(config(request.options), request.options, opening(request.ends, request.options));
}

void OffloadEngine::handle(const PassOpenRequest& request) {
  const Error error = tcam_.add_server(
      {request.stid, request.address, request.port, request.policy, request.options});
  post(PassOpenReply{request.stid, error});
}

void OffloadEngine::handle(const CloseServerRequest& request) {
  const bool found = tcam_.remove_server(request.stid);
  post(CloseServerReply{request.stid, found ? Error::kNone : Error::kBadRequest});
}

void OffloadEngine::handle(const PassAcceptReply& reply) {
  Tcb* const tcb = reply.tid < tcbs_.size() ? tcbs_[reply.tid].get() : nullptr;
  if (tcb == nullptr || tcb->life() != Tcb::Life::kAsking) return probes.bad_messages.add();
  work_on(*tcb);
  const Error error = reply.accept ? check(reply.options) : Error::kNone;
  if (error != Error::kNone) {
    // The host has named tables that are empty: it is told, and the peer's SYN stays unanswered.
    post(Aborted{reply.tid, error});
    return tcb->die();
  }
  if (reply.accept) {
    tcb->accept(config(reply.options), reply.options, opening(tcb->ends(), reply.options));
  } else {
    refuse(tcb->syn(), tcb->ends(), tcb->origin());
    tcb->forget();
  }
  release_if_over(*tcb);
}

// --- Data ----------------------------------------------------------------------------------------

void OffloadEngine::handle(const TxData& data) {
  if (!data.bytes) return probes.bad_messages.add();
  Tcb* const tcb = addressed(data.tid);
  if (tcb == nullptr) return;
  tcb->write(*data.bytes, data.push);
  release_if_over(*tcb);
}

void OffloadEngine::handle(const RxCredits& credits) {
  if (Tcb* const tcb = addressed(credits.tid)) tcb->credit(credits.bytes);
}

// --- Ending --------------------------------------------------------------------------------------

void OffloadEngine::handle(const CloseRequest& request) {
  Tcb* const tcb = addressed(request.tid);
  if (tcb == nullptr) return;
  tcb->close();
  release_if_over(*tcb);
}

void OffloadEngine::handle(const AbortRequest& request) {
  Tcb* const tcb = request.tid < tcbs_.size() ? tcbs_[request.tid].get() : nullptr;
  if (tcb == nullptr || tcb->life() == Tcb::Life::kDead) {
    if (tcb == nullptr) probes.bad_messages.add();
    return post(AbortReply{request.tid, Error::kAbortFailed});
  }
  work_on(*tcb);
  if (request.send_reset && tcb->life() == Tcb::Life::kAsking)
    refuse(tcb->syn(), tcb->ends(), tcb->origin());
  tcb->abort(request.send_reset);
  release_if_over(*tcb);
}

void OffloadEngine::handle(const AbortedReply& reply) {
  Tcb* const tcb = reply.tid < tcbs_.size() ? tcbs_[reply.tid].get() : nullptr;
  if (tcb == nullptr || tcb->life() != Tcb::Life::kDead) return probes.bad_messages.add();
  work_on(*tcb);
  tcb->forget();
  release_if_over(*tcb);
}

// --- Fields and tables ---------------------------------------------------------------------------

void OffloadEngine::handle(const GetTcb& request) {
  const std::optional<TcbFields> found = fields(request.tid);
  if (found) work_on(*tcbs_[request.tid]);
  post(TcbReply{request.tid, found ? Error::kNone : Error::kBadRequest,
                found.value_or(TcbFields{})});
}

void OffloadEngine::handle(const SetTcbField& request) {
  Tcb* const tcb = addressed(request.tid);
  const bool done = tcb != nullptr && tcb->set(request.field, request.value);
  post(SetTcbReply{request.tid, done ? Error::kNone : Error::kBadRequest});
}

void OffloadEngine::handle(const L2tWrite& request) {
  const bool done = stations_.set_next(request.index, request.station);
  post(L2tReply{false, request.index, done ? Error::kNone : Error::kBadRequest, request.station});
}

void OffloadEngine::handle(const L2tRead& request) {
  const NextStation* const station = stations_.next(request.index);
  post(L2tReply{true, request.index, station != nullptr ? Error::kNone : Error::kBadRequest,
                station != nullptr ? *station : NextStation{}});
}

void OffloadEngine::handle(const SmtWrite& request) {
  const bool done = stations_.set_source(request.index, request.address);
  post(SmtReply{false, request.index, done ? Error::kNone : Error::kBadRequest, request.address});
}

void OffloadEngine::handle(const SmtRead& request) {
  const MacAddress* const address = stations_.source(request.index);
  post(SmtReply{true, request.index, address != nullptr ? Error::kNone : Error::kBadRequest,
                address != nullptr ? *address : MacAddress{}});
}

}  // namespace longhaul::toe
