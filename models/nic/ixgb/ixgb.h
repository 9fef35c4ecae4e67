// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <vector>

#include "models/net/mac/eth_mac.h"
#include "models/nic/adapter.h"
#include "models/nic/blocks/eeprom_93c46.h"
#include "models/nic/blocks/interrupt_moderator.h"
#include "models/nic/blocks/mdio.h"
#include "models/nic/ixgb/ixgb_eeprom.h"
#include "models/nic/ixgb/ixgb_rx.h"
#include "models/nic/ixgb/ixgb_stats.h"
#include "models/nic/ixgb/ixgb_tx.h"
#include "models/nic/ixgb/params.h"
#include "models/nic/ixgb/xpak.h"
#include "models/pcix/pcix_device.h"

namespace longhaul::nic::ixgb {

/// An Intel PRO/10GbE adapter with its 82597EX controller, EEPROM and optics, as the unmodified
/// Linux ixgb driver sees it.
///
/// A PCI-X device with a 128 KB BAR 0, MSI, and one Ethernet port. See README.md for registers,
/// timing and what is left out.
class Ixgb final : public pcix::PcixDevice, public Adapter {
 public:
  /// `index` numbers the adapters of a simulation from 0: it makes the default MAC address. Throws
  /// ConfigError, which starts with the module's name, for parameters that cannot be built.
  Ixgb(const sc_core::sc_module_name& name, const IxgbParams& params, unsigned index);

  EthPort& port() override { return mac_.port; }
  observe::FrameTap& received_frames() override { return rx_.taps; }
  observe::FrameTap& sent_frames() override { return tx_.taps; }
  pcix::PcixDevice& device() override { return *this; }
  void append_rings(std::vector<std::pair<std::uint64_t, std::uint64_t>>& rings) const override {
    rings.push_back(rx_.ring_memory());
    rings.push_back(tx_.ring_memory());
  }
  nlohmann::json describe_params() const override;
  std::vector<std::string> changeable() const override { return intel::speed_names(params_); }
  void change(const std::string& name, const nlohmann::json& value,
              const std::string& where) override;
  const IxgbParams& params() const { return params_; }
  MacAddress mac_address() const { return mac_address_of(eeprom_); }
  const EthMac& mac() const { return mac_; }
  IxgbTx& tx() { return tx_; }
  IxgbRx& rx() { return rx_; }
  InterruptModerator& interrupt_moderator() { return interrupts_; }

  observe::Counter resets{"resets", "1", "device resets by CTRL0.RST"};
  observe::Level led{"led", "1", "the identification LED is lit"};

 private:
  static pcix::ConfigIdentity identity(const IxgbParams& params, const std::string& where);
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
  void add_plain_registers();

  IxgbParams params_;
  const std::uint32_t bus_status_;  // STATUS bits that the slot decides
  EthMac mac_;
  Eeprom93c46 eeprom_;
  Xpak optics_;
  MdioStation mdio_;
  InterruptModerator interrupts_;
  IxgbStats stats_;
  DelayTimer link_timer_;
  bool aligned_ = false;  // XAUI lanes, a while after a reset
  bool was_up_ = false;
  bool had_carrier_ = false;
  bool rx_enabled_ = false;
  sc_core::sc_time reset_until_ = sc_core::SC_ZERO_TIME;

  Reg32 ctrl0_{bank(),
               "CTRL0",
               regs::kCtrl0,
               0,
               Access::kReadWrite,
               [this] { return ctrl0_now(); },
               [this](std::uint32_t v) { ctrl0_written(v); }};
  Reg32 ctrl1_{bank(), "CTRL1", regs::kCtrl1, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
                 ctrl1_written(v);
               }};
  Reg32 status_{bank(), "STATUS",          regs::kStatus,
                0,      Access::kReadOnly, [this] { return status_now(); }};
  Reg32 eecd_{bank(),
              "EECD",
              regs::kEecd,
              0,
              Access::kReadWrite,
              [this] { return eecd_.value() | (eeprom_.data_out() ? regs::eecd::kDo : 0U); },
              [this](std::uint32_t v) { eecd_written(v); }};
  Reg32 mfs_{bank(),
             "MFS",
             regs::kMfs,
             kStandardFrameBytes << 16,
             Access::kReadWrite,
             {},
             [this](std::uint32_t) { rx_.update_sizes(); }};

  Reg32 icr_{
      bank(), "ICR", regs::kIcr, 0, Access::kReadOnly, [this] { return interrupts_.take(); }};
  Reg32 ics_{bank(),
             "ICS",
             regs::kIcs,
             0,
             Access::kReadWrite,
             [this] { return interrupts_.causes(); },
             [this](std::uint32_t v) {
               ics_.set(0);
               interrupts_.post(v & regs::cause::kAll);
             }};
  Reg32 ims_{bank(),
             "IMS",
             regs::kIms,
             0,
             Access::kReadWrite,
             [this] { return interrupts_.mask(); },
             [this](std::uint32_t v) {
               ims_.set(0);
               interrupts_.enable(v & regs::cause::kAll);
             }};
  Reg32 imc_{bank(),
             "IMC",
             regs::kImc,
             0,
             Access::kReadWrite,
             [this] { return interrupts_.mask(); },
             [this](std::uint32_t v) {
               imc_.set(0);
               interrupts_.disable(v);
             }};

  Reg32 pap_{bank(), "PAP", regs::kPap, 0, Access::kReadWrite, {}, [this](std::uint32_t) {
               rx_.update_thresholds();
             }};
  Reg32 pcsc1_{bank(), "PCSC1", regs::kPcsc1};
  Reg32 pcsc2_{bank(), "PCSC2", regs::kPcsc2, 1};  // 10GBASE-X, the XAUI side
  Reg32 pcss1_{bank(), "PCSS1",           regs::kPcss1,
               0,      Access::kReadOnly, [this] { return aligned_ ? 0x04U : 0x80U; }};
  Reg32 pcss2_{bank(), "PCSS2",           regs::kPcss2,
               0,      Access::kReadOnly, [this] { return aligned_ ? 0x4002U : 0x4402U; }};
  Reg32 xpcss_{bank(), "XPCSS",           regs::kXpcss,
               0,      Access::kReadOnly, [this] { return aligned_ ? 0x100fU : 0U; }};
  Reg32 msca_{bank(),
              "MSCA",
              regs::kMsca,
              0,
              Access::kReadWrite,
              [this] { return msca_.value() | (mdio_.busy() ? regs::msca::kCommand : 0U); },
              [this](std::uint32_t v) { msca_written(v); }};
  Reg32 msrwd_{bank(), "MSRWD", regs::kMsrwd, 0, Access::kReadWrite, [this] {
                 return (msrwd_.value() & 0xffff) | static_cast<std::uint32_t>(mdio_.read_data())
                                                        << 16;
               }};
  std::deque<Reg32> plain_;  // registers that only hold what was written

  IxgbRx rx_;
  IxgbTx tx_;
};

/// Builds an adapter from JSON parameters (see params.h; null for all defaults). Errors as for the
/// constructor.
std::unique_ptr<Ixgb> make_ixgb(const std::string& name, const nlohmann::json& params,
                                unsigned index);

}  // namespace longhaul::nic::ixgb
