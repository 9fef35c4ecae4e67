// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/host/drivers/chelsio/board.h"

namespace longhaul::host::nec {

/// The set-up of the line of NEC-TOE's adapters (models/nic/nec_toe): a gigabit MAC with registers
/// of its own. The MAC knows its station, and takes all groups.
class GigabitBoard final : public chelsio::Board {
 public:
  explicit GigabitBoard(chelsio::RegisterAccess& registers);

  void bring_up() override {}       // the MAC needs no reset
  void configure_bus() override {}  // there is none
  void configure_mac(const MacAddress& mac, std::uint32_t largest_frame) override;
  void enable_mac(bool flow_control) override;
  void disable_mac() override;
  void join(const MacAddress& /*group*/) override {}
  void enable_interrupts() override {}  // PL_ENABLE has the line's
  void disable_interrupts() override {}
  void take_link_interrupt() override {}  // reading LINE_STATUS does
  bool link() override;
  bool link_interrupts() const override { return true; }
};

}  // namespace longhaul::host::nec
