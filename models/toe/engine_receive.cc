// SPDX-License-Identifier: Apache-2.0
// Receive events of the offload engine: who owns a packet, and what becomes of it.
#include <utility>

#include "models/toe/offload_engine.h"

namespace longhaul::toe {

void OffloadEngine::receive_event() {
  clocks_ += params_.receive_clocks();
  const FrameRef frame = rx_fifo_.pop();
  rx_fifo_.release(frame->size());
  wire_.fill_changed(rx_fifo_.fill.value());
  if (!enabled_) return to_host(frame);
  const Inbound in = parse(*frame);
  if (in.kind == Inbound::Kind::kOther) return to_host(frame);
  clocks_ += params_.tcam_search();
  if (const std::optional<Tid> tid = tcam_.find(in.ends)) {
    if (in.kind == Inbound::Kind::kDamaged) {
      probes.rx_damaged.add();
      probes.drops.report(now(), frame, observe::FrameFate::kDropped, "TCP checksum");
      return;
    }
    Tcb& tcb = *tcbs_[*tid];
    work_on(tcb);
    if (!tcb.wants_events()) return probes.rx_unanswered.add();
    probes.rx_segments.add();
    if (in.segment.has(tcp::kUrg)) probes.rx_urgent.add();
    const std::uint32_t stored = frame->stored();
    tcb.receive(in.segment, frame->head() + in.payload_at,
                stored > in.payload_at ? stored - in.payload_at : 0);
    return release_if_over(tcb);
  }
  const bool is_syn = in.segment.has(tcp::kSyn) && !in.segment.has(tcp::kAck) &&
                      !in.segment.has(tcp::kRst) && in.kind == Inbound::Kind::kTcp;
  const Tcam::Server* const server = is_syn ? tcam_.find_server(in.ends) : nullptr;
  if (server == nullptr) return to_host(frame);
  if (server->policy == Policy::kDeny) return refuse(in.segment, in.ends, in.origin);
  passive_open(*server, in);
}

void OffloadEngine::to_host(const FrameRef& frame) {
  probes.rx_to_host.add();
  post(RxPacket{frame});
}

/// Answers a SYN by a RST to where the SYN came from; no table is needed for that.
void OffloadEngine::refuse(const tcp::Segment& syn, const Ends& ends, const Origin& origin) {
  const NextStation next{origin.source, origin.tagged, origin.vlan};
  Envelope envelope;
  envelope.next = &next;
  envelope.source = &origin.destination;
  envelope.identification = ++identification_;
  struct Nothing final : tcp::PayloadSource {
    void fill(std::uint64_t, std::uint8_t*, std::uint32_t) override {}
  } nothing;
  clocks_ += params_.segment_clocks();
  push_frame(build(tcp::reset_for(syn), ends, envelope, nothing, false));
}

void OffloadEngine::passive_open(const Tcam::Server& server, const Inbound& in) {
  // Without an entry or memory the SYN is lost, and the peer sends it again.
  Error error = Error::kNone;
  if (server.policy == Policy::kAuto && check(server.options) != Error::kNone)
    return probes.no_station.add();
  const std::optional<Tid> tid = enter(in.ends, error);
  if (!tid) return;
  Tcb& tcb = make(*tid, in.ends, false, server.stid);
  work_on(tcb);
  const bool ask = server.policy == Policy::kAsk;
  tcb.ask(in.segment, in.origin, ask);
  if (!ask) {
    tcb.accept(config(server.options), server.options, opening(in.ends, server.options));
    return release_if_over(tcb);
  }
  PassAcceptRequest request;
  request.stid = server.stid;
  request.tid = *tid;
  request.ends = in.ends;
  request.options = in.segment.options;
  request.tos = in.tos;
  request.destination = in.origin.destination;
  request.source = in.origin.source;
  request.tagged = in.origin.tagged;
  request.vlan = in.origin.vlan;
  request.rcv_isn = in.segment.seq;
  post(std::move(request));
}

}  // namespace longhaul::toe
