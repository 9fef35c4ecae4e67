// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "models/common/ring_buffer.h"
#include "models/common/units.h"
#include "models/net/link/octet_clock.h"

namespace longhaul {

/// A token bucket for frames: a shaper with a finite queue, or a policer without a queue. Has no
/// events: the time at which a frame may leave is known when it arrives.
///
/// Octets are those of frames with FCS, without preamble and gap. The bucket holds `burst` octets,
/// or one frame if that is more, and fills at `rate`. Frames leave in order, each when the bucket
/// has its octets. Exact: rounding errors do not add up.
class RateLimiter {
 public:
  enum class Mode { kShape, kPolice };

  /// Sets the limit; rate 0 passes all frames. A change keeps the debt of earlier frames. Waiting
  /// frames leave at the time that they were given.
  void set(BitRate rate, Mode mode, Bytes burst, Bytes queue);
  bool active() const { return rate_.bits_per_s != 0; }

  /// A frame arrives at `now_ps`. Returns when it leaves, or nothing if it is dropped.
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
  OctetClock debt_{OctetTime{}};  // when the bucket will be full
  std::uint64_t last_leaves_ps_ = 0;
  RingBuffer<Waiting> waiting_;
  std::uint64_t waiting_octets_ = 0;
};

}  // namespace longhaul
