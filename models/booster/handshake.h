// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/connection.h"
#include "models/tcp/segment.h"

namespace longhaul::booster {

/// What a relay remembers of a handshake between two ends that passes through it, so that it can go
/// on with the connection in the place of either of them. Times are picoseconds.
class Handshake {
 public:
  /// The opener's SYN passed. Another one with other numbers begins anew.
  void syn(const tcp::Segment& segment, std::uint64_t now);
  /// The responder's SYN-ACK passed; false if it answers another SYN.
  bool syn_ack(const tcp::Segment& segment, std::uint64_t now);
  /// Whether a segment of the opener acknowledges the responder's SYN: both sides are open then.
  /// Its window and timestamp are remembered.
  bool acknowledged_by(const tcp::Segment& segment, std::uint64_t now);

  bool answered() const { return responder_.seen; }
  std::uint32_t initial() const { return opener_.seq; }
  /// To stand towards the opener in the responder's place.
  tcp::Handover to_opener(std::uint64_t now, std::uint64_t timestamp_tick) const;
  /// To stand towards the responder in the opener's place.
  tcp::Handover to_responder(std::uint64_t now, std::uint64_t timestamp_tick) const;
  /// The bare ACK that ends the handshake, in the opener's name.
  tcp::Segment last_ack() const;

 private:
  struct Side {
    bool seen = false;
    std::uint32_t seq = 0;
    std::uint16_t window = 0;     // on its SYN: never scaled
    tcp::Options options;         // on its SYN
    std::uint32_t timestamp = 0;  // latest
    std::uint64_t timestamp_at = 0;
  };
  static tcp::Handover between(const Side& own, const Side& peer, std::uint64_t now,
                               std::uint64_t timestamp_tick);

  Side opener_;
  Side responder_;
  std::uint64_t syn_at_ = 0;
  std::uint64_t syn_ack_at_ = 0;
  std::uint16_t ack_window_ = 0;  // as in the opener's ACK
};

}  // namespace longhaul::booster
