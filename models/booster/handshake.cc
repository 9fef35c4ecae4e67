// SPDX-License-Identifier: Apache-2.0
#include "models/booster/handshake.h"

#include <algorithm>

namespace longhaul::booster {
namespace {

constexpr std::uint8_t kLargestShift = 14;  // RFC 7323, 2.3

}  // namespace

void Handshake::syn(const tcp::Segment& segment, std::uint64_t now) {
  if (opener_.seen && opener_.seq != segment.seq) responder_ = {};
  opener_ = {true, segment.seq, segment.window, segment.options, segment.options.ts_value, now};
  syn_at_ = now;
}

bool Handshake::syn_ack(const tcp::Segment& segment, std::uint64_t now) {
  if (!opener_.seen || segment.ack != opener_.seq + 1) return false;
  responder_ = {true, segment.seq, segment.window, segment.options, segment.options.ts_value, now};
  syn_ack_at_ = now;
  return true;
}

bool Handshake::acknowledged_by(const tcp::Segment& segment, std::uint64_t now) {
  if (!responder_.seen || !segment.has(tcp::kAck) || segment.has(tcp::kRst) ||
      segment.ack != responder_.seq + 1) {
    return false;
  }
  ack_window_ = segment.window;
  if (segment.options.timestamps) {
    opener_.timestamp = segment.options.ts_value;
    opener_.timestamp_at = now;
  }
  return true;
}

tcp::Handover Handshake::between(const Side& own, const Side& peer, std::uint64_t now,
                                 std::uint64_t timestamp_tick) {
  tcp::Handover handover;
  handover.opening.iss = own.seq;
  handover.irs = peer.seq;
  handover.own = own.options;
  handover.peer = peer.options;
  handover.offered = own.window;
  handover.window = peer.window;
  handover.timestamp =
      own.timestamp + static_cast<std::uint32_t>((now - own.timestamp_at) / timestamp_tick);
  handover.peer_timestamp = peer.timestamp;
  return handover;
}

tcp::Handover Handshake::to_opener(std::uint64_t now, std::uint64_t timestamp_tick) const {
  tcp::Handover handover = between(responder_, opener_, now, timestamp_tick);
  const bool scaling = opener_.options.window_scale && responder_.options.window_scale;
  handover.window = std::uint64_t{ack_window_}
                    << (scaling ? std::min(*opener_.options.window_scale, kLargestShift) : 0);
  handover.rtt = now - syn_ack_at_;
  return handover;
}

tcp::Handover Handshake::to_responder(std::uint64_t now, std::uint64_t timestamp_tick) const {
  tcp::Handover handover = between(opener_, responder_, now, timestamp_tick);
  handover.rtt = syn_ack_at_ - syn_at_;
  return handover;
}

tcp::Segment Handshake::last_ack() const {
  tcp::Segment ack;
  ack.flags = tcp::kAck;
  ack.seq = opener_.seq + 1;
  ack.ack = responder_.seq + 1;
  ack.window = ack_window_;
  ack.options.timestamps = opener_.options.timestamps && responder_.options.timestamps;
  ack.options.ts_value = opener_.timestamp;
  ack.options.ts_echo = responder_.timestamp;
  return ack;
}

}  // namespace longhaul::booster
