// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>

#include "models/nic/blocks/eeprom_93c46.h"
#include "models/nic/blocks/interrupt_moderator.h"
#include "models/nic/blocks/mdio.h"
#include "models/nic/intel/intel_adapter.h"
#include "models/nic/ixgb/ixgb_eeprom.h"
#include "models/nic/ixgb/ixgb_rx.h"
#include "models/nic/ixgb/ixgb_stats.h"
#include "models/nic/ixgb/ixgb_tx.h"
#include "models/nic/ixgb/params.h"
#include "models/nic/ixgb/xpak.h"

namespace longhaul::nic::ixgb {

/// An Intel PRO/10GbE adapter with its 82597EX controller, EEPROM and optics, for the unmodified
/// Linux ixgb driver.
///
/// A PCI-X device with a 128 KB BAR 0, MSI, and one Ethernet port. See README.md for registers,
/// timing and what is not modelled.
class Ixgb final : public intel::IntelAdapter<IxgbParams, IxgbTx, IxgbRx> {
 public:
  /// `index` numbers the adapters of a simulation from 0 and gives the default MAC address. Throws
  /// ConfigError whose message starts with the module's name for parameters that cannot be built.
  Ixgb(const sc_core::sc_module_name& name, const IxgbParams& params, unsigned index);

  MacAddress mac_address() const { return mac_address_of(eeprom_); }
  InterruptModerator& interrupt_moderator() { return interrupts_; }

  observe::Counter resets{"resets", "1", "device resets by CTRL0.RST"};
  observe::Level led{"led", "1", "the identification LED is lit"};

 private:
  static pcix::ConfigIdentity identity(const IxgbParams& params, const std::string& where);
  IxgbParts parts();
  void start_of_simulation() override;
  void ctrl0_written(std::uint32_t value);
  void ctrl1_written(std::uint32_t value);
  void eecd_written(std::uint32_t value);
  void msca_written(std::uint32_t value);
  void reset();
  void reset_link();
  void link_may_have_changed();
  void set_modes();
  void update_link();
  std::uint32_t ctrl0_now() const;
  std::uint32_t status_now() const;
  bool link_up() const { return aligned_ && mac_.carrier(); }
  std::uint32_t eecd_now() const {
    return eecd_.value() | (eeprom_.data_out() ? regs::kEecdFields.data_out : 0U);
  }
  std::uint32_t pcss1_now() const {
    return aligned_ ? regs::kPcss1Fields.rx_link_status : regs::kPcss1Fields.local_fault;
  }
  std::uint32_t pcss2_now() const {
    return regs::kPcss2Fields.dev_pres.put(1) | regs::kPcss2Fields.can_10gbx |
           (aligned_ ? 0U : regs::kPcss2Fields.rx_lf);
  }
  std::uint32_t xpcss_now() const {
    return aligned_ ? regs::kXpcssFields.align_status | regs::kXpcssFields.lane_sync : 0U;
  }
  std::uint32_t msca_now() const {
    return msca_.value() | (mdio_.busy() ? regs::kMscaFields.mdi_command : 0U);
  }
  std::uint32_t msrwd_now() const {
    return (msrwd_.value() & regs::kMsrwdFields.write_data) |
           regs::kMsrwdFields.read_data.put(mdio_.read_data());
  }

  Eeprom93c46 eeprom_;
  Xpak optics_;
  MdioStation mdio_;
  InterruptModerator interrupts_;
  IxgbStats stats_;
  DelayTimer link_timer_;
  bool aligned_ = false;  // XAUI lanes; set some time after a reset
  bool was_up_ = false;
  bool had_carrier_ = false;
  bool rx_enabled_ = false;
  sc_core::sc_time reset_until_ = sc_core::SC_ZERO_TIME;

  Reg32 ctrl0_{bank(), regs::kCtrl0, this, &Ixgb::ctrl0_now, &Ixgb::ctrl0_written};
  Reg32 ctrl1_{bank(), regs::kCtrl1, this, &Ixgb::ctrl1_written};
  Reg32 status_{bank(), regs::kStatus, this, &Ixgb::status_now};
  Reg32 eecd_{bank(), regs::kEecd, this, &Ixgb::eecd_now, &Ixgb::eecd_written};
  Reg32 mfs_{bank(), regs::kMfs, [this] { rx_.update_sizes(); }};

  Reg32 icr_{bank(), regs::kIcr, &interrupts_, &InterruptModerator::take};
  Reg32 ics_{bank(), regs::kIcs, &interrupts_, &InterruptModerator::causes,
             &InterruptModerator::post};
  Reg32 ims_{bank(), regs::kIms, &interrupts_, &InterruptModerator::mask,
             &InterruptModerator::enable};
  Reg32 imc_{bank(), regs::kImc, &interrupts_, &InterruptModerator::mask,
             &InterruptModerator::disable};

  Reg32 pap_{bank(), regs::kPap, [this] { rx_.update_thresholds(); }};
  Reg32 pcsc1_{bank(), regs::kPcsc1};
  Reg32 pcsc2_{bank(), regs::kPcsc2};
  Reg32 pcss1_{bank(), regs::kPcss1, this, &Ixgb::pcss1_now};
  Reg32 pcss2_{bank(), regs::kPcss2, this, &Ixgb::pcss2_now};
  Reg32 xpcss_{bank(), regs::kXpcss, this, &Ixgb::xpcss_now};
  Reg32 msca_{bank(), regs::kMsca, this, &Ixgb::msca_now, &Ixgb::msca_written};
  Reg32 msrwd_{bank(), regs::kMsrwd, this, &Ixgb::msrwd_now};
  Reg32 uccr_{bank(), regs::kUccr};
  Reg32 xpcstc_{bank(), regs::kXpcstc};
  Reg32 maca_{bank(), regs::kMaca};
  Reg32 apae_{bank(), regs::kApae};
  Reg32 ard_{bank(), regs::kArd};
  Reg32 ais_{bank(), regs::kAis};
  Reg32 wufc_{bank(), regs::kWufc};
  Reg32 wus_{bank(), regs::kWus};

  IxgbRx rx_;
  IxgbTx tx_;
};

/// Builds an adapter from JSON parameters (see params.h; null for all defaults). Throws like the
/// constructor.
std::unique_ptr<Ixgb> make_ixgb(const std::string& name, const nlohmann::json& params,
                                unsigned index);

}  // namespace longhaul::nic::ixgb
