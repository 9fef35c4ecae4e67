// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "platform/observe/tcp_segment.h"
#include "platform/observe/transport_header.h"

namespace longhaul::observe {

/// Finds duplicate acknowledgments (RFC 5681, section 2) among the TCP segments that reach a host.
/// The host has sent data that are not acknowledged. The segment has no data, is no SYN, FIN or
/// RST, and repeats the highest acknowledgment with the same window. With SACK blocks the window
/// may differ, because a receiver that grows its buffer offers more with each. Memory: one record
/// for each direction of a connection.
class DuplicateAcks {
 public:
  /// A segment leaves the host.
  void sent(const TcpSegment& segment);
  /// A segment reaches the host. Returns whether it is a duplicate acknowledgment.
  bool received(const TcpSegment& segment);

 private:
  struct Flow {
    bool has_sent = false;
    bool has_ack = false;
    std::uint32_t sent_end = 0;  // after the last byte sent
    std::uint32_t ack = 0;       // highest received
    std::uint16_t window = 0;    // of the last segment
  };
  // By the direction in which the host sends.
  std::unordered_map<FlowKey, Flow, FlowKeyHash> flows_;
};

}  // namespace longhaul::observe
