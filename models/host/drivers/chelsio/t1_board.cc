// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/t1_board.h"

#include <array>

#include "models/nic/terminator/pm3393_filter.h"
#include "models/nic/terminator/regs_mac.h"
#include "models/nic/terminator/regs_mc.h"
#include "models/nic/terminator/regs_mc5.h"

namespace longhaul::host::chelsio {
namespace {

namespace mac_regs = nic::terminator::mac_regs;
namespace pm = nic::terminator::pm;
namespace mc_regs = nic::terminator::regs;

constexpr std::uint64_t kUs = 1'000'000;
constexpr std::uint64_t kMs = 1000 * kUs;

// subr.c: waits for TPI and MDIO, and the board's settings.
constexpr std::uint32_t kTpiAttempts = 50;
constexpr std::uint64_t kTpiWaitPs = 3 * kUs;
constexpr std::uint32_t kMdioAttempts = 100;
constexpr std::uint64_t kMdioWaitPs = 10 * kUs;
constexpr std::uint32_t kTpiPar = 0xf;
constexpr std::uint32_t kPins = 0x800;               // board_init(): Elmer0's outputs of an N110
constexpr std::uint32_t kT110Pins = 0x1800;          // the same of a T110
constexpr std::uint64_t kModuleWaitPs = 5000 * kMs;  // xpak.c: from reset to the first access
constexpr std::uint32_t kClockDivider = 21;          // mi1_mdio_init(): 44 MHz to an MDC of 1 MHz
enum MdioOperation : std::uint32_t { kMdioAddress = 0, kMdioWrite = 1, kMdioRead = 3 };

// mv88x201x.c, and the devices of clause 45.
constexpr std::uint32_t kPmaPmd = 1;
constexpr std::uint32_t kPcs = 3;
constexpr std::uint32_t kPhyXs = 4;
constexpr std::uint32_t kStatus1 = 1;
constexpr std::uint32_t kLinkUp = 4;
constexpr std::uint32_t kModuleClock = 0x8300;
constexpr std::uint32_t kLedControl = 0x8304;
constexpr std::uint32_t kLeds = 0xdddd;
constexpr std::uint32_t kLasiControl = 0x9002;
constexpr std::uint32_t kLasiStatus = 0x9005;
constexpr std::uint32_t kLinkAlarm = 1;

struct Setting {
  std::uint32_t place;
  std::uint32_t value;
};
// pm3393.c: registers that pm3393_mac_create() and pm3393_enable() write.
constexpr std::array kMacSettings{
    Setting{0x2305, 0x1001},  // PL4IO on
    Setting{0x3200, 0x8080},  // EFLX on
    Setting{0x3210, 0x0000},  // EFLX: channel deprovision
    Setting{0x3203, 0x0000},  // EFLX: low limit
    Setting{0x3204, 0x0040},  // EFLX: high limit
    Setting{0x3205, 0x02cc},  // EFLX: almost full
    Setting{0x3206, 0x0199},  // EFLX: almost empty
    Setting{0x3202, 0x0000},  // EFLX: takes these over
    Setting{0x3210, 0x0001},  // EFLX: channel provision
    Setting{0x2200, 0xc000},  // IFLX on
    Setting{0x2201, 0x0000},  // IFLX: channel deprovision
    Setting{0x220e, 0x0000},  // IFLX: low limit
    Setting{0x220f, 0x0100},  // IFLX: high limit
    Setting{0x2210, 0x0c00},  // IFLX: almost full
    Setting{0x2211, 0x0599},  // IFLX: almost empty
    Setting{0x220d, 0x0000},  // IFLX: takes these over
    Setting{0x2201, 0x0001},  // IFLX: channel provision
    Setting{0x2243, 0x0008},  // PL4MOS: burst to a starving FIFO
    Setting{0x2244, 0x0008},  // PL4MOS: burst to a hungry FIFO
    Setting{0x2245, 0x0008},  // PL4MOS: transfer size
    Setting{0x2240, 0x0005},  // PL4MOS: configuration
    Setting{0x2280, 0x2103},  // PL4ODP: data go through
    Setting{0x3280, 0x0087},  // PL4IDU: data go through
    Setting{0x304d, 0x8000},  // TXXG: quanta of a PAUSE
    Setting{0x2049, 0x0001},  // RXXG: cut through
};
// espi.c, t1_espi_init() for a T1B and a PM3393.
constexpr std::array kEspiSettings{
    Setting{mac_regs::kEspiTrain, 0},
    Setting{mac_regs::kEspiMaxBurst, 0x0080'0100},
    Setting{mac_regs::kEspiSchToken0, 0x1f4},
    Setting{mac_regs::kEspiSchToken1, 0x1f4},
    Setting{mac_regs::kEspiSchToken2, 0x1f4},
    Setting{mac_regs::kEspiSchToken3, 0x1f4},
    Setting{mac_regs::kEspiAlmostEmpty, 0x100},
    Setting{mac_regs::kEspiAlmostFull, 0x4000},
    Setting{mac_regs::kEspiCalendarLength, 3},
    Setting{mac_regs::kEspiTrain, 0x0800'0008},
    Setting{mac_regs::kPortConfig, 0x0101},
    Setting{mac_regs::kEspiFifoStatusEnable, mac_regs::kEspiStatusEnableFields.rx_status},
};
// subr.c: clock_core, 125 MHz. tp.c: between modulation events 9 us at 1 Gb/s, a tenth of it at 10,
// in core clocks, even.
constexpr Board::Clocks kT1Clocks{8000, 9 * 125 / 10 & ~1U};
constexpr std::uint32_t kRxConfig = 0x059c;  // RXXG_CONF1_VAL
constexpr std::uint32_t kTxConfig = 0x0632;  // TXXG_CONF1_VAL: gap of 12, FCS, padding, alignment
constexpr std::uint32_t kBroadcastFilter = 0x0009;  // filter 0
constexpr std::uint32_t kStationFilter = 0x0090;    // filter 1

std::uint32_t word_of(const MacAddress& mac, std::uint32_t index) {
  const std::size_t at = std::size_t{2} * index;
  return static_cast<std::uint32_t>(mac[at] | mac[at + 1] << 8);
}

}  // namespace

T1Board::T1Board(RegisterAccess& registers, Kind kind) : Board(registers, kT1Clocks), kind_(kind) {}

// ---- TPI

void T1Board::tpi_wait() {
  for (std::uint32_t i = 1; i < kTpiAttempts; ++i) {
    if ((registers().read_register(mac_regs::kTpiCsr) & mac_regs::kTpiCsrFields.rdy) != 0) return;
    registers().wait(kTpiWaitPs);
  }
}

std::uint32_t T1Board::tpi_read(std::uint32_t address) {
  registers().write_register(mac_regs::kTpiAddr, address);
  registers().write_register(mac_regs::kTpiCsr, 0);
  tpi_wait();
  return registers().read_register(mac_regs::kTpiRdData);
}

void T1Board::tpi_write(std::uint32_t address, std::uint32_t value) {
  registers().write_register(mac_regs::kTpiAddr, address);
  registers().write_register(mac_regs::kTpiWrData, value);
  registers().write_register(mac_regs::kTpiCsr, mac_regs::kTpiCsrFields.wr);
  tpi_wait();
}

void T1Board::mac_write(std::uint32_t number, std::uint32_t value) {
  tpi_write(pm::offset_of(number), value);
}

void T1Board::mac_write(const nic::terminator::pm::Spec& reg, std::uint32_t value) {
  tpi_write(reg.offset, value);
}

// ---- MDIO

void T1Board::mdio_operate(std::uint32_t operation) {
  tpi_write(mac_regs::kMi1Base + mac_regs::kMi1Op, operation);
  for (std::uint32_t i = 0; i < kMdioAttempts; ++i) {
    if ((tpi_read(mac_regs::kMi1Base + mac_regs::kMi1Op) & mac_regs::kMi1OpFields.busy) == 0)
      return;
    registers().wait(kMdioWaitPs);
  }
}

void T1Board::mdio_address(std::uint32_t device, std::uint32_t reg) {
  tpi_write(mac_regs::kMi1Base + mac_regs::kMi1Addr,
            mac_regs::kMi1AddrFields.reg.put(device) |
                mac_regs::kMi1AddrFields.phy.put(kind_ == Kind::kN110 ? 0 : 1));
  tpi_write(mac_regs::kMi1Base + mac_regs::kMi1Data, reg);
  mdio_operate(kMdioAddress);
}

std::uint32_t T1Board::mdio_read(std::uint32_t device, std::uint32_t reg) {
  mdio_address(device, reg);
  mdio_operate(kMdioRead);
  return tpi_read(mac_regs::kMi1Base + mac_regs::kMi1Data) & 0xffff;
}

void T1Board::mdio_write(std::uint32_t device, std::uint32_t reg, std::uint32_t value) {
  mdio_address(device, reg);
  tpi_write(mac_regs::kMi1Base + mac_regs::kMi1Data, value);
  mdio_operate(kMdioWrite);
}

// ---- the board

/// Sets outputs of Elmer0, beside those that are set.
void T1Board::gpo(std::uint32_t set) {
  outputs_ |= set;
  tpi_write(mac_regs::kElmer0Base + mac_regs::kElmer0Gpo, outputs_);
}

void T1Board::bring_up() {
  if (up_) return;
  up_ = true;
  const auto& pins = mac_regs::kElmer0GpoFields;
  const auto& mdio = mac_regs::kMi1CfgFields;
  const bool fibre = kind_ == Kind::kT110Fibre;
  registers().write_register(mac_regs::kTpiPar, kTpiPar);
  gpo(kind_ == Kind::kN110 ? kPins : kT110Pins);
  if (fibre) gpo(pins.power);  // power_sequence_xpak()
  tpi_write(mac_regs::kMi1Base + mac_regs::kMi1Cfg,
            mdio.preamble | mdio.clk_div.put(kClockDivider) |
                (kind_ == Kind::kN110 ? 0U : mdio.mdi_enable | mdio.mdi_invert));
  // mv88x201x_phy_reset()
  registers().wait(100 * kMs);
  gpo(pins.phy_run);
  registers().wait(1000 * kMs);
  module_ready_ps_ = now_ps() + kModuleWaitPs;
  if (!fibre) gpo(pins.laser);
  registers().wait(100 * kUs);
  // pm3393_mac_reset()
  registers().wait(4 * kMs);
  gpo(pins.mac_run);
  registers().wait(16 * kMs);
  if (kind_ != Kind::kN110) return;
  // mv88x201x_phy_create()
  mdio_write(kPcs, kModuleClock, mdio_read(kPcs, kModuleClock) | 1U);
  mdio_write(kPcs, kLedControl, kLeds);
}

void T1Board::start_tp() {
  registers().write_register(
      mc_regs::kMc4Cfg, registers().read_register(mc_regs::kMc4Cfg) | mc_regs::kMc4CfgFields.ready);
  registers().write_register(mc_regs::kMc5Config, mc_regs::kMc5ConfigFields.tcam_reset);
  Board::start_tp();
}

void T1Board::configure_bus() {
  for (const Setting& setting : kEspiSettings)
    registers().write_register(setting.place, setting.value);
}

void T1Board::configure_mac(const MacAddress& mac, std::uint32_t largest_frame) {
  for (const Setting& setting : kMacSettings) mac_write(setting.place, setting.value);
  disable_mac();
  mac_write(pm::kRxxgMaxFrameLength, largest_frame);
  mac_write(pm::kTxxgMaxFrameSize, largest_frame);
  mac_write(pm::kFilterControl0, 0);
  for (std::uint32_t i = 0; i < 3; ++i) {
    mac_write(pm::kRxxgExactMatch + i, 0xffff);
    mac_write(pm::kRxxgExactMatch + 3 + i, word_of(mac, i));
    mac_write(pm::kTxxgSa + i, word_of(mac, i));
  }
  mac_write(pm::kFilterControl0, kBroadcastFilter | kStationFilter);
  write_hash();
}

void T1Board::write_hash() {
  for (std::uint32_t i = 0; i < 4; ++i) {
    mac_write(pm::kRxxgHash + i, static_cast<std::uint32_t>(groups_ >> (16 * i) & 0xffff));
  }
  mac_write(pm::kFilterControl2, groups_ != 0 ? pm::kFilterControl2Fields.mhash_en : 0U);
}

void T1Board::join(const MacAddress& group) {
  groups_ |= std::uint64_t{1} << nic::terminator::Pm3393Filter::hash_of(group);
  if (up_) write_hash();
}

void T1Board::enable_mac(bool flow_control) {
  mac_write(pm::kRxxgConfig1, kRxConfig | pm::kRxxgConfig1Fields.rxen);
  const std::uint32_t pause =
      flow_control ? pm::kTxxgConfig1Fields.fctx | pm::kTxxgConfig1Fields.fcrx : 0U;
  mac_write(pm::kTxxgConfig1, kTxConfig | pm::kTxxgConfig1Fields.txen0 | pause);
}

void T1Board::disable_mac() {
  mac_write(pm::kRxxgConfig1, kRxConfig);
  mac_write(pm::kTxxgConfig1, kTxConfig);
  registers().wait(20 * kUs);
}

void T1Board::clear_phy() {
  mdio_read(kPmaPmd, kStatus1);  // link is latched low
  mdio_read(kPmaPmd, kLasiStatus);
}

void T1Board::enable_interrupts() {
  if (!link_interrupts()) return;
  clear_phy();
  mdio_write(kPmaPmd, kLasiControl, kLinkAlarm);
  tpi_write(mac_regs::kElmer0Base + mac_regs::kElmer0IntCause, ~0U);
  tpi_write(mac_regs::kElmer0Base + mac_regs::kElmer0IntEnable, mac_regs::kElmer0PinFields.phy);
}

void T1Board::disable_interrupts() {
  if (link_interrupts()) mdio_write(kPmaPmd, kLasiControl, 0);
  tpi_write(mac_regs::kElmer0Base + mac_regs::kElmer0IntEnable, 0);
}

void T1Board::take_link_interrupt() {
  const std::uint32_t cause = tpi_read(mac_regs::kElmer0Base + mac_regs::kElmer0IntCause);
  if ((cause & mac_regs::kElmer0PinFields.phy) != 0) clear_phy();
  tpi_write(mac_regs::kElmer0Base + mac_regs::kElmer0IntCause, cause);
}

/// Light, code blocks and XAUI are there. Status latches a loss, so the second reading counts.
bool T1Board::module_has_link() {
  if (now_ps() < module_ready_ps_) return false;
  if ((outputs_ & mac_regs::kElmer0GpoFields.laser) == 0) gpo(mac_regs::kElmer0GpoFields.laser);
  for (const std::uint32_t device : {kPmaPmd, kPcs, kPhyXs}) {
    if ((mdio_read(device, kStatus1) & kLinkUp) == 0 &&
        (mdio_read(device, kStatus1) & kLinkUp) == 0)
      return false;
  }
  return true;
}

bool T1Board::link() {
  if (kind_ == Kind::kT110Fibre) return module_has_link();
  return (mdio_read(kPmaPmd, kStatus1) & kLinkUp) != 0;
}

}  // namespace longhaul::host::chelsio
