// SPDX-License-Identifier: Apache-2.0
#include "models/toe/message_events.h"

#include <utility>
#include <variant>

namespace longhaul::toe {
namespace {

constexpr Tid kNoTid = ~0U;

/// The tid that a message names, if it does.
template <class Message>
auto tid_in(const Message& message, int) -> decltype(message.tid) {
  return message.tid;
}
template <class Message>
Tid tid_in(const Message&, long) {
  return kNoTid;
}

}  // namespace

bool MessageEvents::offer(HostQueue queue, FromHost&& message) {
  RingBuffer<Waiting>& messages = queues_[index(queue)];
  if (messages.size() >= core_.params().host_messages()) {
    refused_[index(queue)] = true;
    return false;
  }
  const Tid tid = std::visit([](const auto& m) { return tid_in(m, 0); }, message);
  messages.push_back({std::move(message), core_.epoch(tid)});
  return true;
}

void MessageEvents::clear() {
  for (RingBuffer<Waiting>& messages : queues_) messages.clear();
}

Stall MessageEvents::stall_of(const Waiting& waiting, std::uint32_t frame_bytes) const {
  const auto* const data = std::get_if<TxData>(&waiting.message);
  if (data == nullptr) return core_.tx.has_room_to_answer() ? Stall::kNone : Stall::kTxFifo;
  const Tcb* const tcb = core_.at(data->tid, waiting.epoch);
  if (tcb != nullptr && tcb->wants_events() && data->bytes && !tcb->has_room(data->length()))
    return Stall::kPayload;
  return core_.tx.has_room(frame_bytes) ? Stall::kNone : Stall::kTxFifo;
}

bool MessageEvents::run(HostQueue queue) {
  const Waiting waiting = queues_[index(queue)].pop_front();
  epoch_ = waiting.epoch;
  core_.spend(core_.params().message_clocks());
  std::visit([this](const auto& m) { handle(m); }, waiting.message);
  return std::exchange(refused_[index(queue)], false);
}

Tcb* MessageEvents::addressed(Tid tid) {
  Tcb* const tcb = named(tid);
  if (tcb == nullptr || !tcb->wants_events()) {
    core_.probes.bad_messages.add();
    return nullptr;
  }
  core_.work_on(*tcb);
  return tcb;
}

// --- Opening -------------------------------------------------------------------------------------

void MessageEvents::handle(const ActOpenRequest& request) {
  core_.spend(core_.params().tcam_search());
  Error error = core_.check(request.options);
  Tcb* tcb = nullptr;
  if (error == Error::kNone) tcb = core_.enter(request.ends, true, request.atid, error);
  core_.post(ActOpenReply{request.atid, tcb != nullptr ? tcb->tid() : 0, error});
  if (tcb == nullptr) return;
  core_.work_on(*tcb);
  tcb->connect(core_.config(request.options), request.options,
               core_.opening(request.ends, request.options));
}

void MessageEvents::handle(const PassOpenRequest& request) {
  const Error error = core_.tcam.add_server(
      {request.stid, request.address, request.port, request.policy, request.options});
  core_.post(PassOpenReply{request.stid, error});
}

void MessageEvents::handle(const CloseServerRequest& request) {
  const bool found = core_.tcam.remove_server(request.stid);
  core_.post(CloseServerReply{request.stid, found ? Error::kNone : Error::kBadRequest});
}

void MessageEvents::handle(const PassAcceptReply& reply) {
  Tcb* const tcb = named(reply.tid);
  if (tcb == nullptr || tcb->life() != Tcb::Life::kAsking) return core_.probes.bad_messages.add();
  core_.work_on(*tcb);
  const Error error = reply.accept ? core_.check(reply.options) : Error::kNone;
  if (error != Error::kNone) {
    // The host has named tables that are empty: it is told, and the peer's SYN stays unanswered.
    core_.post(Aborted{reply.tid, error});
    return tcb->die();
  }
  if (reply.accept) {
    tcb->accept(core_.config(reply.options), reply.options,
                core_.opening(tcb->ends(), reply.options));
  } else {
    core_.refuse(tcb->syn(), tcb->ends(), tcb->origin());
    tcb->forget();
  }
  core_.release_if_over(*tcb);
}

// --- Data ----------------------------------------------------------------------------------------

void MessageEvents::handle(const TxData& data) {
  if (!data.bytes || data.bytes->size() <= data.skip) return core_.probes.bad_messages.add();
  Tcb* const tcb = addressed(data.tid);
  if (tcb == nullptr) return;
  tcb->write(data);
  core_.release_if_over(*tcb);
}

void MessageEvents::handle(const RxCredits& credits) {
  Tcb* const taking = named(credits.tid);
  if (taking != nullptr && taking->life() == Tcb::Life::kTaking)
    return taking->credit_early(credits.bytes);
  if (Tcb* const tcb = addressed(credits.tid)) tcb->credit(credits.bytes);
}

// --- Ending --------------------------------------------------------------------------------------

void MessageEvents::handle(const CloseRequest& request) {
  Tcb* const tcb = addressed(request.tid);
  if (tcb == nullptr) return;
  tcb->close();
  core_.release_if_over(*tcb);
}

void MessageEvents::handle(const AbortRequest& request) {
  Tcb* const tcb = named(request.tid);
  if (tcb == nullptr || tcb->life() == Tcb::Life::kDead || tcb->life() == Tcb::Life::kReturned) {
    if (tcb == nullptr) core_.probes.bad_messages.add();
    return core_.post(AbortReply{request.tid, Error::kAbortFailed});
  }
  core_.work_on(*tcb);
  if (request.send_reset && tcb->life() == Tcb::Life::kAsking)
    core_.refuse(tcb->syn(), tcb->ends(), tcb->origin());
  tcb->abort(request.send_reset);
  core_.release_if_over(*tcb);
}

void MessageEvents::handle(const AbortedReply& reply) {
  Tcb* const tcb = named(reply.tid);
  if (tcb == nullptr || (tcb->life() != Tcb::Life::kDead && tcb->life() != Tcb::Life::kReturned))
    return core_.probes.bad_messages.add();
  core_.work_on(*tcb);
  tcb->forget();
  core_.release_if_over(*tcb);
}

// --- Fields and tables ---------------------------------------------------------------------------

void MessageEvents::handle(const GetTcb& request) {
  Tcb* const tcb = named(request.tid);
  if (tcb != nullptr) core_.work_on(*tcb);
  core_.post(TcbReply{request.tid, tcb != nullptr ? Error::kNone : Error::kBadRequest,
                      tcb != nullptr ? tcb->fields() : TcbFields{}});
}

void MessageEvents::handle(const SetTcbField& request) {
  Tcb* const tcb = addressed(request.tid);
  const bool done = tcb != nullptr && tcb->set(request.field, request.value);
  core_.post(SetTcbReply{request.tid, done ? Error::kNone : Error::kBadRequest});
}

void MessageEvents::handle(const L2tWrite& request) {
  const bool done = core_.stations.set_next(request.index, request.station);
  core_.post(
      L2tReply{false, request.index, done ? Error::kNone : Error::kBadRequest, request.station});
}

void MessageEvents::handle(const L2tRead& request) {
  const NextStation* const station = core_.stations.next(request.index);
  core_.post(L2tReply{true, request.index, station != nullptr ? Error::kNone : Error::kBadRequest,
                      station != nullptr ? *station : NextStation{}});
}

void MessageEvents::handle(const SmtWrite& request) {
  const bool done = core_.stations.set_source(request.index, request.address);
  core_.post(
      SmtReply{false, request.index, done ? Error::kNone : Error::kBadRequest, request.address});
}

void MessageEvents::handle(const SmtRead& request) {
  const MacAddress* const address = core_.stations.source(request.index);
  core_.post(SmtReply{true, request.index, address != nullptr ? Error::kNone : Error::kBadRequest,
                      address != nullptr ? *address : MacAddress{}});
}

}  // namespace longhaul::toe
