// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "models/common/event_queue.h"
#include "models/common/register_bank.h"
#include "models/common/units.h"
#include "models/nic/terminator/regs_mac.h"

namespace longhaul::nic::terminator {

/// The Terminator's bus to the chips beside it, one access at a time: an address, data, and a
/// command that starts the access.
///
/// An access takes the clocks of `base_clocks` and of TPI_PAR. It acts on the chip at its end. A
/// command during an access is ignored. An address at which no chip answers reads as all ones, as a
/// bus that nobody drives.
class Tpi {
 public:
  Tpi(RegisterBank& bank, Frequency core_clock, std::uint32_t base_clocks);

  /// Tells whether the register at a byte offset of a chip answers.
  using Answers = std::function<bool(std::uint32_t)>;
  /// Adds a chip: the registers of `chip` from bus address `base` on. `chip` must outlive this bus.
  /// Without `answers` all registers answer.
  void attach(std::uint32_t base, RegisterBank& chip, Answers answers = {}) {
    chips_.push_back({base, &chip, std::move(answers)});
  }
  bool busy() const { return end_.is_set(); }
  std::uint64_t access_ps() const;
  /// Gives up an access in progress.
  void reset();

 private:
  struct Chip {
    std::uint32_t base;
    RegisterBank* bank;
    Answers answers;
  };
  void command(std::uint32_t value);
  std::uint32_t status() const;
  void finish();

  const std::uint64_t clock_ps_;
  const std::uint32_t base_clocks_;
  std::vector<Chip> chips_;
  bool writes_ = false;        // the access in progress
  std::uint32_t address_ = 0;  // of it
  std::uint32_t write_data_ = 0;
  Timer end_{[this] { finish(); }};
  Reg32 addr_;
  Reg32 wr_data_;
  Reg32 rd_data_;
  Reg32 csr_;
  Reg32 par_;
};

}  // namespace longhaul::nic::terminator
