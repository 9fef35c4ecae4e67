// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/duplicate_acks.h"

namespace longhaul::observe {
namespace {

/// Order of sequence numbers (RFC 9293, section 3.4).
bool is_after(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) > 0; }

}  // namespace

void DuplicateAcks::sent(const TcpSegment& s) {
  Flow& flow = flows_[flow_key(s.source, s.source_port, s.destination, s.destination_port)];
  if ((s.flags & TcpSegment::kSyn) != 0) flow = {};
  const bool counts = (s.flags & (TcpSegment::kSyn | TcpSegment::kFin)) != 0;
  const std::uint32_t end = s.sequence + s.payload + (counts ? 1 : 0);
  if (!flow.has_sent || is_after(end, flow.sent_end)) flow.sent_end = end;
  flow.has_sent = true;
}

bool DuplicateAcks::received(const TcpSegment& s) {
  if ((s.flags & TcpSegment::kAck) == 0) return false;
  Flow& flow = flows_[flow_key(s.destination, s.destination_port, s.source, s.source_port)];
  const bool plain =
      s.payload == 0 && (s.flags & (TcpSegment::kSyn | TcpSegment::kFin | TcpSegment::kRst)) == 0;
  const bool outstanding = flow.has_sent && is_after(flow.sent_end, s.acknowledgment);
  const bool repeats = flow.has_ack && s.acknowledgment == flow.ack;
  const bool duplicate =
      plain && outstanding && repeats && (s.window == flow.window || s.sack_blocks > 0);
  if (!flow.has_ack || is_after(s.acknowledgment, flow.ack)) flow.ack = s.acknowledgment;
  flow.has_ack = true;
  flow.window = s.window;
  return duplicate;
}

}  // namespace longhaul::observe
