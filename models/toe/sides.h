// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/toe/messages.h"

namespace longhaul::toe {

/// The queues through which a host's messages come. Each keeps its order. A TxData that waits for
/// payload memory at the head of its queue does not hold the other queue.
enum class HostQueue : std::uint8_t { kData, kControl };
inline constexpr std::size_t kHostQueues = 2;

/// The adapter's side towards the host. The engine calls it.
class HostSide {
 public:
  virtual ~HostSide() = default;
  /// Takes a message for the host, in order. Returns false if there is no room; the message is
  /// untouched then, and OffloadEngine::host_ready() must follow.
  virtual bool deliver(ToHost& message) = 0;
  /// The engine has taken the first message of a queue: the memory that it came in is free.
  virtual void message_taken(HostQueue /*queue*/) {}
  /// A queue has room again after OffloadEngine::offer() refused a message.
  virtual void queue_ready(HostQueue queue) = 0;
};

/// The adapter's side towards the wire. The engine calls it.
class WireSide {
 public:
  virtual ~WireSide() = default;
  /// A frame waits in the engine (FrameSource), or has become ready.
  virtual void frame_ready() = 0;
  /// The receive FIFO holds `bytes`. A MAC's water mark for PAUSE follows this value.
  virtual void fill_changed(std::uint64_t bytes) = 0;
  /// There is room again after OffloadEngine::send() refused a frame.
  virtual void send_ready() = 0;
};

}  // namespace longhaul::toe
