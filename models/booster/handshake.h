// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/connection.h"
#include "models/tcp/segment.h"

namespace longhaul::booster {

/// The relay's record of a handshake between two ends that passes through it. With it the relay can
/// continue the connection in the place of either end. Times are picoseconds.
class Handshake {
 public:
  /// The opener's SYN passed. A SYN with other numbers starts a new record.
  void syn(const tcp::Segment& segment, std::uint64_t now);
  /// The responder's SYN-ACK passed. Returns false if it answers another SYN.
  bool syn_ack(const tcp::Segment& segment, std::uint64_t now);
  /// Whether a segment of the opener acknowledges the responder's SYN, so that both sides are open.
  /// Stores its window and timestamp.
  bool acknowledged_by(const tcp::Segment& segment, std::uint64_t now);

  bool answered() const { return responder_.seen; }
  std::uint32_t initial() const { return opener_.seq; }
  /// The state for taking the responder's place towards the opener.
  tcp::Handover to_opener(std::uint64_t now, std::uint64_t timestamp_tick) const;
  /// The state for taking the opener's place towards the responder.
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
