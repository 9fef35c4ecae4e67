// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/net/frame/frame_tap.h"
#include "platform/observe/transport_header.h"

namespace longhaul::observe {

/// The initial sequence number of each direction of each TCP connection, from the SYNs that hosts
/// send: a number less its origin is what viewers call relative, 0 for the SYN and 1 for the first
/// byte. Bounded: it keeps kMostFlows directions (32 MB) and forgets those whose first SYN is the
/// oldest; their numbers are then the wire's.
class SequenceOrigins final : public FrameListener {
 public:
  static constexpr std::size_t kMostFlows = std::size_t{1} << 18;

  explicit SequenceOrigins(std::size_t most_flows = kMostFlows) : most_flows_(most_flows) {}
  SequenceOrigins(const SequenceOrigins&) = delete;
  SequenceOrigins& operator=(const SequenceOrigins&) = delete;
  ~SequenceOrigins() override;

  /// Frames that a host's adapter sends, from now on; the tap outlives this.
  void watch(FrameTap& sent);
  /// Of the bytes that this flow's sender sends; nothing if its SYN has not been seen.
  std::optional<std::uint32_t> of(const FlowKey& flow) const;

  void on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                const char* why) override;

 private:
  const std::size_t most_flows_;
  std::vector<FrameTap*> taps_;
  std::unordered_map<FlowKey, std::uint32_t, FlowKeyHash> origins_;
  std::deque<FlowKey> in_order_;  // of their first SYN
};

}  // namespace longhaul::observe
