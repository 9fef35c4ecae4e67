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
/// send. A number less its origin is the relative number of viewers: 0 for the SYN and 1 for the
/// first byte. Memory is bounded: it keeps kMostFlows directions (32 MB) and forgets those whose
/// first SYN is the oldest. Their numbers are then shown as on the wire.
class SequenceOrigins final : public FrameListener {
 public:
  static constexpr std::size_t kMostFlows = std::size_t{1} << 18;

  explicit SequenceOrigins(std::size_t most_flows = kMostFlows) : most_flows_(most_flows) {}
  SequenceOrigins(const SequenceOrigins&) = delete;
  SequenceOrigins& operator=(const SequenceOrigins&) = delete;
  ~SequenceOrigins() override;

  /// Watches the frames that a host's adapter sends. The tap must outlive this object.
  void watch(FrameTap& sent);
  /// The origin of the bytes that this flow's sender sends; empty if its SYN was not seen.
  std::optional<std::uint32_t> of(const FlowKey& flow) const;

  void on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                const char* why) override;

 private:
  const std::size_t most_flows_;
  std::vector<FrameTap*> taps_;
  std::unordered_map<FlowKey, std::uint32_t, FlowKeyHash> origins_;
  std::deque<FlowKey> in_order_;  // in the order of their first SYN
};

}  // namespace longhaul::observe
