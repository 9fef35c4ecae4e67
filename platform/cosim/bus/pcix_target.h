// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "platform/cosim/bus/pcix_clock.h"

namespace longhaul::cosim {

/// A transaction of the device, and the data that it has brought.
struct PcixTaken {
  std::uint8_t command = 0;
  std::uint64_t address = 0;     ///< AD of the address phase
  std::uint32_t attributes = 0;  ///< AD of the attribute phase
  std::uint8_t upper = 0;        ///< C/BE[3:0]# of the attribute phase
  bool split = false;            ///< it got a Split Response
  std::uint32_t bytes = 0;       ///< that have moved, from first()
  std::vector<std::uint8_t> data = std::vector<std::uint8_t>(kPcixMostBytes);
  std::bitset<kPcixMostBytes> enabled;  ///< which of them have their byte enable

  std::uint32_t count() const {
    return pcix_command::is_dword(command) ? 4 : pcix_count(upper, attributes);
  }
  std::uint8_t tag() const {
    return (command == pcix_command::kSplitCompletion ? address : attributes) >> 24U & 31U;
  }
  std::uint64_t first() const {
    return command == pcix_command::kSplitCompletion ? address & 0x7fU
           : pcix_command::is_dword(command)         ? address & ~std::uint64_t{3}
                                                     : address;
  }
};

/// How the host answers.
struct PcixAnswer {
  enum class Kind : std::uint8_t { kData, kSplit, kRetry, kTargetAbort };
  Kind kind = Kind::kData;
  std::uint32_t waits = 0;  ///< wait states before the first data phase; an even number for writes
  bool cut = false;         ///< Disconnect at Next ADB, asked for in the first data phase
};

/// Decides for a PcixTarget, and takes the transactions.
class PcixTargetClient {
 public:
  virtual ~PcixTargetClient() = default;
  /// Whether the host answers a transaction of this command and address.
  virtual bool claims(const PcixTaken& taken) = 0;
  /// How it answers, when the attributes are known.
  virtual PcixAnswer answer(const PcixTaken& taken) = 0;
  /// The transaction has got a Split Response, or has brought its data.
  virtual void taken(const PcixTaken& taken) = 0;
};

/// The host as a target, clock by clock. It claims in decode A, and has all data of a write in one
/// transaction. Inputs and outputs are registered, so what it drives in a clock follows from the
/// clock two before.
class PcixTarget {
 public:
  explicit PcixTarget(PcixTargetClient& client) : client_(client) {}
  /// Drives the next clock, by `seen`, the clock two before it. `own`: the transaction on the bus
  /// is the host's. `wide`: the slot has 64 bits.
  PcixClock step(const PcixClock& seen, bool own, bool wide);
  bool idle() const { return state_ == State::kIdle; }

 private:
  enum class State : std::uint8_t { kIdle, kHigh, kAnswers, kEnds };
  static constexpr int kDecode = 2;  // clocks from the last address phase: decode A

  void address(const PcixClock& seen);
  PcixClock respond(const PcixClock& seen);
  PcixClock data_phase(const PcixClock& seen);
  void collect(const PcixClock& seen, std::uint32_t phase);

  PcixTargetClient& client_;
  State state_ = State::kIdle;
  PcixTaken taken_;
  PcixAnswer answer_;
  bool asks_wide_ = false;
  bool wide_ = false;
  int at_ = 0;     // the clock that is seen; 0 is the last address phase
  int first_ = 0;  // the first data phase
  std::uint32_t shown_ = 0;
  std::uint32_t total_ = 0;
  bool ended_ = false;  // no more data phases are shown
};

}  // namespace longhaul::cosim
