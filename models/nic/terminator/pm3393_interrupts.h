// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

#include "models/common/register_bank.h"
#include "models/nic/terminator/pm3393_regs.h"

namespace longhaul::nic::terminator {

/// The interrupts of the PM3393: a status and an enable register for each block, the master
/// status, and the pin INTB.
///
/// A status register latches events and is cleared when it is read (WCIMODE 0). The master status
/// has a bit for each block with an enabled event. INTB is asserted while TOP_INTE is set and the
/// master status is not 0.
class Pm3393Interrupts {
 public:
  Pm3393Interrupts(RegisterBank& bank, std::function<void()> pin_changed);

  /// Latches events of the block whose bit in the master status is `block`.
  void raise(const RegisterField& block, std::uint32_t events);
  /// Sets whether MSTAT asks; its registers are its own.
  void set_mstat(bool asks);
  bool pin() const { return pin_; }
  void reset();

 private:
  /// The registers of a block.
  struct Block {
    Block(RegisterBank& bank, std::uint32_t bit, const pm::Spec& status_spec, Reg32::OnRead take,
          const pm::Spec& enable_spec, Reg32::OnWrite enabled)
        : master(bit),
          status(bank, status_spec, std::move(take)),
          enable(bank, enable_spec, std::move(enabled)) {}
    std::uint32_t master;
    Reg32 status;
    Reg32 enable;
  };
  std::uint32_t take(Block& block);
  std::uint32_t master() const;
  void update();

  std::function<void()> pin_changed_;
  bool mstat_asks_ = false;
  bool pin_ = false;
  std::deque<Block> blocks_;
  Reg32 master_;
  Reg32 global_enable_;
};

}  // namespace longhaul::nic::terminator
