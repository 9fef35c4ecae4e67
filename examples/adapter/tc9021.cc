// SPDX-License-Identifier: Apache-2.0
#include "tc9021.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "models/common/param_json.h"
#include "models/nic/blocks/kinds.h"
#include "models/nic/blocks/little_endian.h"
#include "models/nic/blocks/mac_address.h"

namespace tc9021 {

using namespace regs;      // NOLINT: names of the registers
using namespace longhaul;  // NOLINT: time, addresses
using longhaul::pcix::DmaStatus;

namespace {

constexpr std::uint16_t kVendor = 0x1186;
constexpr std::uint16_t kDevice = 0x4000;
constexpr std::uint32_t kClassEthernet = 0x020000;
constexpr std::uint8_t kIntA = 1;

// EEPROM, as dl2k.h's SROM_t has it.
constexpr std::uint32_t kSubsystemVendorAt = 0x04;
constexpr std::uint32_t kSubsystemAt = 0x06;
constexpr std::uint32_t kAddressAt = 0x20;
constexpr std::uint32_t kCellsAt = 0x30;
constexpr std::uint32_t kCrcAt = 0xfc;
// Cells: kind, offset of the next one, content.
constexpr std::uint8_t kCellEnd = 1;
constexpr std::uint8_t kCellName = 9;
constexpr std::string_view kName{"TC9021 on fibre\0", 16};

pcix::ConfigIdentity identity() {
  pcix::ConfigIdentity id{};
  id.vendor_id = kVendor;
  id.device_id = kDevice;
  id.class_code = kClassEthernet;
  id.subsystem_vendor_id = kVendor;
  id.subsystem_id = kDevice;
  id.memory_bar = kMemoryBar;
  id.io_bar = kPortBar;
  id.io_size = kPorts;
  id.interrupt_pin = kIntA;
  return id;
}

MacAddress address_for(const Tc9021Params& params, unsigned index, const std::string& where) {
  return nic::station_address(params.mac(), {0x00, 0x05, 0x5d, 0x20}, index + 1, where + ".mac");
}

std::array<std::uint8_t, 256> eeprom_image(const MacAddress& address) {
  std::array<std::uint8_t, 256> image{};
  nic::write_le16(&image[kSubsystemVendorAt], kVendor);
  nic::write_le16(&image[kSubsystemAt], kDevice);
  std::copy(address.begin(), address.end(), &image[kAddressAt]);
  const std::uint32_t end = kCellsAt + 2 + static_cast<std::uint32_t>(kName.size());
  image[kCellsAt] = kCellName;
  image[kCellsAt + 1] = static_cast<std::uint8_t>(end);
  std::copy(kName.begin(), kName.end(), &image[kCellsAt + 2]);
  image[end] = kCellEnd;
  nic::write_le32(&image[kCrcAt], static_cast<std::uint32_t>(crc32_z(0, image.data(), kCrcAt)));
  return image;
}

}  // namespace

Tc9021::Tc9021(const sc_core::sc_module_name& name, const Tc9021Params& params, unsigned index)
    : AdapterModule(name, kMemoryBytes, identity(), params),
      address_(address_for(params, index, this->name())),
      eeprom_(eeprom_image(address_)),
      interrupts_("moderator", bank(), params.countdown_unit(), covers_,
                  [this](bool level) { set_interrupt(level); }),
      statistics_(bank(), mac_, covers_, [this] { interrupts_.post(cause::kUpdateStats); }),
      phy_("phy", params.fiber_negotiation(),
           nic::link_partner_named(params.link_partner(),
                                   std::string(this->name()) + ".link_partner"),
           [this] { link_may_have_changed(); }),
      rx_("rx", parts(), [this](bool up) { phy_.set_signal(up); }),
      tx_("tx", parts()) {
  set_units(tx_, rx_);
  for (const RegisterSpec& spec :
       {kDebugCtrl, kFifoCtrl, kVlanTag, kVlanId, kRmonStatisticsMask, kStatisticsMask})
    plain_.emplace_back(bank(), spec);
  set_io_ports(&ports_);
  mac_.attach(tx_, rx_);
  mac_.enable_tx(false);
  max_frame_changed();
}

Tc9021Parts Tc9021::parts() {
  return {params_,
          bank(),
          dma(),
          mac_,
          interrupts_,
          statistics_,
          [this](DmaStatus status) { host_error(status); },
          covers_};
}

void Tc9021::start_of_simulation() {
  phy_.set_signal(mac_.carrier());
  was_up_ = phy_.up();
}

std::uint32_t Tc9021::dma_ctrl_now() const {
  return dma_ctrl_.value() | aborts_ | (tx_.in_progress() ? dma_ctrl::kTxDmaInProg : 0U);
}

void Tc9021::dma_ctrl_written(std::uint32_t value) {
  dma_ctrl_.clear_bits(dma_ctrl::kTxDmaPollNow | dma_ctrl::kRxDmaPollNow);
  if ((value & dma_ctrl::kTxDmaPollNow) != 0) tx_.poll();
  if ((value & dma_ctrl::kRxDmaPollNow) != 0) rx_.poll();
}

void Tc9021::host_error(DmaStatus status) {
  aborts_ |= status == DmaStatus::kTargetAbort ? dma_ctrl::kTargetAbort : dma_ctrl::kMasterAbort;
  interrupts_.post(cause::kHostError);
}

std::uint32_t Tc9021::asic_ctrl_now() const {
  return asic_ctrl_.value() | asic_ctrl::kPhySpeed1000 | asic_ctrl::kPhyMedia |
         (now() < reset_until_ ? asic_ctrl::kResetBusy : 0U);
}

void Tc9021::asic_ctrl_written(std::uint32_t value) {
  asic_ctrl_.set(value & asic_ctrl::kStored);
  if ((value & asic_ctrl::kInterruptRequest) != 0) interrupts_.post(cause::kIntRequested);
  const std::uint32_t what =
      value & (asic_ctrl::kGlobalReset | asic_ctrl::kRxReset | asic_ctrl::kTxReset);
  if (what != 0) reset(what);
}

/// A direction's unit, or everything but the physical layer and the EEPROM.
void Tc9021::reset(std::uint32_t what) {
  resets.add();
  reset_until_ = now() + params_.reset_time();
  const bool all = (what & asic_ctrl::kGlobalReset) != 0;
  if (all || (what & asic_ctrl::kTxReset) != 0) {
    tx_.reset();
    sends_ = false;
    mac_.enable_tx(false);
  }
  if (all || (what & asic_ctrl::kRxReset) != 0) rx_.reset();
  if (!all) return;
  aborts_ = 0;
  bank().reset();
  statistics_.reset();
  interrupts_.reset();
  mac_.set_loopback({});
  rx_.keep_fcs(false);
  rx_.set_flow_control(false, false);
  rx_.station_changed();
  max_frame_changed();
}

std::uint32_t Tc9021::eeprom_now() const {
  const std::uint32_t at = (eeprom_command_ & eeprom_ctrl::kAddress) * 2 % kEepromBytes;
  const bool busy = now() < eeprom_until_;
  const std::uint32_t data = busy ? 0U : nic::read_le16(&eeprom_.at(at));
  return data | (eeprom_command_ | (busy ? eeprom_ctrl::kBusy : 0U)) << 16;
}

/// Reading is there; the other operations do nothing.
void Tc9021::eeprom_written(std::uint32_t value) {
  if (!access_covers(kEeprom + 2)) return;
  eeprom_command_ = value >> 16 & (eeprom_ctrl::kAddress | eeprom_ctrl::kOpcode);
  if ((eeprom_command_ & eeprom_ctrl::kOpcode) == eeprom_ctrl::kRead)
    eeprom_until_ = now() + params_.eeprom_time();
}

std::uint32_t Tc9021::mac_ctrl_now() const {
  return mac_ctrl_.value() | (statistics_.enabled() ? mac_ctrl::kStatisticsEnabled : 0U) |
         (sends_ ? mac_ctrl::kTxEnabled : 0U) | (rx_.enabled() ? mac_ctrl::kRxEnabled : 0U) |
         (mac_.carrier() ? mac_ctrl::kCarrierSense : 0U) | (mac_.paused() ? mac_ctrl::kPaused : 0U);
}

/// The upper half is commands, of which the register keeps none: a write to the lower half alone
/// gives none.
void Tc9021::mac_ctrl_written(std::uint32_t value) {
  constexpr BitRate kGigabit{1'000'000'000};
  mac_ctrl_.set(value & mac_ctrl::kStored);
  mac_.set_loopback(mac_ctrl_.has(mac_ctrl::kMacLoopback) ? kGigabit : BitRate{});
  rx_.keep_fcs(mac_ctrl_.has(mac_ctrl::kRcvFcs));
  rx_.set_flow_control(mac_ctrl_.has(mac_ctrl::kTxFlowControlEnable),
                       mac_ctrl_.has(mac_ctrl::kRxFlowControlEnable));
  if ((value & mac_ctrl::kStatisticsEnable) != 0) statistics_.enable(true);
  if ((value & mac_ctrl::kStatisticsDisable) != 0) statistics_.enable(false);
  if ((value & mac_ctrl::kTxEnable) != 0) sends_ = true;
  if ((value & mac_ctrl::kTxDisable) != 0) sends_ = false;
  mac_.enable_tx(sends_);
  if (sends_) mac_.kick();
  if ((value & mac_ctrl::kRxEnable) != 0) rx_.enable(true);
  if ((value & mac_ctrl::kRxDisable) != 0) rx_.enable(false);
}

std::uint32_t Tc9021::phy_ctrl_now() const {
  const bool driven = phy_ctrl_.has(phy_ctrl::kMgmtDir);
  const bool line = driven ? phy_ctrl_.has(phy_ctrl::kMgmtData) : phy_.data_out();
  return (phy_ctrl_.value() & ~phy_ctrl::kMgmtData) | (line ? phy_ctrl::kMgmtData : 0U) |
         (phy_.up() ? phy_ctrl::kDuplexStatus | phy_ctrl::kLinkSpeed1000 : 0U);
}

void Tc9021::phy_ctrl_written(std::uint32_t value) {
  phy_.drive((value & phy_ctrl::kMgmtClk) != 0, (value & phy_ctrl::kMgmtData) != 0,
             (value & phy_ctrl::kMgmtDir) != 0);
}

/// A frame and its FCS have to fit the largest frame that there is.
void Tc9021::max_frame_changed() {
  mac_.set_max_frame(std::min(max_frame_.value() >> 16, Frame::kMaxBytes));
}

void Tc9021::link_may_have_changed() {
  if (phy_.up() == was_up_) return;
  was_up_ = phy_.up();
  interrupts_.post(cause::kLinkEvent);
}

std::vector<std::string> Tc9021::changeable() const {
  return {params_.tx_descriptor_clocks.name, params_.tx_latency.name,
          params_.rx_descriptor_clocks.name, params_.rx_latency.name};
}

}  // namespace tc9021
