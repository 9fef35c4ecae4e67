// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "platform/cosim/bus/pcix_clock.h"

namespace longhaul::cosim {

/// How a transaction ended.
enum class PcixEnding : std::uint8_t { kMoved, kRetry, kSplit, kMasterAbort, kTargetAbort };

/// A transaction of the host: its header, its data, and how it ended.
struct PcixWork {
  std::uint8_t command = 0;
  std::uint64_t address = 0;     ///< AD of the address phase
  std::uint32_t attributes = 0;  ///< AD of the attribute phase
  std::uint8_t upper = 0;        ///< C/BE[3:0]# of the attribute phase
  std::uint64_t first = 0;       ///< address of the first byte of the data
  std::uint32_t bytes = 4;
  const std::uint8_t* data = nullptr;  ///< of a write or a Split Completion; null for a read
  bool wide = false;                   ///< REQ64#

  PcixEnding ending = PcixEnding::kMoved;
  std::uint32_t moved = 0;             ///< bytes
  std::array<std::uint8_t, 8> read{};  ///< the first bytes of a read that is answered at once
};

/// The host as an initiator: runs one transaction, clock by clock. Inputs and outputs are
/// registered, so what it drives in a clock follows from the clock two before.
///
/// The address of a configuration access is driven four clocks ahead of FRAME#. FRAME#, IRDY# and
/// data keep the table of rtl/pcix/README.md.
class PcixInitiator {
 public:
  bool active() const { return work_ != nullptr; }
  /// The signal of the transaction that reaches IDSEL.
  bool idsel() const { return idsel_; }
  /// Begins a transaction with the clock that the next step() drives. `work` stays until done().
  void begin(PcixWork& work);
  /// Drives the next clock, by `seen`, the clock two before it. Only while active.
  PcixClock step(const PcixClock& seen);
  /// Whether the last step() ended the transaction.
  bool done() const { return done_; }

 private:
  static constexpr int kPreDrive = 4;  // clocks: configuration, PCI-X 1.0b, chapter 2

  PcixClock data_phase(std::uint32_t index, bool known) const;
  PcixClock header() const;
  void judge(const PcixClock& seen, int at);
  void take_answer(const PcixClock& seen, int at);
  void end();

  PcixWork* work_ = nullptr;
  bool done_ = false;
  bool idsel_ = false;
  int clock_ = 0;  // that is driven; 0 is the last address phase
  int claim_ = -1;
  int first_ = -1;
  int last_ = -1;
  bool wide_ = false;
  std::uint32_t phases_ = 0;  // data phases that move
};

}  // namespace longhaul::cosim
