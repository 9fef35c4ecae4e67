// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
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
  kExecuted,         ///< code that ran, in 1/64 cycles
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
inline constexpr std::size_t kWorkKinds = 12;

/// Units of kExecuted in a cycle.
inline constexpr std::uint64_t kUnitsPerCycle = 64;

/// Memory that a core touches in bulk, beyond what its work units cost: which lines miss is for its
/// cache to say.
struct MemoryTouch {
  enum class Kind : std::uint8_t {
    kCopy = 1,  ///< source to target; the bytes are in kByteCopied
    kRead,      ///< source, each line waiting for the one before
    kWrite,     ///< target
    kPoll,      ///< what devices have made cold of the watched ranges
  };
  Kind kind = Kind::kRead;
  CoreState state = CoreState::kSystem;
  std::uint64_t source = 0;  ///< physical
  std::uint64_t target = 0;
  std::uint64_t bytes = 0;
};

/// Units of work per state and kind, most of them none: what costs something is found without a
/// look at the others.
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
  /// Calls `found(state, kind, units)` for whatever was added, states and then kinds ascending.
  template <class Found>
  void each(Found&& found) const {
    for (std::uint64_t left = some_; left != 0; left &= left - 1) {
      const auto place = static_cast<std::size_t>(__builtin_ctzll(left));
      found(place / kWorkKinds, place % kWorkKinds, units_[place]);
    }
  }

 private:
  std::array<std::uint64_t, kWorkStates * kWorkKinds> units_{};
  std::uint64_t some_ = 0;  // a bit for each that something was added to
};
static_assert(kWorkStates * kWorkKinds <= 64);

}  // namespace longhaul::cpu
