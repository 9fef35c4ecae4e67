// SPDX-License-Identifier: Apache-2.0
#include "models/toe/receive_events.h"

#include "models/toe/moves.h"

namespace longhaul::toe {

bool ReceiveEvents::add(const FrameRef& frame) {
  if (!has_room(frame->size())) {
    core_.probes.rx_overflows.add();
    core_.probes.drops.report(now(), frame, observe::FrameFate::kDropped, "receive FIFO full");
    return false;
  }
  fifo_.reserve(frame->size());
  fifo_.push(frame);
  return true;
}

void ReceiveEvents::run() {
  core_.spend(core_.params().receive_clocks());
  const FrameRef frame = fifo_.pop();
  fifo_.release(frame->size());
  if (!enabled_) return to_host(frame);
  const Inbound in = parse(*frame);
  if (in.kind == Inbound::Kind::kOther) return to_host(frame);
  core_.spend(core_.params().tcam_search());
  if (const std::optional<Tid> tid = core_.tcam.find(in.ends))
    return connection(*core_.at(*tid), in, frame);
  const bool is_syn = in.segment.has(tcp::kSyn) && !in.segment.has(tcp::kAck) &&
                      !in.segment.has(tcp::kRst) && in.kind == Inbound::Kind::kTcp;
  const Tcam::Server* const server = is_syn ? core_.tcam.find_server(in.ends) : nullptr;
  if (server == nullptr) return to_host(frame);
  if (server->policy == Policy::kDeny) return core_.refuse(in.segment, in.ends, in.origin);
  passive_open(*server, in);
}

void ReceiveEvents::to_host(const FrameRef& frame) {
  core_.probes.rx_to_host.add();
  core_.post(RxPacket{frame});
}

void ReceiveEvents::connection(Tcb& tcb, const Inbound& in, const FrameRef& frame) {
  EngineProbes& probes = core_.probes;
  if (in.kind == Inbound::Kind::kDamaged) {
    probes.rx_damaged.add();
    probes.drops.report(now(), frame, observe::FrameFate::kDropped, "TCP checksum");
    return;
  }
  core_.work_on(tcb);
  if (tcb.moves()) {
    receive_moved(core_, tcb, in, frame);
    return core_.release_if_over(tcb);
  }
  if (!tcb.wants_events()) return probes.rx_unanswered.add();
  probes.rx_segments.add();
  if (in.segment.has(tcp::kUrg)) probes.rx_urgent.add();
  const std::uint32_t stored = frame->stored();
  tcb.receive(in.segment, frame->head() + in.payload_at,
              stored > in.payload_at ? stored - in.payload_at : 0);
  core_.release_if_over(tcb);
}

void ReceiveEvents::passive_open(const Tcam::Server& server, const Inbound& in) {
  if (server.policy == Policy::kAuto && core_.check(server.options) != Error::kNone)
    return core_.probes.no_station.add();
  // Without an entry or memory the SYN is lost, and the peer sends it again.
  Error error = Error::kNone;
  Tcb* const tcb = core_.enter(in.ends, false, server.stid, error);
  if (tcb == nullptr) return;
  core_.work_on(*tcb);
  const bool ask = server.policy == Policy::kAsk;
  tcb->ask(in.segment, in.origin, ask);
  if (!ask) {
    const ConnectionOptions options = server.options;
    tcb->accept(core_.config(options), options, core_.opening(in.ends, options));
    return core_.release_if_over(*tcb);
  }
  PassAcceptRequest request;
  request.stid = server.stid;
  request.tid = tcb->tid();
  request.ends = in.ends;
  request.options = in.segment.options;
  request.tos = in.tos;
  request.destination = in.origin.destination;
  request.source = in.origin.source;
  request.tagged = in.origin.tagged;
  request.vlan = in.origin.vlan;
  request.rcv_isn = in.segment.seq;
  core_.post(request);
}

}  // namespace longhaul::toe
