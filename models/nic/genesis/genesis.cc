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
/// PCI's reads have no length: the target ends them. The longest transaction of the bus model is
/// used instead.
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
             {regs::kBscCtrlFields, regs::kBscCtrlFields.start, regs::kBscCtrlFields.stop, 0,
              regs::kBscCtrlFields.src},
             {}),
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

/// Registers that only store the written value.
void Genesis::add_plain_registers() {
  for (const RegisterSpec& spec :
       {regs::kRap,        regs::kFar,         regs::kFdp,        regs::kLdCtrl,
        regs::kIrqmHweMsk, regs::kTstCtrl1,    regs::kGpIo,       regs::kI2cCtrl,
        regs::kI2cData,    regs::kI2cIrq,      regs::kI2cSw,      regs::kRiWtoR1,
        regs::kRiRtoXa1,   regs::kRiWtoXs2,    regs::kRiCtrl,     regs::kMaToini,
        regs::kMaToCtrl,   regs::kMaRcini,     regs::kMaRcCtrl,   regs::kPaToiniRx1,
        regs::kPaToiniRx2, regs::kPaToiniTx1,  regs::kPaToiniTx2, regs::kPaCtrl,
        regs::kTxaItiIni,  regs::kTxaLimIni,   regs::kTxaCtrl,    regs::kRxLedIni,
        regs::kLnkSyncIni, regs::kLnkSyncCtrl, regs::kLnkLedReg,  regs::kTxLedIni,
        regs::kTxLedVal,   regs::kTxLedCtrl,   regs::kDptIni,     regs::kDptCtrl}) {
    plain_.emplace_back(bank(), spec);
  }
}

/// Registers that the board's EEPROM loads after each reset, and registers that show its pins.
void Genesis::add_board_registers() {
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
    plain_.emplace_back(bank(), RegisterSpec{kNames.at(i).low, offset, Access::kReadWrite,
                                             read_le32(address.data())});
    plain_.emplace_back(bank(), RegisterSpec{kNames.at(i).high, offset + 4, Access::kReadWrite,
                                             read_le16(address.data() + 4), 0xffff});
  }
  const auto& chip = regs::kChipIdFields;
  const std::uint32_t identity = chip.conn_typ.put(static_cast<std::uint32_t>(board_.connector)) |
                                 chip.pmd_typ.put(static_cast<std::uint32_t>(board_.medium)) |
                                 chip.sng_mac | chip.chip_r.put(params_.chip_revision()) |
                                 chip.chip_id.put(kChipId);
  plain_.emplace_back(bank(),
                      RegisterSpec{"CHIP_ID", regs::kConnTyp, chip, Access::kReadOnly, identity});
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
  constexpr const auto& kBits = regs::kCtstFields;
  if ((value & (kBits.rst_set | kBits.mrst_set)) != 0) reset();
  if ((value & kBits.rst_set) != 0) software_reset_ = true;
  if ((value & kBits.rst_clr) != 0) software_reset_ = false;
  if ((value & kBits.mrst_set) != 0) master_reset_ = true;
  if ((value & kBits.mrst_clr) != 0) master_reset_ = false;
  if ((value & kBits.stop_mast) != 0) stop_master_ = true;
  if ((value & kBits.cl_sw_irq) != 0) software_cause_ = false;
  if ((value & kBits.st_sw_irq) != 0) software_cause_ = true;
  if ((value & kBits.led_stat_off) != 0) status_led_ = false;
  if ((value & kBits.led_stat_on) != 0) status_led_ = true;
  interrupts_.update();
}

std::uint32_t Genesis::ctst_now() {
  constexpr const auto& kBits = regs::kCtstFields;
  return bus_bits_ | (software_reset_ ? kBits.rst_set : kBits.rst_clr) |
         (master_reset_ ? kBits.mrst_set : kBits.mrst_clr) |
         (stop_master_ && dma().idle() ? kBits.stop_done : 0U) |
         (software_cause_ ? kBits.st_sw_irq : 0U) |
         (status_led_ ? kBits.led_stat_on : kBits.led_stat_off);
}

/// Resets everything except configuration space, the VPD and the wire's end outside of the chip.
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
  return rx_.causes() | tx_.causes() | (xmac_.interrupt() ? regs::kIsrcFields.mac1 : 0U) |
         (software_cause_ ? regs::kIsrcFields.irq_sw : 0U);
}

std::uint32_t Genesis::hardware_errors() {
  return (aborted_ ? regs::kHweIsrcFields.irq_mst_err : 0U) |
         (config().status_errors() != 0 ? regs::kHweIsrcFields.irq_stat : 0U);
}

void Genesis::rx_led_written(std::uint32_t value) {
  if ((value & regs::kFrameLedFields.t_off) != 0) rx_led_test_ = false;
  if ((value & regs::kFrameLedFields.t_on) != 0) rx_led_test_ = true;
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
