// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace longhaul::cpu {

/// The states that a core's accounting distinguishes.
enum class CoreState : std::size_t { kUser, kSystem, kSoftirq, kHardirq, kMmioStall, kIdle };
inline constexpr std::size_t kCoreStates = 6;
/// The states in which work is done: the first four.
inline constexpr std::size_t kWorkStates = 4;

/// Kinds of counted work.
enum class WorkKind : std::size_t {
  kDelayPs,          ///< explicit delays, in picoseconds
  kExecuted,         ///< code that ran, in 1/64 cycles
  kUserSyscall,      ///< user-space work between two system calls
  kSyscall,          ///< a system call's entry, dispatch and exit, and the socket layer behind it
  kByteCopied,       ///< bytes between user and kernel memory
  kByteChecksummed,  ///< bytes, by the CPU
  kPacketTx,         ///< packets handed to a driver, with the protocol work before it
  kPacketRx,         ///< packets taken from a driver, with the protocol work after it
  kNapiPoll,
  kInterrupt,
  kContextSwitch,
  kClockRead,
};
inline constexpr std::size_t kWorkKinds = 12;

/// Units of kExecuted in a cycle.
inline constexpr std::uint64_t kUnitsPerCycle = 64;

/// Memory that a core touches in bulk. Its work units do not include cache misses; the core's cache
/// decides which lines miss.
struct MemoryTouch {
  enum class Kind : std::uint8_t {
    kCopy = 1,  ///< source to target; kByteCopied has the bytes
    kRead,      ///< source; each line waits for the one before
    kWrite,     ///< target
    kPoll,      ///< lines of the watched ranges that devices have made cold
    kCopySum,   ///< as kCopy, with a checksum over the bytes: Core::sum_beyond_copy()
    kSum,       ///< source, for a checksum; kByteChecksummed has the bytes
  };
  Kind kind = Kind::kRead;
  CoreState state = CoreState::kSystem;
  std::uint64_t source = 0;  ///< physical
  std::uint64_t target = 0;
  std::uint64_t bytes = 0;
};

/// Units of work per state and kind. Most are zero; a bit set finds the others quickly.
class WorkBatch {
 public:
  void add(CoreState state, WorkKind kind, std::uint64_t units) {
    const std::size_t place =
        static_cast<std::size_t>(state) * kWorkKinds + static_cast<std::size_t>(kind);
    assert(state < static_cast<CoreState>(kWorkStates) && "no work is done in that state");
    units_[place] += units;
    some_ |= std::uint64_t{1} << place;
  }
  void clear() {
    each([this](std::size_t state, std::size_t kind, std::uint64_t) {
      units_[state * kWorkKinds + kind] = 0;
    });
    some_ = 0;
  }
  /// Calls `found(state, kind, units)` for each non-zero entry, in ascending order of states and
  /// then kinds.
  template <class Found>
  void each(Found&& found) const {
    for (std::uint64_t left = some_; left != 0; left &= left - 1) {
      const auto place = static_cast<std::size_t>(__builtin_ctzll(left));
      found(place / kWorkKinds, place % kWorkKinds, units_[place]);
    }
  }

 private:
  std::array<std::uint64_t, kWorkStates * kWorkKinds> units_{};
  std::uint64_t some_ = 0;  // one bit for each entry that is not zero
};
static_assert(kWorkStates * kWorkKinds <= 64);

}  // namespace longhaul::cpu
