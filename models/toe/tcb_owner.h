// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/segment.h"
#include "models/toe/messages.h"
#include "models/toe/params.h"
#include "models/toe/payload_memory.h"
#include "models/toe/send_wait.h"
#include "models/toe/tcp_counts.h"

namespace longhaul::toe {

class Tcb;

/// The engine as its connections see it.
class TcbOwner {
 public:
  virtual ~TcbOwner() = default;
  virtual const ToeParams& params() const = 0;
  virtual std::uint64_t fin_wait2_ps() const = 0;
  /// Requests a timer, and returns the number of the request (TimerList).
  virtual std::uint64_t request_timer(Tcb& tcb, std::uint8_t kind, std::uint64_t at_ps) = 0;
  /// Sends a segment, for which the transmit FIFO has room.
  virtual void send(Tcb& tcb, const tcp::Segment& segment) = 0;
  /// Full segments of `bytes` that the transmit FIFO has room for.
  virtual std::uint32_t room_for_segments(std::uint32_t bytes) const = 0;
  virtual void post(ToHost message) = 0;
  /// The connection needs a modulation event.
  virtual void queue_token(Tcb& tcb) = 0;
  virtual PayloadMemory& payload() = 0;
  virtual TcpCounts& counts() = 0;
  /// The present event moves `bytes` from or to payload memory.
  virtual void spend_payload(std::uint64_t bytes) = 0;
  /// The counts of connections by what they wait for.
  virtual SendWaits& send_waits() = 0;
  /// A segment was dropped, because no page could be had (true) or it is beyond too many holes.
  virtual void dropped(bool no_page) = 0;
};

}  // namespace longhaul::toe
