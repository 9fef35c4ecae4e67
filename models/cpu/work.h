// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace longhaul::cpu {

/// What a core's time is accounted to. Work happens in the first kWorkStates; plain numbers, because a guest shares them.
enum State : std::uint32_t { kUser, kSystem, kSoftirq, kHardirq, kMmioStall, kIdle, kStates };
constexpr std::uint32_t kWorkStates = kMmioStall;

/// Kinds of work that software counts; the cost book gives each its price.
enum Kind : std::uint32_t {
  kCycle,            ///< a cycle that the software has counted itself (executed basic blocks)
  kPacketTx,         ///< a packet (or TSO super-packet) through transport, network and driver
  kPacketRx,         ///< a packet from ring to socket queue
  kByteCopied,       ///< between user and kernel
  kByteChecksummed,  ///< by software
  kInterrupt,        ///< entry, handler and exit
  kPoll,             ///< a NAPI poll or softirq round, without its packets
  kSyscall,          ///< entry, socket layer and exit
  kContextSwitch,
  kUserCall,         ///< what an application does around a system call
  kColdLine,         ///< first touch of a cache line that DMA wrote
  kKinds
};

/// Counts of work by state and kind, as a guest's shared page carries them.
struct Work {
  std::array<std::array<std::uint64_t, kKinds>, kWorkStates> counts{};

  void add(State state, Kind kind, std::uint64_t n = 1) { counts[state][kind] += n; }
};

const char* to_text(State state);
const char* to_text(Kind kind);

}  // namespace longhaul::cpu
