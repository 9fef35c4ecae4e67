// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/payload_meter.h"

#include <utility>

namespace longhaul::observe {
namespace {

/// A SYN takes a sequence number of its own, before the data (RFC 9293, 3.4).
std::uint32_t syn_number(const TransportHeader& header) { return (header.flags & TransportHeader::kSyn) != 0 ? 1 : 0; }

}  // namespace

PayloadMeter::PayloadMeter(const sc_core::sc_module_name& name, FrameTap& received, FrameTap& sent)
    : sc_module(name), received_tap_(received), sent_tap_(sent) {
  received_tap_.listen(&received_listener_);
  sent_tap_.listen(&sent_listener_);
}

PayloadMeter::~PayloadMeter() {
  received_tap_.ignore(&received_listener_);
  sent_tap_.ignore(&sent_listener_);
}

void PayloadMeter::Listener::on_frame(const sc_core::sc_time& /*at*/, const FrameRef& frame, FrameFate fate,
                                      const char* /*why*/) {
  if (fate != wanted) return;
  if (const auto header = transport_header(*frame)) (meter.*take)(*header);
}

std::uint32_t PayloadMeter::fresh_numbers(Flows& flows, const TransportHeader& header) {
  if (flows.last == nullptr || !(flows.last->first == header.flow))
    flows.last = &*flows.all.try_emplace(header.flow, header.sequence).first;
  Flow& flow = flows.last->second;
  if (syn_number(header) != 0 && flow.first != header.sequence) flow = Flow(header.sequence);
  return flow.record.take(header.sequence, syn_number(header) + header.payload);
}

void PayloadMeter::take_received(const TransportHeader& header) {
  std::uint32_t fresh = header.payload;
  if (header.protocol == TransportHeader::Protocol::kUdp) {
    udp_received.add(fresh);
  } else if (header.later_fragment) {
    tcp_received.add(fresh);
  } else {
    fresh = fresh_numbers(received_flows_, header);
    if (fresh > 0) fresh -= syn_number(header);
    tcp_received.add(fresh);
  }
  if (!listener_ || fresh == 0) return;
  const auto call = listener_;  // it may replace itself
  call();
}

void PayloadMeter::take_sent(const TransportHeader& header) {
  if (header.protocol != TransportHeader::Protocol::kTcp || header.later_fragment) return;
  if (fresh_numbers(sent_flows_, header) < syn_number(header) + header.payload) tcp_retransmits.add();
}

}  // namespace longhaul::observe
