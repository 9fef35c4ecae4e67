// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/payload_meter.h"

#include <algorithm>
#include <utility>

#include "models/common/units.h"

namespace longhaul::observe {
namespace {

/// A SYN takes a sequence number of its own, before the data (RFC 9293, 3.4).
std::uint32_t syn_number(const TransportHeader& header) {
  return (header.flags & TransportHeader::kSyn) != 0 ? 1 : 0;
}

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

void PayloadMeter::Listener::on_frame(const sc_core::sc_time& at, const FrameRef& frame,
                                      FrameFate fate, const char* /*why*/) {
  if (fate != wanted) return;
  if (const auto header = transport_header(*frame)) (meter.*take)(*frame, *header, to_ps(at));
}

PayloadMeter::Entry& PayloadMeter::Flows::of(const TransportHeader& header) {
  if (last == nullptr || !(last->first == header.flow))
    last = &*all.try_emplace(header.flow, header.sequence).first;
  return *last;
}

PayloadMeter::Entry& PayloadMeter::Flows::datagrams_of(const TransportHeader& header) {
  if (all.size() < kMostFlows || all.count(header.flow) > 0) return of(header);
  return *all.try_emplace(FlowKey{}, 0).first;
}

PayloadMeter::Flow* PayloadMeter::Flows::find(const FlowKey& key) {
  if (last != nullptr && last->first == key) return &last->second;
  const auto found = all.find(key);
  return found == all.end() ? nullptr : &found->second;
}

std::uint32_t PayloadMeter::fresh_numbers(Flow& flow, const TransportHeader& header) {
  if (syn_number(header) != 0 && flow.first != header.sequence) {
    flow.first = header.sequence;
    flow.record = SequenceRecord(header.sequence);
    flow.timer = {};
  }
  return flow.record.take(header.sequence, syn_number(header) + header.payload);
}

void PayloadMeter::add_received(Entry& flow, std::uint64_t bytes) {
  if (bytes > 0 && flow.second.so_far.bytes == 0 && drawn_.size() < kMostDrawn)
    drawn_.push_back(&flow);
  flow.second.so_far.bytes += bytes;
}

void PayloadMeter::take_received(const Frame& /*frame*/, const TransportHeader& header,
                                 std::uint64_t at_ps) {
  std::uint32_t fresh = header.payload;
  if (header.protocol == TransportHeader::Protocol::kUdp) {
    udp_received.add(fresh);
    add_received(received_datagrams_.datagrams_of(header), fresh);
  } else {
    Entry& flow = received_flows_.of(header);
    if (!header.later_fragment) {
      fresh = fresh_numbers(flow.second, header);
      if (fresh > 0) fresh -= syn_number(header);
      // The round-trip timer runs only while data is in flight.
      if (tcp_in_flight.value() > 0) take_acknowledgment(header, at_ps);
    }
    tcp_received.add(fresh);
    add_received(flow, fresh);
  }
  if (!listener_ || fresh == 0) return;
  const auto call = listener_;  // it may replace itself
  call();
}

template <class Change>
void PayloadMeter::change_flight(Flow& flow, Change&& change) {
  const std::uint32_t before = flow.flight.bytes();
  change(flow.flight);
  const std::int64_t more = std::int64_t{flow.flight.bytes()} - before;
  if (more != 0) tcp_in_flight.add(more);
}

void PayloadMeter::take_acknowledgment(const TransportHeader& header, std::uint64_t at_ps) {
  const bool reset = (header.flags & TransportHeader::kRst) != 0;
  if (!reset && (header.flags & TransportHeader::kAck) == 0) return;
  Flow* const flow = sent_flows_.find(header.flow.reversed());
  if (flow == nullptr) return;
  if (reset) {
    change_flight(*flow, [](Flight& flight) { flight.reset(); });
    return;
  }
  change_flight(*flow, [&](Flight& flight) { flight.acknowledged(header.acknowledgment); });
  const auto lasted = flow->timer.acknowledged(at_ps, header.acknowledgment);
  if (!lasted) return;
  ++flow->so_far.round_trips;
  flow->so_far.round_trips_ps += *lasted;
}

void PayloadMeter::take_sent(const Frame& frame, const TransportHeader& header,
                             std::uint64_t at_ps) {
  if (header.protocol == TransportHeader::Protocol::kUdp) {
    sent_datagrams_.datagrams_of(header).second.so_far.bytes += header.payload;
    return;
  }
  if (header.later_fragment) return;
  Flow& flow = sent_flows_.of(header).second;
  const std::uint32_t numbers = syn_number(header) + header.payload;
  const std::uint32_t fresh = fresh_numbers(flow, header);
  const bool again = fresh < numbers;
  if (again) {
    tcp_retransmits.add();
    ++flow.so_far.retransmits;
    if (retransmit_listener_) retransmit_listener_(frame, header);
  }
  flow.so_far.bytes += fresh > 0 ? fresh - syn_number(header) : 0;
  change_flight(flow, [&](Flight& flight) {
    if ((header.flags & TransportHeader::kRst) != 0) flight.reset();
    if (syn_number(header) != 0 && !again) flight = Flight(header.sequence + 1);
    if (header.payload > 0) flight.sent(header.sequence + numbers);
  });
  if (header.payload > 0) flow.timer.sent(at_ps, header.sequence + numbers, again);
}

void PayloadMeter::begin_window() {
  for (Flows* flows : {&received_flows_, &received_datagrams_, &sent_flows_, &sent_datagrams_}) {
    for (Entry& each : flows->all) each.second.before_window = each.second.so_far;
  }
  received_in_window_.reset();
  sent_in_window_.reset();
}

void PayloadMeter::end_window() {
  received_in_window_ = received_so_far();
  sent_in_window_ = sent_so_far();
}

void PayloadMeter::append(std::vector<FlowFigures>& list, const Flows& flows,
                          TransportHeader::Protocol protocol) {
  const std::size_t first = list.size();
  for (const auto& [key, flow] : flows.all) {
    const Passed& now = flow.so_far;
    const Passed& before = flow.before_window;
    const Passed passed{now.bytes - before.bytes, now.retransmits - before.retransmits,
                        now.round_trips - before.round_trips,
                        now.round_trips_ps - before.round_trips_ps};
    if (passed.bytes + passed.retransmits > 0) list.push_back({key, protocol, passed});
  }
  std::sort(list.begin() + static_cast<std::ptrdiff_t>(first), list.end(),
            [](const FlowFigures& a, const FlowFigures& b) { return a.key.bytes < b.key.bytes; });
}

std::vector<PayloadMeter::FlowFigures> PayloadMeter::received_so_far() const {
  std::vector<FlowFigures> list;
  append(list, received_flows_, TransportHeader::Protocol::kTcp);
  append(list, received_datagrams_, TransportHeader::Protocol::kUdp);
  return list;
}

std::vector<PayloadMeter::FlowFigures> PayloadMeter::sent_so_far() const {
  std::vector<FlowFigures> list;
  append(list, sent_flows_, TransportHeader::Protocol::kTcp);
  append(list, sent_datagrams_, TransportHeader::Protocol::kUdp);
  return list;
}

std::vector<PayloadMeter::FlowFigures> PayloadMeter::received_flows() const {
  return received_in_window_ ? *received_in_window_ : received_so_far();
}

std::vector<PayloadMeter::FlowFigures> PayloadMeter::sent_flows() const {
  return sent_in_window_ ? *sent_in_window_ : sent_so_far();
}

}  // namespace longhaul::observe
