// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace longhaul::cpu {

/// What a core is doing, as its accounting tells apart.
enum class CoreState : std::size_t { kUser, kSystem, kSoftirq, kHardirq, kMmioStall, kIdle };
inline constexpr std::size_t kCoreStates = 6;
/// Those states in which work is done: the first four.
inline constexpr std::size_t kWorkStates = 4;

/// Kinds of counted work.
enum class WorkKind : std::size_t {
  kDelayPs,          ///< explicit delays, in picoseconds
  kUserSyscall,      ///< user-space work between two system calls
  kSyscall,          ///< a system call's entry, dispatch and exit, and the socket layer behind it
  kByteCopied,       ///< between user and kernel memory
  kByteChecksummed,  ///< by the CPU
  kPacketTx,         ///< handed to a driver, with the protocol work that led there
  kPacketRx,         ///< taken from a driver, with the protocol work that follows
  kNapiPoll,
  kInterrupt,
  kContextSwitch,
  kClockRead,
};
inline constexpr std::size_t kWorkKinds = 11;

/// Units of work per state and kind.
using WorkBatch = std::array<std::array<std::uint64_t, kWorkKinds>, kWorkStates>;

}  // namespace longhaul::cpu
