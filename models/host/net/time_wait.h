// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "models/common/ring_buffer.h"
#include "models/host/kernel/timers.h"
#include "models/host/net/flow_key.h"

namespace longhaul::host {

class Stack;

/// Connections in TIME-WAIT whose socket is gone (RFC 9293, 3.6.1). Stores only the data that
/// answer the peer's last segments.
class TimeWait final : public KernelTimer {
 public:
  struct Bucket {
    tcp::Endpoints ends;  ///< those of packets that this host sends
    std::uint32_t send_next = 0;
    std::uint32_t receive_next = 0;
    std::uint16_t window = 0;
    bool timestamps = false;
    std::uint32_t peer_timestamp = 0;
    std::uint32_t timestamp_offset = 0;
    std::uint64_t until = 0;  ///< set by add()
  };

  explicit TimeWait(Stack& stack) : stack_(stack) {}
  /// Adds a connection, unless there are already NetParams::time_wait_buckets.
  void add(Bucket bucket);
  /// Handles a segment of one of them. Returns false if it belongs to none, or if it reopens the
  /// connection (RFC 6191; RFC 9293, 3.10.7.4); then the bucket is gone.
  bool take(const FlowKey& key, const tcp::Segment& segment);
  bool contains(const FlowKey& key) const { return buckets_.count(key) != 0; }
  std::size_t size() const { return buckets_.size(); }
  void expired() override;

 private:
  struct Expiry {
    FlowKey key;
    std::uint64_t at;
  };
  void changed();

  Stack& stack_;
  std::unordered_map<FlowKey, Bucket, FlowKey::Hash> buckets_;
  RingBuffer<Expiry> expiries_;  // in order of time: all have the same lifetime
};

}  // namespace longhaul::host
