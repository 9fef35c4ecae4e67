// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/genesis.h"

#include <algorithm>
#include <array>

#include "models/common/param_json.h"
#include "models/nic/blocks/kinds.h"
#include "models/nic/blocks/little_endian.h"
#include "models/nic/genesis/bmu_regs.h"
#include "models/nic/genesis/xmac_regs.h"

namespace longhaul::nic::genesis {
namespace {

constexpr std::uint32_t kClassEthernet = 0x020000;
constexpr std::uint8_t kIntA = 1;
/// PCI's reads have no length: the target ends them. The bus model's longest transaction stands for
/// that.
constexpr std::uint32_t kLongestRead = pcix::DmaEngine::kMaxTransactionBytes;
/// PMC: version 1, no D1, no D2, no PME, as skge takes it (Linux 6.1 skge.c: no wake-up on
/// GEnesis).
constexpr std::uint16_t kPowerCapabilities = 1;

pcix::ConfigIdentity identity(const GenesisParams& params, const std::string& where) {
  const BoardKind& board = board_kind(params, where);
  pcix::ConfigIdentity id{kVendorSysKonnect,
                          board.device_id,
                          board.revision,
                          kClassEthernet,
                          kVendorSysKonnect,
                          board.subsystem_id,
                          0,
                          0,
                          regs::kBar0Bytes,
                          IoWindow::kBar,
                          IoWindow::kBytes,
                          kIntA};
  id.max_read_bytes = kLongestRead;
  id.power_capability_offset = regs::config::kPower;
  id.power_capabilities = kPowerCapabilities;
  id.vpd_capability_offset = regs::config::kVpd;
  return id;
}

}  // namespace

Genesis::Genesis(const sc_core::sc_module_name& name, const GenesisParams& params, unsigned index)
    : AdapterModule(name, regs::kBar0Bytes,
                    identity(params, full_name(static_cast<const char*>(name))), params),
      board_(board_kind(params, this->name())),
      bus_bits_(bus_kind(params, this->name()).ctst),
      memory_code_(memory_code(params.ram(), this->name())),
      address_(first_address(params, index, this->name())),
      io_window_(bank()),
      interrupts_(
          "moderation", bank(), params.engine_clock(),
          {[this] { return causes(); }, [this] { return hardware_errors(); },
           [this] { return access_bytes(); }, [this](bool level) { set_interrupt(level); }}),
      blink_(bank(), params.engine_clock(), {"BSC_INI", "BSC_VAL", "BSC_CTRL"}, regs::kBscIni,
             {regs::bsc::kStart, regs::bsc::kStop, 0, regs::bsc::kSource}, {}),
      ram_("ram", params.engine_clock(), params.ram_bytes_per_clock()),
      xmac_(
          "xmac", bank(), mac_,
          {params.xmac_rx_fifo(), static_cast<std::uint16_t>(params.xmac_rx_low_words()),
           static_cast<std::uint16_t>(params.xmac_rx_high_words()), params.fiber_negotiation(),
           link_partner_named(params.link_partner(), std::string(this->name()) + ".link_partner")},
          [this] {
            if (built_) interrupts_.update();
          }),
      rx_("rx", parts()),
      tx_("tx", parts()) {
  set_units(tx_, rx_);
  add_plain_registers();
  add_board_registers();
  add_mirrors();
  config().set_vpd({vpd_image(board_, address_), params.vpd_read_time(), params.vpd_write_time()});
  config().set_device_register(regs::config::kOurReg1, regs::config::kEnIo,
                               regs::config::kOurReg1Writable);
  config().set_device_register(regs::config::kOurReg2, 0, 0);
  config().set_listeners([this] { config_changed(); }, [this] { reset(); });
  set_io_ports(&io_window_);
  xmac_.attach(tx_, rx_, [this] { tx_.flush_fifo(); });
  built_ = true;
}

GenesisParts Genesis::parts() {
  return {params_,
          bank(),
          dma(),
          ram_,
          xmac_,
          [this] {
            if (built_) interrupts_.update();
          },
          [this](pcix::DmaStatus status) { bus_error(status); }};
}

void Genesis::add_plain(const char* name, std::uint32_t offset, std::uint32_t mask,
                        std::uint32_t reset) {
  const std::size_t place = plain_.size();
  plain_.emplace_back(bank(), name, offset, reset, Access::kReadWrite, Reg32::OnRead{},
                      [this, place, mask](std::uint32_t v) { plain_.at(place).set(v & mask); });
}

void Genesis::add_plain_registers() {
  constexpr std::uint32_t kWord = 0xffff'ffff;
  constexpr std::uint32_t kCounter = 0x00ff'ffff;
  constexpr std::uint32_t kCommands =
      0;  // nothing follows from them here, and nothing of them reads back
  struct Plain {
    const char* name;
    std::uint32_t offset;
    std::uint32_t mask;
  };
  static constexpr std::array<Plain, 36> kPlain{{{"RAP", regs::kRap, 0x7f},
                                                 {"FAR", regs::kFar, kCounter},
                                                 {"FDP", regs::kFdp, 0xff},
                                                 {"LD_CTRL", regs::kLdCtrl, kCommands},
                                                 {"IRQM_HWE_MSK", regs::kIrqmHweMsk, 0xfff},
                                                 {"TST_CTRL1", regs::kTstCtrl1, kCommands},
                                                 {"GP_IO", regs::kGpIo, 0x03ff'03ff},
                                                 {"I2C_CTRL", regs::kI2cCtrl, kWord},
                                                 {"I2C_DATA", regs::kI2cData, kWord},
                                                 {"I2C_IRQ", regs::kI2cIrq, kCommands},
                                                 {"I2C_SW", regs::kI2cSw, 0xff},
                                                 {"RI_WTO_R1", regs::kRiTo, kWord},
                                                 {"RI_RTO_XA1", regs::kRiTo + 4, kWord},
                                                 {"RI_WTO_XS2", regs::kRiTo + 8, kWord},
                                                 {"RI_CTRL", regs::kRiCtrl, kCommands},
                                                 {"MA_TOINI", regs::kMaToini, kWord},
                                                 {"MA_TO_CTRL", regs::kMaToCtrl, kCommands},
                                                 {"MA_RCINI", regs::kMaRcini, kWord},
                                                 {"MA_RC_CTRL", regs::kMaRcCtrl, kCommands},
                                                 {"PA_TOINI_RX1", regs::kPaToiniRx1, 0xffff},
                                                 {"PA_TOINI_RX2", regs::kPaToiniRx2, 0xffff},
                                                 {"PA_TOINI_TX1", regs::kPaToiniTx1, 0xffff},
                                                 {"PA_TOINI_TX2", regs::kPaToiniTx2, 0xffff},
                                                 {"PA_CTRL", regs::kPaCtrl, kCommands},
                                                 {"TXA_ITI_INI", regs::kTxaItiIni, kCounter},
                                                 {"TXA_LIM_INI", regs::kTxaLimIni, kCounter},
                                                 {"TXA_CTRL", regs::kTxaCtrl, kCommands},
                                                 {"RX_LED_INI", regs::kRxLedIni, kWord},
                                                 {"LNK_SYNC_INI", regs::kLnkSyncIni, kWord},
                                                 {"LNK_SYNC_CTRL", regs::kLnkSyncCtrl, kCommands},
                                                 {"LNK_LED_REG", regs::kLnkLedReg, kCommands},
                                                 {"TX_LED_INI", regs::kTxLedIni, kWord},
                                                 {"TX_LED_VAL", regs::kTxLedVal, kWord},
                                                 {"TX_LED_CTRL", regs::kTxLedCtrl, kCommands},
                                                 {"DPT_INI", regs::kDptIni, kCounter},
                                                 {"DPT_CTRL", regs::kDptCtrl, kCommands}}};
  for (const Plain& reg : kPlain) add_plain(reg.name, reg.offset, reg.mask);
}

/// What the board's EEPROM loads after each reset, and what its pins say.
void Genesis::add_board_registers() {
  constexpr std::uint32_t kOneMac = 0x01;
  constexpr std::uint32_t kChipId = 0x0a;
  struct Names {
    const char* low;
    const char* high;
  };
  static constexpr std::array<Names, 3> kNames{
      {{"MAC_1", "MAC_1_H"}, {"MAC_2", "MAC_2_H"}, {"MAC_3", "MAC_3_H"}}};
  for (std::uint32_t i = 0; i < kNames.size(); ++i) {
    const MacAddress address = numbered_address(address_, i + 1);
    const std::uint32_t offset = regs::kMac1 + i * (regs::kMac2 - regs::kMac1);
    add_plain(kNames.at(i).low, offset, 0xffff'ffff, read_le32(address.data()));
    add_plain(kNames.at(i).high, offset + 4, 0xffff, read_le16(address.data() + 4));
  }
  const std::uint32_t mac_cfg = params_.chip_revision() << 4 | kOneMac;
  plain_.emplace_back(bank(), "CHIP_ID", regs::kConnTyp,
                      static_cast<std::uint32_t>(board_.connector) |
                          static_cast<std::uint32_t>(board_.medium) << 8 | mac_cfg << 16 |
                          kChipId << 24,
                      Access::kReadOnly);
  plain_.emplace_back(bank(), "E_0", regs::kEprom, memory_code_,
                      Access::kReadOnly);  // E_1: PHY type 0, the XMAC's own
}

void Genesis::add_mirrors() {
  struct Mirror {
    const char* name;
    std::uint32_t offset;
    std::uint32_t x;
  };
  static constexpr std::array<Mirror, 4> kMirrors{
      {{"XM1_IMSK", regs::kXm1Imsk, xm::kImsk},
       {"XM1_ISRC", regs::kXm1Isrc, xm::kIsrc},
       {"XM1_PHY_ADDR", regs::kXm1PhyAddr, xm::kPhyAddr},
       {"XM1_PHY_DATA", regs::kXm1PhyData, xm::kPhyData}}};
  for (const Mirror& mirror : kMirrors) {
    const std::uint32_t at = xm::bus_offset(mirror.x);
    mirrors_.emplace_back(
        bank(), mirror.name, mirror.offset, 0, Access::kReadWrite,
        [this, at] { return bank().read(at); },
        [this, at](std::uint32_t v) { bank().write(at, v); });
  }
  for (std::uint32_t at = 0; at < regs::kCfgSpcBytes; at += 4) {
    mirrors_.emplace_back(bank(), "CFG_SPC", regs::kCfgSpc + at, 0, Access::kReadOnly,
                          [this, at] { return config().read(at, 4); });
  }
}

void Genesis::ctst_written(std::uint32_t value) {
  using namespace regs::ctst;  // NOLINT: its bits
  if ((value & (kRstSet | kMrstSet)) != 0) reset();
  if ((value & kRstSet) != 0) software_reset_ = true;
  if ((value & kRstClr) != 0) software_reset_ = false;
  if ((value & kMrstSet) != 0) master_reset_ = true;
  if ((value & kMrstClr) != 0) master_reset_ = false;
  if ((value & kStopMaster) != 0) stop_master_ = true;
  if ((value & kClSwIrq) != 0) software_cause_ = false;
  if ((value & kStSwIrq) != 0) software_cause_ = true;
  const std::uint32_t light = value >> regs::led::kShift;
  if ((light & regs::led::kOff) != 0) status_led_ = false;
  if ((light & regs::led::kOn) != 0) status_led_ = true;
  interrupts_.update();
}

std::uint32_t Genesis::ctst_now() {
  using namespace regs::ctst;  // NOLINT: its bits
  return bus_bits_ | (software_reset_ ? kRstSet : kRstClr) | (master_reset_ ? kMrstSet : kMrstClr) |
         (stop_master_ && dma().idle() ? kStopDone : 0U) | (software_cause_ ? kStSwIrq : 0U) |
         (status_led_ ? regs::led::kOn : regs::led::kOff) << regs::led::kShift;
}

/// Everything but configuration space, the VPD and the wire's end outside the chip.
void Genesis::reset() {
  resets.add();
  dma().abandon_all();
  bank().reset();
  software_reset_ = master_reset_ = stop_master_ = software_cause_ = status_led_ = aborted_ =
      rx_led_test_ = false;
  interrupts_.reset();
  blink_.reset();
  xmac_.set_reset(true);
  tx_.reset();
  rx_.reset();
  update_led();
  interrupts_.update();
}

void Genesis::bus_error(pcix::DmaStatus status) {
  if (status != pcix::DmaStatus::kMasterAbort && status != pcix::DmaStatus::kTargetAbort) return;
  aborted_ = true;
  interrupts_.update();
}

void Genesis::config_changed() {
  if (config().status_errors() == 0) aborted_ = false;
  interrupts_.update();
}

std::uint32_t Genesis::causes() const {
  return rx_.causes() | tx_.causes() | (xmac_.interrupt() ? regs::isrc::kMac1 : 0U) |
         (software_cause_ ? regs::isrc::kSw : 0U);
}

std::uint32_t Genesis::hardware_errors() {
  return (aborted_ ? regs::hw_error::kMst : 0U) |
         (config().status_errors() != 0 ? regs::hw_error::kStat : 0U);
}

void Genesis::rx_led_written(std::uint32_t value) {
  if ((value & regs::frame_led::kTestOff) != 0) rx_led_test_ = false;
  if ((value & regs::frame_led::kTestOn) != 0) rx_led_test_ = true;
  update_led();
}

void Genesis::update_led() { led.set(rx_led_test_ && rx_led_val_.value() != 0 ? 1 : 0); }

std::vector<std::string> Genesis::changeable() const {
  return {params_.tx_descriptor_clocks.name, params_.tx_packet_clocks.name,
          params_.tx_latency.name,           params_.rx_descriptor_clocks.name,
          params_.rx_packet_clocks.name,     params_.rx_latency.name};
}

std::unique_ptr<Genesis> make_genesis(const std::string& name, const nlohmann::json& params,
                                      unsigned index) {
  GenesisParams values;
  configure(values, params, full_name(name));
  return std::make_unique<Genesis>(name.c_str(), values, index);
}

}  // namespace longhaul::nic::genesis
