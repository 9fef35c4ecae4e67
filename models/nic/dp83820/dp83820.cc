// SPDX-License-Identifier: Apache-2.0
#include "models/nic/dp83820/dp83820.h"

#include "models/common/param_json.h"
#include "models/nic/blocks/kinds.h"
#include "models/nic/blocks/mac_address.h"

namespace longhaul::nic::dp83820 {

using namespace regs;  // NOLINT: names of the registers

namespace {

constexpr std::uint16_t kVendor = 0x100b;
constexpr std::uint16_t kDevice = 0x0022;
constexpr std::uint32_t kClassEthernet = 0x020000;
constexpr std::uint8_t kIntA = 1;
constexpr std::uint32_t kWideBits = 64;
/// PCI's reads have no length: the engine's bursts end them. This is the longest burst.
constexpr std::uint32_t kLongestBurst = 1024;
/// EEPROM: where the address lies, its last two bytes first (FreeBSD if_ngereg.h, NGE_EE_NODEADDR).
constexpr std::uint32_t kEepromAddress = 0x0a;

pcix::ConfigIdentity identity(const Dp83820Params& params, const std::string& where) {
  const BoardKind& board = kind_named(kBoards, params.board(), where + ".board");
  pcix::ConfigIdentity id{};
  id.vendor_id = kVendor;
  id.device_id = kDevice;
  id.class_code = kClassEthernet;
  id.subsystem_vendor_id = board.subsystem_vendor;
  id.subsystem_id = board.subsystem_id;
  id.memory_bar = kMemoryBar;
  id.io_bar = kPortBar;
  id.io_size = kPorts;
  id.interrupt_pin = kIntA;
  id.max_read_bytes = kLongestBurst;
  return id;
}

MacAddress address_for(const Dp83820Params& params, unsigned index, const std::string& where) {
  return station_address(params.mac(), {0x00, 0x40, 0xf4, 0x20}, index + 1, where + ".mac");
}

Eeprom93c46::Words eeprom_image(const MacAddress& address) {
  Eeprom93c46::Words words{};
  for (std::size_t i = 0; i < 3; ++i) {
    words.at(kEepromAddress + 2 - i) =
        static_cast<std::uint16_t>(address.at(2 * i) | address.at(2 * i + 1) << 8U);
  }
  return words;
}

}  // namespace

Dp83820::Dp83820(const sc_core::sc_module_name& name, const Dp83820Params& params, unsigned index)
    : AdapterModule(name, kMemoryBytes, identity(params, full_name(static_cast<const char*>(name))),
                    params),
      address_(address_for(params, index, this->name())),
      eeprom_(eeprom_image(address_), params.eeprom),
      self_test_("self_test", [this] { self_test_done(); }),
      interrupts_("moderator", bank(), params.holdoff_unit(),
                  [this](bool level) { set_interrupt(level); }),
      tbi_("tbi", bank(), params.fiber_negotiation(),
           link_partner_named(params.link_partner(), std::string(this->name()) + ".link_partner"),
           [this] { link_may_have_changed(); }),
      rx_("rx", parts(), [this](bool up) { tbi_.set_signal(up); }),
      tx_("tx", parts()) {
  set_units(tx_, rx_);
  for (const RegisterSpec& spec : {kGpior, kPqcr, kWcsr, kCcsr}) plain_.emplace_back(bank(), spec);
  add_config_copy();
  set_io_ports(&ports_);
  mac_.attach(tx_, rx_);
  mac_.set_address(address_);
  load_configuration();
  interrupts_.reset(kIsrFields.tx_rcmp | kIsrFields.rx_rcmp);
}

Dp83820Parts Dp83820::parts() { return {params_, bank(), dma(), mac_, interrupts_}; }

void Dp83820::start_of_simulation() {
  rx_.carrier_changed(mac_.carrier());
  was_up_ = link_up();
}

void Dp83820::add_config_copy() {
  for (std::uint32_t at = 0; at < kConfigCopyBytes; at += 4) {
    config_copy_.emplace_back(bank(), "CONFIG", kConfigCopy + at, 0, Access::kReadOnly,
                              [this, at] { return config().read(at, 4); });
  }
}

std::uint32_t Dp83820::cr_now() const {
  return (tx_.active() ? kCrFields.txe : 0U) | (rx_.active() ? kCrFields.rxe : 0U) |
         (now() < reset_until_ ? kCrFields.rst : 0U);
}

void Dp83820::cr_written(std::uint32_t value) {
  if ((value & kCrFields.rst) != 0) {
    reset();
    return;
  }
  if ((value & kCrFields.txr) != 0) {
    tx_.reset();
    interrupts_.post(kIsrFields.tx_rcmp);
  } else if ((value & kCrFields.txd) != 0) {
    tx_.disable();
  } else if ((value & kCrFields.txe) != 0) {
    tx_.enable();
  }
  if ((value & kCrFields.rxr) != 0) {
    rx_.reset();
    interrupts_.post(kIsrFields.rx_rcmp);
  } else if ((value & kCrFields.rxd) != 0) {
    rx_.disable();
  } else if ((value & kCrFields.rxe) != 0) {
    rx_.enable();
  }
  if ((value & kCrFields.swi) != 0) interrupts_.post(kIsrFields.swi);
}

/// Resets everything except the link and the values of the EEPROM.
void Dp83820::reset() {
  resets.add();
  reset_until_ = now() + params_.reset_time();
  tx_.reset();
  rx_.reset();
  tests_ = tests_done_ = 0;
  self_test_.cancel();
  bank().reset();
  mac_.set_loopback({});
  rx_.settings_changed();
  load_configuration();
  tbi_.reset();
  interrupts_.reset(kIsrFields.tx_rcmp | kIsrFields.rx_rcmp);
}

void Dp83820::load_configuration() {
  rx_.filter().load(address_);
  cfg_.set(kCfgFields.tbi_en | kCfgFields.mode_1000 |
           (params_.target.width_bits() == kWideBits ? kCfgFields.data64_en : 0U));
}

std::uint32_t Dp83820::cfg_now() const {
  return cfg_.value() | (params_.target.width_bits() == kWideBits ? kCfgFields.pci64_det : 0U) |
         kCfgFields.spdsts0 | (link_up() ? kCfgFields.lnksts : 0U);
}

bool Dp83820::link_up() const { return cfg_.has(kCfgFields.tbi_en) && tbi_.up(); }

void Dp83820::link_may_have_changed() {
  if (link_up() == was_up_) return;
  was_up_ = link_up();
  if (cfg_.has(kCfgFields.pint_lnksts)) interrupts_.post(kIsrFields.phy);
}

void Dp83820::mear_written(std::uint32_t value) {
  eeprom_.drive((value & kMearFields.eesel) != 0, (value & kMearFields.eeclk) != 0,
                (value & kMearFields.eedi) != 0);
}

/// No PHY answers on the management interface: its data line is pulled up.
std::uint32_t Dp83820::mear_now() const {
  return mear_.value() | kMearFields.mdio | (eeprom_.data_out() ? kMearFields.eedo : 0U);
}

void Dp83820::ptscr_written(std::uint32_t value) {
  if ((value & kPtscrFields.rbist_rst) != 0) tests_done_ = 0;
  const std::uint32_t wanted =
      value & (kPtscrFields.eebist_en | kPtscrFields.eeload_en | kPtscrFields.rbist_en);
  tests_ |= wanted;
  if (wanted != 0) self_test_.restart(params_.self_test_time());
}

void Dp83820::self_test_done() {
  if ((tests_ & kPtscrFields.eeload_en) != 0) load_configuration();
  if ((tests_ & kPtscrFields.rbist_en) != 0) tests_done_ = kPtscrFields.rbist_done;
  tests_ = 0;
}

std::vector<std::string> Dp83820::changeable() const {
  return {params_.tx_descriptor_clocks.name, params_.tx_packet_clocks.name,
          params_.tx_latency.name,           params_.rx_descriptor_clocks.name,
          params_.rx_packet_clocks.name,     params_.rx_latency.name};
}

std::unique_ptr<Dp83820> make_dp83820(const std::string& name, const nlohmann::json& params,
                                      unsigned index) {
  Dp83820Params values;
  configure(values, params, full_name(name));
  return std::make_unique<Dp83820>(name.c_str(), values, index);
}

}  // namespace longhaul::nic::dp83820
