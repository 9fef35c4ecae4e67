// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <vector>

#include "models/nic/adapter_module.h"
#include "models/nic/genesis/board.h"
#include "models/nic/genesis/chip_timer.h"
#include "models/nic/genesis/genesis_rx.h"
#include "models/nic/genesis/genesis_tx.h"
#include "models/nic/genesis/interrupts.h"
#include "models/nic/genesis/io_window.h"
#include "models/nic/genesis/params.h"
#include "models/nic/genesis/ram_port.h"
#include "models/nic/genesis/regs.h"
#include "models/nic/genesis/xmac.h"

namespace longhaul::nic::genesis {

/// A SysKonnect SK-9843 SX: the GEnesis ASIC with one XMAC II, packet memory and optics, for the
/// unmodified Linux skge driver.
///
/// A conventional PCI function with 16 KB of registers in BAR 0, a window of 256 I/O ports to them,
/// power management, VPD, INTA# and one Ethernet port. See README.md for registers, timing and what
/// is not modelled.
class Genesis final : public AdapterModule<GenesisParams, GenesisTx, GenesisRx> {
 public:
  /// `index` numbers the adapters of a simulation from 0 and gives the default MAC address. Throws
  /// ConfigError whose message starts with the module's name for parameters that cannot be built.
  Genesis(const sc_core::sc_module_name& name, const GenesisParams& params, unsigned index);

  std::vector<std::string> changeable() const override;
  /// The address in the board's first MAC register after reset.
  const MacAddress& mac_address() const { return address_; }
  Xmac& xmac() { return xmac_; }
  Interrupts& interrupt_unit() { return interrupts_; }

  observe::Counter resets{"resets", "1", "resets of the chip by CTST and by leaving D3hot"};
  observe::Level led{"led", "1",
                     "the receive LED is lit by its test mode, as identification does it"};

 private:
  void add_plain_registers();
  void add_board_registers();
  void add_mirrors();
  void ctst_written(std::uint32_t value);
  std::uint32_t ctst_now();
  void reset();
  void bus_error(pcix::DmaStatus status);
  void config_changed();
  std::uint32_t causes() const;
  std::uint32_t hardware_errors();
  void rx_led_written(std::uint32_t value);
  void update_led();
  GenesisParts parts();

  const BoardKind& board_;
  const std::uint32_t bus_bits_;  // bits of CTST, which depend on the slot
  const std::uint32_t memory_code_;
  const MacAddress address_;
  IoWindow io_window_;
  bool software_reset_ = false;
  bool master_reset_ = false;
  bool stop_master_ = false;
  bool software_cause_ = false;
  bool status_led_ = false;
  bool aborted_ = false;  // a transfer met an abort since PCI's status register was cleared
  bool rx_led_test_ = false;
  bool built_ = false;

  Reg32 ctst_{bank(), regs::kCtst, this, &Genesis::ctst_now, &Genesis::ctst_written};
  Reg32 rx_led_val_{bank(), regs::kRxLedVal, this, &Genesis::update_led};
  Reg32 rx_led_ctrl_{bank(), regs::kRxLedCtrl, this, &Genesis::rx_led_written};
  std::deque<Reg32> plain_;  // registers that only store the written value, or show the board's
  std::deque<Reg32> mirrors_;

  Interrupts interrupts_;
  ChipTimer blink_;
  RamPort ram_;
  Xmac xmac_;
  GenesisRx rx_;
  GenesisTx tx_;
};

/// Builds an adapter from JSON parameters (see params.h; null for all defaults). Throws like the
/// constructor.
std::unique_ptr<Genesis> make_genesis(const std::string& name, const nlohmann::json& params,
                                      unsigned index);

}  // namespace longhaul::nic::genesis
