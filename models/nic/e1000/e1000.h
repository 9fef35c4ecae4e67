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
#include "models/pcix/pcix_device.h"

namespace longhaul::nic::e1000 {

/// An Intel PRO/1000 server adapter with its 82545EM, 82545GM, 82546EB or 82546GB controller,
/// EEPROM and optics or transceiver, as the unmodified Linux e1000 driver sees it.
///
/// A PCI-X or PCI function with a 128 KB BAR 0, I/O ports, MSI, and one Ethernet port. See
/// README.md for registers, timing and what is left out.
class E1000 final : public pcix::PcixDevice, public Adapter {
 public:
  /// `index` numbers the adapters of a simulation from 0: it makes the default MAC address. Throws
  /// ConfigError, which starts with the module's name, for parameters that cannot be built.
  ///
  /// `lan_a`: this is LAN B, the second function of the 82546 whose first one that is; they share
  /// the EEPROM, and LAN B has its MAC address with the last bit inverted.
  E1000(const sc_core::sc_module_name& name, const E1000Params& params, unsigned index,
        E1000* lan_a = nullptr);

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
  const E1000Params& params() const { return params_; }
  MacAddress mac_address() const;
  std::uint32_t function() const { return function_; }
  const EthMac& mac() const { return mac_; }
  E1000Tx& tx() { return tx_; }
  E1000Rx& rx() { return rx_; }
  InterruptModerator& interrupt_moderator() { return interrupts_; }

  observe::Counter resets{"resets", "1", "device resets by CTRL.RST"};
  observe::Level led{"led", "1", "the identification LED is lit"};

 private:
  void start_of_simulation() override;
  void ctrl_written(std::uint32_t value);
  std::uint32_t ctrl_now() const;
  std::uint32_t ctrl_default() const;
  std::uint32_t status_now() const;
  void eecd_written(std::uint32_t value);
  std::uint32_t eecd_now() const;
  void eerd_written(std::uint32_t value);
  std::uint32_t eerd_now() const;
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
    return board_.fiber ? tbi_.up()
                        : ctrl_.has(regs::ctrl::kSlu) && phy_.up() != ctrl_.has(regs::ctrl::kIlos);
  }
  void add_plain_registers();

  E1000Params params_;
  const BoardKind& board_;
  const std::uint32_t function_;
  const std::uint32_t bus_status_;  // STATUS bits that the slot decides
  IoWindow io_window_;
  EthMac mac_;
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

  Reg32 ctrl_{bank(),
              "CTRL",
              regs::kCtrl,
              0,
              Access::kReadWrite,
              [this] { return ctrl_now(); },
              [this](std::uint32_t v) { ctrl_written(v); }};
  Reg32 ctrl_dup_{bank(),
                  "CTRL_DUP",
                  regs::kCtrlDup,
                  0,
                  Access::kReadWrite,
                  [this] { return ctrl_now(); },
                  [this](std::uint32_t v) { ctrl_written(v); }};
  Reg32 status_{bank(), "STATUS",          regs::kStatus,
                0,      Access::kReadOnly, [this] { return status_now(); }};
  Reg32 eecd_{bank(),
              "EECD",
              regs::kEecd,
              0,
              Access::kReadWrite,
              [this] { return eecd_now(); },
              [this](std::uint32_t v) { eecd_written(v); }};
  Reg32 eerd_{bank(),
              "EERD",
              regs::kEerd,
              0,
              Access::kReadWrite,
              [this] { return eerd_now(); },
              [this](std::uint32_t v) { eerd_written(v); }};
  Reg32 ctrl_ext_{
      bank(), "CTRL_EXT", regs::kCtrlExt, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
        ctrl_ext_.set(v & ~regs::kCtrlExtEeRst);
        if ((v & regs::kCtrlExtEeRst) != 0) rx_.load_own_address(mac_address());
      }};
  Reg32 mdic_{bank(),
              "MDIC",
              regs::kMdic,
              0,
              Access::kReadWrite,
              [this] { return mdic_now(); },
              [this](std::uint32_t v) { mdic_written(v); }};
  Reg32 vet_{
      bank(), "VET", regs::kVet, intel::kVlanType, Access::kReadWrite, {}, [this](std::uint32_t v) {
        vet_.set(v & 0xffff);
        rx_.set_vlan_type(static_cast<std::uint16_t>(v));
        tx_.set_vlan_type(static_cast<std::uint16_t>(v));
      }};

  Reg32 icr_{
      bank(), "ICR", regs::kIcr, 0, Access::kReadOnly, [this] { return interrupts_.take(); }};
  Reg32 itr_{bank(), "ITR", regs::kItr, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
               throttle_written(v);
             }};
  Reg32 ics_{bank(), "ICS", regs::kIcs, 0, Access::kWriteOnly, {}, [this](std::uint32_t v) {
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
  Reg32 imc_{bank(), "IMC", regs::kImc, 0, Access::kWriteOnly, {}, [this](std::uint32_t v) {
               imc_.set(0);
               interrupts_.disable(v);
             }};
  Reg32 ledctl_{
      bank(), "LEDCTL", regs::kLedctl, 0x0706'8302, Access::kReadWrite, {}, [this](std::uint32_t) {
        update_led();
      }};
  Reg32 pba_{bank(),
             "PBA",
             regs::kPba,
             0,
             Access::kReadWrite,
             {},
             [this](std::uint32_t v) { pba_written(v); }};
  std::deque<Reg32> plain_;  // registers that only hold what was written

  E1000Rx rx_;
  E1000Tx tx_;
};

/// Builds an adapter from JSON parameters (see params.h; null for all defaults). Errors as for the
/// constructor.
std::unique_ptr<E1000> make_e1000(const std::string& name, const nlohmann::json& params,
                                  unsigned index, E1000* lan_a = nullptr);

}  // namespace longhaul::nic::e1000
