// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/common/register_bank.h"
#include "tests/rtl/nic/twin/phase.h"
#include "tests/rtl/nic/twin/random.h"
#include "tests/rtl/nic/twin/rx_plan.h"
#include "tests/rtl/nic/twin/tx_plan.h"

namespace longhaul::nic_twin {

/// Draws the phases of a test, one after another, from a seed. It keeps what a driver keeps: its
/// rings, and which receive descriptors are the adapter's.
///
/// The result of a phase is no matter of instants, as far as both models obey the same rules. There
/// are descriptors and room for all frames, or for none, or frames are far apart.
class Script {
 public:
  static constexpr std::uint64_t kTxRing = 0x1'0000;
  static constexpr std::uint64_t kRxRing = 0x4'0000;
  static constexpr std::uint64_t kTxData = 0x10'0000;
  static constexpr std::uint64_t kTxEnd = 0x30'0000;
  static constexpr std::uint64_t kRxData = 0x30'0000;
  static constexpr std::uint64_t kRxEnd = 0x80'0000;

  Script(std::uint64_t seed, const RegisterBank& registers);

  /// The next phase. `rx_head` is RDH after the last one.
  Phase next(std::uint32_t rx_head);

 private:
  struct Ring {
    std::uint64_t base = 0;
    std::uint32_t entries = 8;
    std::uint32_t next = 0;  ///< the tail
  };

  Phase registers();
  Phase traffic();
  void board(Phase& phase);
  void reset(Phase& phase);
  void filters(Phase& phase);
  void rings(Phase& phase);
  void modes(Phase& phase);
  void thresholds(Phase& phase);
  void transmit(Phase& phase);
  void receive(Phase& phase);
  void flood(Phase& phase);
  void give(Phase& phase, std::uint32_t count);
  void cut(Phase& phase);
  std::uint32_t most_given() const { return rx_.entries - 1 - given_; }
  std::uint32_t buffers_of_a_frame() const { return (limit_ + 4 + buffer_ - 1) / buffer_; }

  Random random_;
  const RegisterBank& registers_;
  Ring tx_, rx_;
  std::uint32_t given_ = 0;  // receive descriptors that are the adapter's
  std::uint64_t rx_place_ = kRxData;
  bool waiting_ = false;  // frames may wait for descriptors
  bool floods_ = false;   // frames come, and no descriptors are there
  bool must_reset_ = true;
  std::uint32_t phases_ = 0;
  std::uint32_t rctl_ = 0;
  std::uint32_t limit_ = 1518;  // longest frame, FCS included
  std::uint32_t buffer_ = 2048;
  std::vector<MacAddress> exact_;
};

}  // namespace longhaul::nic_twin
