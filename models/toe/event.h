// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace longhaul::toe {

/// The kinds of an engine's events.
enum class Event : std::uint8_t {
  kReceive,     ///< a received packet
  kData,        ///< a message of the host's queue of data
  kControl,     ///< a message of the host's other queue
  kModulation,  ///< sending because an ACK has opened the window
  kTimer,
};
inline constexpr std::size_t kEvents = 5;

/// Why an event that waits cannot be taken now.
enum class Stall : std::uint8_t {
  kNone,
  kTxFifo,   ///< no room for a segment: the wire is slow or paused
  kReplies,  ///< no room for messages to the host
  kPayload,  ///< a TxData waits for payload memory
  kMemory,   ///< an event of another lane has the memory
};
inline constexpr std::size_t kStalls = 5;

/// Clocks of the engine that an event takes.
struct EventClocks {
  std::uint64_t work = 0;     ///< its own, the TCAM, headers
  std::uint64_t context = 0;  ///< its control block from context memory
  std::uint64_t payload = 0;  ///< moves through payload memory
  std::uint64_t sum() const { return work + context + payload; }
};

}  // namespace longhaul::toe
