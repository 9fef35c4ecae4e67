// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>

#include "models/nic/blocks/interrupt_moderator.h"
#include "models/nic/blocks/mac_address.h"
#include "models/nic/blocks/mdio.h"
#include "models/nic/e1000/board_eeprom.h"
#include "models/nic/e1000/boards.h"
#include "models/nic/e1000/e1000_rx.h"
#include "models/nic/e1000/e1000_stats.h"
#include "models/nic/e1000/e1000_tx.h"
#include "models/nic/e1000/io_window.h"
#include "models/nic/e1000/params.h"
#include "models/nic/e1000/phy_m88.h"
#include "models/nic/e1000/tbi_link.h"
#include "models/nic/intel/intel_adapter.h"

namespace longhaul::nic::e1000 {

/// An Intel PRO/1000 server adapter with its 82545EM, 82545GM, 82546EB or 82546GB controller,
/// EEPROM and optics or transceiver, for the unmodified Linux e1000 driver.
///
/// A PCI-X or PCI function with a 128 KB BAR 0, I/O ports, MSI, and one Ethernet port. See
/// README.md for registers, timing and what is not modelled.
class E1000 final : public intel::IntelAdapter<E1000Params, E1000Tx, E1000Rx> {
 public:
  /// `index` numbers the adapters of a simulation from 0 and gives the default MAC address. Throws
  /// ConfigError whose message starts with the module's name for parameters that cannot be built.
  ///
  /// With `lan_a`, this is LAN B, the second function of the 82546 whose first function is `lan_a`.
  /// They share the EEPROM, and LAN B has its MAC address with the last bit inverted.
  E1000(const sc_core::sc_module_name& name, const E1000Params& params, unsigned index,
        E1000* lan_a = nullptr);

  MacAddress mac_address() const;
  std::uint32_t function() const { return function_; }
  InterruptModerator& interrupt_moderator() { return interrupts_; }

  observe::Counter resets{"resets", "1", "device resets by CTRL.RST"};
  observe::Level led{"led", "1", "the identification LED is lit"};

 private:
  E1000Parts parts();
  void start_of_simulation() override;
  void ctrl_written(std::uint32_t value);
  std::uint32_t ctrl_now() const;
  std::uint32_t ctrl_default() const;
  std::uint32_t status_now() const;
  void eecd_written(std::uint32_t value);
  std::uint32_t eecd_now() const;
  void eerd_written(std::uint32_t value);
  std::uint32_t eerd_now() const;
  void ctrl_ext_written(std::uint32_t value);
  void vet_written(std::uint32_t value);
  void mdic_written(std::uint32_t value);
  std::uint32_t mdic_now() const;
  void mdic_done();
  void pba_written(std::uint32_t value);
  void throttle_written(std::uint32_t value);
  void reset();
  void apply_ctrl();
  void apply_loopback();
  void carrier_changed();
  void negotiated(PauseModes modes);
  void update_link();
  void set_modes();
  void update_led();
  bool link_up() const {
    return board_.fiber
               ? tbi_.up()
               : ctrl_.has(regs::kCtrlFields.slu) && phy_.up() != ctrl_.has(regs::kCtrlFields.ilos);
  }

  const BoardKind& board_;
  const std::uint32_t function_;
  IoWindow io_window_;
  std::shared_ptr<BoardEeprom> eeprom_;
  PhyM88 phy_;
  MdioStation mdio_;
  InterruptModerator interrupts_;
  E1000Stats stats_;
  TbiLink tbi_;
  DelayTimer mdic_timer_;
  bool was_up_ = false;
  bool had_carrier_ = false;
  bool rx_enabled_ = false;
  std::uint16_t eerd_data_ = 0;
  sc_core::sc_time eerd_done_ = sc_core::SC_ZERO_TIME;
  sc_core::sc_time reset_until_ = sc_core::SC_ZERO_TIME;

  Reg32 ctrl_{bank(), regs::kCtrl, this, &E1000::ctrl_now, &E1000::ctrl_written};
  Reg32 ctrl_dup_{bank(), regs::kCtrlDup, this, &E1000::ctrl_now, &E1000::ctrl_written};
  Reg32 status_{bank(), regs::kStatus, this, &E1000::status_now};
  Reg32 eecd_{bank(), regs::kEecd, this, &E1000::eecd_now, &E1000::eecd_written};
  Reg32 eerd_{bank(), regs::kEerd, this, &E1000::eerd_now, &E1000::eerd_written};
  Reg32 ctrl_ext_{bank(), regs::kCtrlExt, this, &E1000::ctrl_ext_written};
  Reg32 mdic_{bank(), regs::kMdic, this, &E1000::mdic_now, &E1000::mdic_written};
  Reg32 fcal_{bank(), regs::kFcal};
  Reg32 fcah_{bank(), regs::kFcah};
  Reg32 fct_{bank(), regs::kFct};
  Reg32 vet_{bank(), regs::kVet, this, &E1000::vet_written};

  Reg32 icr_{bank(), regs::kIcr, &interrupts_, &InterruptModerator::take};
  Reg32 itr_{bank(), regs::kItr, this, &E1000::throttle_written};
  Reg32 ics_{bank(), regs::kIcs, &interrupts_, &InterruptModerator::post};
  Reg32 ims_{bank(), regs::kIms, &interrupts_, &InterruptModerator::mask,
             &InterruptModerator::enable};
  Reg32 imc_{bank(), regs::kImc, &interrupts_, &InterruptModerator::disable};

  Reg32 tipg_{bank(), regs::kTipg};
  Reg32 ait_{bank(), regs::kAit};
  Reg32 ledctl_{bank(), regs::kLedctl, this, &E1000::update_led};
  Reg32 pba_{bank(), regs::kPba, this, &E1000::pba_written};
  Reg32 rsrpd_{bank(), regs::kRsrpd};
  Reg32 wuc_{bank(), regs::kWuc};
  Reg32 wufc_{bank(), regs::kWufc};
  Reg32 wus_{bank(), regs::kWus};
  Reg32 manc_{bank(), regs::kManc};

  E1000Rx rx_;
  E1000Tx tx_;
};

/// Builds an adapter from JSON parameters (see params.h; null for all defaults). Throws like the
/// constructor.
std::unique_ptr<E1000> make_e1000(const std::string& name, const nlohmann::json& params,
                                  unsigned index, E1000* lan_a = nullptr);

}  // namespace longhaul::nic::e1000
