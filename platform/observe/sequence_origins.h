// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "platform/observe/probe.h"
#include "platform/observe/transport_header.h"

namespace longhaul::observe {

/// The initial sequence number of each direction of each TCP connection, from the SYNs that hosts send: a number less its origin is what
/// viewers call relative, 0 for the SYN and 1 for the first byte. Memory: one entry a direction.
class SequenceOrigins final : public FrameListener {
 public:
  SequenceOrigins() = default;
  SequenceOrigins(const SequenceOrigins&) = delete;
  SequenceOrigins& operator=(const SequenceOrigins&) = delete;
  ~SequenceOrigins() override;

  /// Frames that a host's adapter sends, from now on; the tap outlives this.
  void watch(FrameTap& sent);
  /// Of the bytes that this flow's sender sends; nothing if its SYN has not been seen.
  std::optional<std::uint32_t> of(const FlowKey& flow) const;

  void on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate, const char* why) override;

 private:
  std::vector<FrameTap*> taps_;
  std::unordered_map<FlowKey, std::uint32_t, FlowKeyHash> origins_;
};

}  // namespace longhaul::observe
