// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "models/wan/gnet1/gnet1_registers.h"
#include "models/wan/gnet1/gnet1_regs_info.h"

namespace longhaul::wan {

/// The registers of one port of the twin.
class Gnet1Registers::PortRegisters {
 public:
  PortRegisters(Gnet1Registers& registers, Gnet1TwinPort& port, std::size_t index);

  /// Passes the settings of the transmit side on; MAGIC is one of them.
  void set_transmitter();

 private:
  void write_port_ctrl(Value value);
  void write_discard_ctrl(Value value);
  void set_shaper();
  /// Declares a register of this port.
  Reg32 make(const RegisterInfo& info, Reg32::OnRead on_read = {}, Reg32::OnWrite on_write = {}) {
    return make_register(bank_, info, base_, std::move(on_read), std::move(on_write));
  }
  void limit(Reg32& reg, const RegisterInfo& info) { Gnet1Registers::mask(reg, info); }
  std::uint64_t clock() const { return registers_.clock_; }

  const Gnet1Registers& registers_;
  RegisterBank& bank_;
  const std::uint32_t base_;  // address of the port's block
  Gnet1TwinPort& port_;

  Reg32 ctrl_;
  Reg32 route_;
  Reg32 delay_;
  Reg32 ifg_;
  Reg32 error_threshold_;
  Reg32 seed_low_;
  Reg32 seed_high_;
  Reg32 discard_ctrl_;
  Reg32 discard_arg_;
  Reg32 discard_stamp_;
  Reg32 capacity_;
  Reg32 level_;
  Reg32 level_max_;
  Reg32 word_cost_;
  Reg32 cost_fraction_;
  Reg32 frame_cost_;
  Reg32 burst_;
  Reg32 queue_limit_;
  Reg32 red_min_;
  Reg32 red_max_;
  Reg32 red_slope_;
  Reg32 red_weight_;
  Reg32 atm_overhead_;
  Reg32 stamp_offset_;
  Reg32 oneway_count_;
  Reg32 oneway_last_;
  Reg32 oneway_min_;
  Reg32 oneway_max_;
  Reg32 oneway_sum_low_;
  Reg32 oneway_sum_high_;
  Reg32 backlog_;
  Reg32 red_average_;
  std::array<std::unique_ptr<Reg32>, gnet1_regs::kCounterCount> counters_;
};

}  // namespace longhaul::wan
