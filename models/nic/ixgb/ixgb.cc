// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/ixgb.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "models/common/param_json.h"
#include "models/nic/intel/kinds.h"
#include "models/nic/ixgb/engines.h"
#include "models/nic/ixgb/optics.h"

namespace longhaul::nic::ixgb {
namespace {

constexpr std::uint16_t kSubsystem = 0xa01f;
constexpr std::uint32_t kClassEthernet = 0x020000;
constexpr std::uint32_t kOldProtocol = regs::kMscaFields.st_code.put(1);  // clause 22
constexpr std::uint8_t kPcixCapability = 0xe4;
constexpr std::uint8_t kMsiCapability = 0xf0;
/// The value that firmware leaves in the PCI-X command register: 512 B reads, three outstanding,
/// relaxed ordering. The driver's document gives 0x22 as the value to restore (ixgb.rst, "Improving
/// Performance").
constexpr std::uint16_t kPcixCommand = 0x0022;

/// PCI-X status: 64-bit device, 133 MHz capable; by design reads of 4 KB at most, three
/// outstanding.
constexpr std::uint32_t kPcixStatus = 1U << 16 | 1U << 17 | 3U << 21 | 2U << 23;
MacAddress address_for(const IxgbParams& params, unsigned index, const std::string& where) {
  return station_address(params.mac(), {0x00, 0x07, 0xe9, static_cast<std::uint8_t>(index >> 16)},
                         index + 1, where + ".mac");
}

Eeprom93c46::Words image_for(const IxgbParams& params, unsigned index, const std::string& where) {
  const OpticsKind& optics = kind_named(kOptics, params.optics(), where + ".optics");
  return eeprom_image(
      {address_for(params, index, where), params.pba(), optics.device_id, kSubsystem});
}

}  // namespace

pcix::ConfigIdentity Ixgb::identity(const IxgbParams& params, const std::string& where) {
  const OpticsKind& optics = kind_named(kOptics, params.optics(), where + ".optics");
  return {intel::kVendor,  optics.device_id, static_cast<std::uint8_t>(params.revision()),
          kClassEthernet,  intel::kVendor,   kSubsystem,
          kPcixCapability, kMsiCapability,   regs::kBar0Bytes};
}

Ixgb::Ixgb(const sc_core::sc_module_name& name, const IxgbParams& params, unsigned index)
    : IntelAdapter(name, regs::kBar0Bytes,
                   identity(params, full_name(static_cast<const char*>(name))), params),
      eeprom_(image_for(params, index, this->name()), params.eeprom),
      optics_(params.xpak_vendor(), kind_named(kOptics, params.optics(), "optics").long_reach,
              [this] { return mac_.carrier(); }),
      mdio_(optics_, params.mdio),
      interrupts_("moderator", [this](bool level) { set_interrupt(level); }),
      stats_(bank(), mac_),
      link_timer_("link_timer",
                  [this] {
                    aligned_ = true;
                    update_link();
                  }),
      rx_(
          "rx", parts(), [this] { link_may_have_changed(); },
          [this](bool on) {
            rx_enabled_ = on;
            set_modes();
          }),
      tx_("tx", parts()) {
  config().set_pcix_status(kPcixStatus);
  config().write(kPcixCapability + 2, 2, kPcixCommand);
  set_units(tx_, rx_);
  mac_.attach(tx_, rx_);
  rx_.reset(mac_address());
}

IxgbParts Ixgb::parts() {
  return {params_, bank(), dma(), mac_, interrupts_, stats_, ctrl0_, mfs_, pap_};
}

void Ixgb::start_of_simulation() { reset_link(); }

void Ixgb::ctrl0_written(std::uint32_t value) {
  if ((value & regs::kCtrl0Fields.rst) != 0) {
    reset();
    ctrl0_.set(value & ~(regs::kCtrl0Fields.rst | regs::kCtrl0Fields.lrst));
  } else if ((value & regs::kCtrl0Fields.lrst) != 0) {
    ctrl0_.clear_bits(regs::kCtrl0Fields.lrst);
    reset_link();
  }
  led.set(ctrl0_.has(regs::kCtrl0Fields.sdp0) ? 0 : 1);
  rx_.update_sizes();
  set_modes();
  rx_.update_thresholds();
}

std::uint32_t Ixgb::ctrl0_now() const {
  return ctrl0_.value() | (now() < reset_until_ ? regs::kCtrl0Fields.rst : 0U);
}

void Ixgb::ctrl1_written(std::uint32_t value) {
  if ((value & regs::kCtrl1Fields.ee_rst) == 0) return;
  ctrl1_.clear_bits(regs::kCtrl1Fields.ee_rst);
  rx_.load_own_address(mac_address());
}

void Ixgb::eecd_written(std::uint32_t value) {
  eecd_.clear_bits(regs::kEecdFields.data_out);
  eeprom_.drive((value & regs::kEecdFields.cs) != 0, (value & regs::kEecdFields.sk) != 0,
                (value & regs::kEecdFields.di) != 0);
}

void Ixgb::msca_written(std::uint32_t value) {
  msca_.clear_bits(regs::kMscaFields.mdi_command);
  if ((value & regs::kMscaFields.mdi_command) == 0) return;
  const auto op = static_cast<MdioOp>(regs::kMscaFields.op_code.get(value));
  const std::uint32_t port = regs::kMscaFields.phy_addr.get(value);
  const std::uint32_t device = regs::kMscaFields.dev_type.get(value);
  const auto data = static_cast<std::uint16_t>(msrwd_.get(regs::kMsrwdFields.write_data));
  if ((value & kOldProtocol) != 0) {
    mdio_.start(MdioClause::k22, op, port, 0, static_cast<std::uint16_t>(device), data);
  } else {
    mdio_.start(MdioClause::k45, op, port, device,
                static_cast<std::uint16_t>(regs::kMscaFields.np_addr.get(value)), data);
  }
}

void Ixgb::reset() {
  resets.add();
  reset_until_ = now() + params_.reset_time();
  dma().abandon_all();
  interrupts_.reset();
  const std::uint32_t ctrl1 = ctrl1_.value();
  const std::uint32_t eecd = eecd_.value();
  bank().reset();
  ctrl1_.set(ctrl1);  // CTRL0.RST does not reset pins and EEPROM
  eecd_.set(eecd);
  mac_.reset();
  stats_.reset();
  mdio_.reset();
  tx_.reset();
  rx_.reset(mac_address());
  reset_link();
}

void Ixgb::reset_link() {
  aligned_ = false;
  link_timer_.restart(params_.link_time());
  update_link();
}

void Ixgb::link_may_have_changed() {
  const bool carrier = mac_.carrier();
  if (had_carrier_ && !carrier) stats_.count(stats_.local_faults);
  had_carrier_ = carrier;
  update_link();
}

void Ixgb::update_link() {
  had_carrier_ = mac_.carrier();
  set_modes();
  if (link_up() == was_up_) return;
  was_up_ = link_up();
  interrupts_.post(regs::kCauseFields.lsc);
}

void Ixgb::set_modes() {
  mac_.enable_tx(aligned_);
  mac_.enable_rx(aligned_ && rx_enabled_);
  mac_.set_flow_control(ctrl0_.has(regs::kCtrl0Fields.tpe),
                        ctrl0_.has(regs::kCtrl0Fields.rpe) && !ctrl0_.has(regs::kCtrl0Fields.cmdc));
}

std::uint32_t Ixgb::status_now() const {
  return bus_status_ | regs::kStatusFields.rev_id.put(params_.revision()) |
         (link_up() ? regs::kStatusFields.lu : regs::kStatusFields.rlf) |
         (mac_.paused() ? regs::kStatusFields.txoff : 0U);
}

std::unique_ptr<Ixgb> make_ixgb(const std::string& name, const nlohmann::json& params,
                                unsigned index) {
  IxgbParams values;
  configure(values, params, full_name(name));
  values = with_engines(values.engines());
  configure(values, params, full_name(name));
  return std::make_unique<Ixgb>(name.c_str(), values, index);
}

}  // namespace longhaul::nic::ixgb
