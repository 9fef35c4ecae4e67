// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <systemc>
#include <vector>

#include "interrupts.h"
#include "mii_phy.h"
#include "models/net/frame/ethernet_header.h"
#include "models/nic/adapter_module.h"
#include "models/nic/blocks/register_ports.h"
#include "params.h"
#include "parts.h"
#include "regs.h"
#include "statistics.h"
#include "tc9021_rx.h"
#include "tc9021_tx.h"

namespace tc9021 {

/// A Sundance TC9021 gigabit adapter with a fibre transceiver, as the unmodified Linux dl2k driver
/// sees it.
///
/// A conventional PCI function with 256 I/O ports in BAR 0 and 512 bytes of registers in BAR 1,
/// INTA# and one Ethernet port. See README.md for its numbers and what is left out, regs.h for its
/// registers.
class Tc9021 final : public longhaul::nic::AdapterModule<Tc9021Params, Tc9021Tx, Tc9021Rx> {
 public:
  /// `index` numbers the adapters of a simulation from 0: it makes the default MAC address. Throws
  /// ConfigError, which starts with the module's name, for parameters that cannot be built.
  Tc9021(const sc_core::sc_module_name& name, const Tc9021Params& params, unsigned index);

  std::vector<std::string> changeable() const override;

  longhaul::observe::Counter resets{"resets", "1", "resets by ASICCtrl"};

 private:
  static constexpr std::size_t kEepromBytes = 256;

  Tc9021Parts parts();
  void start_of_simulation() override;
  std::uint32_t dma_ctrl_now() const;
  void dma_ctrl_written(std::uint32_t value);
  void host_error(longhaul::pcix::DmaStatus status);
  std::uint32_t asic_ctrl_now() const;
  void asic_ctrl_written(std::uint32_t value);
  void reset(std::uint32_t what);
  std::uint32_t eeprom_now() const;
  void eeprom_written(std::uint32_t value);
  std::uint32_t mac_ctrl_now() const;
  void mac_ctrl_written(std::uint32_t value);
  std::uint32_t phy_ctrl_now() const;
  void phy_ctrl_written(std::uint32_t value);
  void max_frame_changed();
  void link_may_have_changed();

  const AccessCovers covers_{[this](std::uint32_t offset) { return access_covers(offset); }};
  const longhaul::MacAddress address_;
  const std::array<std::uint8_t, kEepromBytes> eeprom_;
  longhaul::nic::RegisterPorts ports_{bank()};
  sc_core::sc_time reset_until_;
  sc_core::sc_time eeprom_until_;
  std::uint32_t eeprom_command_ = 0;
  std::uint32_t aborts_ = 0;  // of DMACtrl
  bool sends_ = false;
  bool was_up_ = false;

  longhaul::Reg32 dma_ctrl_{bank(), regs::kDmaCtrl, this, &Tc9021::dma_ctrl_now,
                            &Tc9021::dma_ctrl_written};
  longhaul::Reg32 asic_ctrl_{bank(), regs::kAsicCtrl, this, &Tc9021::asic_ctrl_now,
                             &Tc9021::asic_ctrl_written};
  longhaul::Reg32 eeprom_ctrl_{bank(), regs::kEeprom, this, &Tc9021::eeprom_now,
                               &Tc9021::eeprom_written};
  longhaul::Reg32 mac_ctrl_{bank(), regs::kMacCtrl, this, &Tc9021::mac_ctrl_now,
                            &Tc9021::mac_ctrl_written};
  longhaul::Reg32 phy_ctrl_{bank(), regs::kPhyCtrl, this, &Tc9021::phy_ctrl_now,
                            &Tc9021::phy_ctrl_written};
  longhaul::Reg32 max_frame_{bank(), regs::kMaxFrameSize, this, &Tc9021::max_frame_changed};
  std::deque<longhaul::Reg32> plain_;  // registers that only hold what was written

  Interrupts interrupts_;
  Statistics statistics_;
  MiiPhy phy_;
  Tc9021Rx rx_;
  Tc9021Tx tx_;
};

}  // namespace tc9021
