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
#include "models/nic/blocks/delay_timer.h"
#include "models/nic/blocks/eeprom_93c46.h"
#include "models/nic/blocks/register_ports.h"
#include "models/nic/dp83820/dp83820_rx.h"
#include "models/nic/dp83820/dp83820_tx.h"
#include "models/nic/dp83820/interrupts.h"
#include "models/nic/dp83820/params.h"
#include "models/nic/dp83820/tbi.h"

namespace longhaul::nic::dp83820 {

/// A National DP83820 gigabit adapter with a fibre transceiver, for the unmodified Linux ns83820
/// driver.
///
/// A conventional PCI function with 4 KB of registers in BAR 1, 256 I/O ports to them in BAR 0,
/// INTA# and one Ethernet port. See README.md for registers, timing and what is not modelled.
class Dp83820 final : public AdapterModule<Dp83820Params, Dp83820Tx, Dp83820Rx> {
 public:
  /// `index` numbers the adapters of a simulation from 0 and gives the default MAC address. Throws
  /// ConfigError whose message starts with the module's name for parameters that cannot be built.
  Dp83820(const sc_core::sc_module_name& name, const Dp83820Params& params, unsigned index);

  std::vector<std::string> changeable() const override;
  const MacAddress& mac_address() const { return address_; }

  observe::Counter resets{"resets", "1", "resets by CR.RST"};

 private:
  Dp83820Parts parts();
  void add_config_copy();
  void start_of_simulation() override;
  std::uint32_t cr_now() const;
  void cr_written(std::uint32_t value);
  void reset();
  void load_configuration();
  std::uint32_t cfg_now() const;
  void mear_written(std::uint32_t value);
  std::uint32_t mear_now() const;
  void ptscr_written(std::uint32_t value);
  void self_test_done();
  void link_may_have_changed();
  bool link_up() const;

  const MacAddress address_;
  Eeprom93c46 eeprom_;
  RegisterPorts ports_{bank()};
  sc_core::sc_time reset_until_;
  bool was_up_ = false;
  std::uint32_t tests_ = 0;       // tests of PTSCR in progress
  std::uint32_t tests_done_ = 0;  // tests of PTSCR that are over: RBIST_DONE

  Reg32 cr_{bank(), regs::kCr, this, &Dp83820::cr_now, &Dp83820::cr_written};
  Reg32 cfg_{bank(), regs::kCfg, this, &Dp83820::cfg_now};
  Reg32 mear_{bank(), regs::kMear, this, &Dp83820::mear_now, &Dp83820::mear_written};
  Reg32 ptscr_{bank(), regs::kPtscr, [this] { return tests_ | tests_done_; },
               [this](std::uint32_t value) { ptscr_written(value); }};
  Reg32 srr_{bank(), regs::kSrr, [this] { return params_.revision(); }};
  std::deque<Reg32> plain_;  // registers that only store the written value
  std::deque<Reg32> config_copy_;

  DelayTimer self_test_;
  Interrupts interrupts_;
  Tbi tbi_;
  Dp83820Rx rx_;
  Dp83820Tx tx_;
};

/// Builds an adapter from JSON parameters (see params.h; null for all defaults). Throws like the
/// constructor.
std::unique_ptr<Dp83820> make_dp83820(const std::string& name, const nlohmann::json& params,
                                      unsigned index);

}  // namespace longhaul::nic::dp83820
