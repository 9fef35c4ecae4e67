// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/common/ring_buffer.h"
#include "models/common/units.h"
#include "models/net/link/octet_clock.h"

namespace longhaul {

/// A token bucket over frames, as a shaper with a finite queue or as a policer without one. Costs
/// no events: the time at which each frame may leave is known when it arrives.
///
/// Octets are those of frames with FCS, without preamble and gap. The bucket holds `burst` octets,
/// or one frame if that is more, and fills at `rate`; a frame leaves when its octets are there, in
/// order. Exact: no rounding adds up.
class RateLimiter {
 public:
  enum class Mode { kShape, kPolice };

  /// rate 0 lets everything pass. A change keeps the debt of what has passed; what waits leaves
  /// when it was to leave.
  void set(BitRate rate, Mode mode, Bytes burst, Bytes queue);
  bool active() const { return rate_.bits_per_s != 0; }

  /// A frame arrives at `now_ps`: when it leaves, or nothing if it is dropped.
  std::optional<std::uint64_t> pass(std::uint32_t octets, std::uint64_t now_ps);
  /// Octets of frames that wait at `now_ps`.
  std::uint64_t backlog(std::uint64_t now_ps);

 private:
  struct Waiting {
    std::uint64_t leaves_ps = 0;
    std::uint32_t octets = 0;
  };

  BitRate rate_{0};
  Mode mode_ = Mode::kShape;
  Bytes burst_{0};
  Bytes queue_{0};
  OctetClock debt_{OctetTime{}};  // when the bucket will be as full as it gets
  std::uint64_t last_leaves_ps_ = 0;
  RingBuffer<Waiting> waiting_;
  std::uint64_t waiting_octets_ = 0;
};

}  // namespace longhaul
