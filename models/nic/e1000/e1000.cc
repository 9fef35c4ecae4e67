// SPDX-License-Identifier: Apache-2.0
#include "models/nic/e1000/e1000.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "models/common/param_json.h"
#include "models/nic/e1000/e1000_eeprom.h"

namespace longhaul::nic::e1000 {
namespace {

constexpr std::uint32_t kClassEthernet = 0x020000;
constexpr std::uint8_t kPcixCapability = 0xe4;  // 8254x SDM, 4.1.1
constexpr std::uint8_t kMsiCapability = 0xf0;

/// PCI-X status: 64-bit device, 133 MHz capable; by design reads of 2 KB at most, one outstanding.
constexpr std::uint32_t kPcixStatus = 1U << 16 | 1U << 17 | 2U << 21 | 0U << 23;

const BoardKind& board_of(const E1000Params& params, const std::string& where) {
  return kind_named(kBoards, params.board(), where + ".board");
}

constexpr BitRate kGigabit{1'000'000'000};

constexpr std::uint8_t kIntA = 1;
constexpr std::uint8_t kIntB = 2;

pcix::ConfigIdentity identity(const E1000Params& params, const std::string& where,
                              const E1000* lan_a) {
  const BoardKind& board = board_of(params, where);
  if (lan_a != nullptr && board.ports < 2)
    throw ConfigError(
        fmt::format("{}.board: a {} has one port, so no function 1", where, params.board()));
  if (lan_a != nullptr && !params.mac().empty())
    throw ConfigError(
        fmt::format("{}.mac: LAN B has LAN A's address with the last bit inverted", where));
  if (lan_a != nullptr && lan_a->params().board() != params.board())
    throw ConfigError(fmt::format("{}.board: {} and {} cannot be functions of one board", where,
                                  lan_a->params().board(), params.board()));
  return {intel::kVendor,   board.device_id,    board.revision,   kClassEthernet,
          intel::kVendor,   board.subsystem_id, kPcixCapability,  kMsiCapability,
          regs::kBar0Bytes, IoWindow::kBar,     IoWindow::kBytes, lan_a == nullptr ? kIntA : kIntB};
}

MacAddress address_for(const E1000Params& params, unsigned index, const std::string& where) {
  // Boards with two ports have even addresses, and a number range of their own.
  const std::uint32_t ports = board_of(params, where).ports;
  return station_address(params.mac(), {0x00, 0x04, 0x23, static_cast<std::uint8_t>(ports - 1)},
                         (index + 1) * ports, where + ".mac");
}

const E1000Params& checked(const E1000Params& params, const std::string& where) {
  if (units::KiB(params.rx_buffer_kib()).count >= params.packet_buffer().count) {
    throw ConfigError(fmt::format(
        "{}.rx_buffer_kib: {} KiB leave nothing of the packet_buffer of {} for transmission", where,
        params.rx_buffer_kib(), to_text(params.packet_buffer())));
  }
  return params;
}

}  // namespace

E1000::E1000(const sc_core::sc_module_name& name, const E1000Params& params, unsigned index,
             E1000* lan_a)
    : IntelAdapter(name, regs::kBar0Bytes,
                   identity(params, full_name(static_cast<const char*>(name)), lan_a),
                   checked(params, full_name(static_cast<const char*>(name)))),
      board_(board_of(params, this->name())),
      function_(lan_a == nullptr ? 0 : 1),
      io_window_(bank()),
      eeprom_(lan_a != nullptr
                  ? lan_a->eeprom_
                  : std::make_shared<BoardEeprom>(
                        eeprom_image({address_for(params, index, this->name()), params.pba(),
                                      board_.device_id, board_.subsystem_id, board_.fiber,
                                      board_.ports}),
                        params.eeprom)),
      phy_("phy",
           {params.copper_negotiation(),
            link_partner_named(params.link_partner(), std::string(this->name()) + ".link_partner")},
           [this] { apply_loopback(); }),
      mdio_(phy_, params.mdio),
      interrupts_("moderator", [this](bool level) { set_interrupt(level); }),
      stats_(bank(), mac_),
      tbi_(
          "tbi", bank(),
          {params.fiber_negotiation(),
           link_partner_named(params.link_partner(), std::string(this->name()) + ".link_partner")},
          [this] { update_link(); }, [this](PauseModes modes) { negotiated(modes); }),
      mdic_timer_("mdic_timer", [this] { mdic_done(); }),
      rx_(
          "rx", parts(), [this] { carrier_changed(); },
          [this](bool on) {
            rx_enabled_ = on;
            set_modes();
          },
          [this] { apply_loopback(); }),
      tx_("tx", parts()) {
  config().set_pcix_status(kPcixStatus);
  set_io_ports(&io_window_);
  set_units(tx_, rx_);
  mac_.attach(tx_, rx_);
  pba_written(params.rx_buffer_kib());
  ctrl_.set(ctrl_default());
  rx_.reset(mac_address());
}

E1000Parts E1000::parts() { return {params_, bank(), dma(), mac_, interrupts_, stats_, ctrl_}; }

void E1000::start_of_simulation() {
  apply_ctrl();
  carrier_changed();
}

std::uint32_t E1000::ctrl_default() const {
  return regs::ctrl::kFd | regs::ctrl::kSpeed1000 | (board_.fiber ? regs::ctrl::kLrst : 0U);
}

void E1000::ctrl_written(std::uint32_t value) {
  if ((value & regs::ctrl::kRst) != 0) {
    reset();
    return;
  }
  ctrl_.set(value & ~regs::ctrl::kPhyRst);
  if ((value & regs::ctrl::kPhyRst) != 0) phy_.hardware_reset();
  apply_ctrl();
}

void E1000::apply_ctrl() {
  update_led();
  tbi_.set_control(ctrl_.has(regs::ctrl::kLrst), ctrl_.has(regs::ctrl::kSlu));
  apply_loopback();
  rx_.update_thresholds();
}

void E1000::apply_loopback() {
  const bool by_rctl = board_.fiber && rx_.loopback() == regs::rctl::kLbmTransceiver;
  const bool transceiver = phy_.loops() || by_rctl;
  // A transceiver in loopback sends nothing (IEEE 802.3, 22.2.4.1.2). A link in reset breaks the
  // far end's too: it sends nothing that the far end could stay in step with.
  mac_.enable_laser(!transceiver && (!board_.fiber || !ctrl_.has(regs::ctrl::kLrst)));
  tbi_.set_loopback(board_.fiber && transceiver);
  mac_.set_loopback(transceiver || rx_.loopback() == regs::rctl::kLbmMac ? kGigabit : BitRate{0});
  update_link();
}

std::uint32_t E1000::ctrl_now() const {
  const bool signal = board_.fiber && mac_.carrier();
  return (ctrl_.value() & ~(board_.fiber ? regs::ctrl::kSwdpin1 : 0U)) |
         (signal ? regs::ctrl::kSwdpin1 : 0U) | (now() < reset_until_ ? regs::ctrl::kRst : 0U);
}

void E1000::update_led() {
  if (board_.fiber) {
    led.set(ctrl_.has(regs::ctrl::kSwdpio0) && !ctrl_.has(regs::ctrl::kSwdpin0) ? 1 : 0);
    return;
  }
  constexpr std::uint32_t kOn = 0xe;
  bool lit = false;
  for (std::uint32_t i = 0; i < 4; ++i) lit = lit || (ledctl_.value() >> (8 * i) & 0xf) == kOn;
  led.set(lit ? 1 : 0);
}

void E1000::eecd_written(std::uint32_t value) {
  eeprom_->request(function_, (value & regs::eecd::kReq) != 0);
  eeprom_->drive(function_, (value & regs::eecd::kCs) != 0, (value & regs::eecd::kSk) != 0,
                 (value & regs::eecd::kDi) != 0);
}

MacAddress E1000::mac_address() const {
  MacAddress address = mac_address_of(eeprom_->rom());
  address[5] = static_cast<std::uint8_t>(address[5] ^ function_);
  return address;
}

std::uint32_t E1000::eecd_now() const {
  return eecd_.value() | regs::eecd::kPres | (eeprom_->granted(function_) ? regs::eecd::kGnt : 0U) |
         (eeprom_->rom().data_out() ? regs::eecd::kDo : 0U);
}

void E1000::eerd_written(std::uint32_t value) {
  eerd_.set(value & 0xffU << regs::eerd::kAddressShift);
  if ((value & regs::eerd::kStart) == 0) return;
  eerd_data_ = eeprom_->rom().word(value >> regs::eerd::kAddressShift & 0xff);
  eerd_done_ = now() + params_.eeprom_word_time();
}

std::uint32_t E1000::eerd_now() const {
  if (now() < eerd_done_) return eerd_.value();
  return eerd_.value() | static_cast<std::uint32_t>(eerd_data_) << regs::eerd::kDataShift |
         (eerd_done_ == sc_core::SC_ZERO_TIME ? 0U : regs::eerd::kDone);
}

void E1000::ctrl_ext_written(std::uint32_t value) {
  ctrl_ext_.clear_bits(regs::kEeRst);
  if ((value & regs::kEeRst) != 0) rx_.load_own_address(mac_address());
}

void E1000::vet_written(std::uint32_t value) {
  rx_.set_vlan_type(static_cast<std::uint16_t>(value));
  tx_.set_vlan_type(static_cast<std::uint16_t>(value));
}

void E1000::mdic_written(std::uint32_t value) {
  mdic_.set(value & ~(regs::mdic::kReady | regs::mdic::kError));
  const bool write = (value & regs::mdic::kWrite) != 0;
  if (!write && (value & regs::mdic::kRead) == 0) return;
  const auto number = static_cast<std::uint16_t>(value >> regs::mdic::kRegisterShift & 31);
  mdio_.start(MdioClause::k22, write ? MdioOp::kWrite : MdioOp::kRead,
              value >> regs::mdic::kPhyShift & 31, 0, number, static_cast<std::uint16_t>(value));
  mdic_timer_.restart(params_.mdio.frame_time());
}

void E1000::mdic_done() {
  if (mdic_.has(regs::mdic::kIntEnable)) interrupts_.post(regs::cause::kMdac);
}

std::uint32_t E1000::mdic_now() const {
  if (mdio_.busy()) return mdic_.value();
  const std::uint32_t data =
      mdic_.has(regs::mdic::kRead) ? mdio_.read_data() : mdic_.value() & 0xffff;
  return (mdic_.value() & ~0xffffU) | data | regs::mdic::kReady;
}

void E1000::pba_written(std::uint32_t value) {
  const auto total = static_cast<std::uint32_t>(params_.packet_buffer().count >> 10);
  const std::uint32_t rx = std::clamp(value & 0xffff, 1U, total - 1);
  pba_.set(rx | (total - rx) << 16);
  rx_.set_fifo(units::KiB(rx));
  tx_.set_fifo(units::KiB(total - rx));
}

void E1000::throttle_written(std::uint32_t value) {
  interrupts_.set_gap(from_ps(to_ps(params_.throttle_unit()) * value));
}

void E1000::reset() {
  resets.add();
  reset_until_ = now() + params_.reset_time();
  dma().abandon_all();
  interrupts_.reset();
  const std::uint32_t pba = pba_.value();
  const std::uint32_t eecd = eecd_.value();
  bank().reset();
  pba_.set(pba);  // the split of the packet buffer and the EEPROM's pins are no part of what
                  // CTRL.RST resets
  eecd_.set(eecd);
  ctrl_.set(ctrl_default());
  mac_.reset();
  stats_.reset();
  mdio_.reset();
  mdic_timer_.cancel();
  tx_.set_vlan_type(intel::kVlanType);
  rx_.set_vlan_type(intel::kVlanType);
  tx_.reset();
  rx_.reset(mac_address());
  tbi_.reset();
  apply_ctrl();
}

void E1000::carrier_changed() {
  const bool carrier = mac_.carrier();
  if (std::exchange(had_carrier_, carrier) && !carrier && board_.fiber) {
    E1000Stats::count(stats_.sequence_errors);
    interrupts_.post(regs::cause::kRxseq);
  }
  if (board_.fiber) {
    tbi_.set_signal(carrier);
  } else {
    phy_.set_signal(carrier);
  }
  update_link();
}

void E1000::negotiated(PauseModes modes) {
  ctrl_.clear_bits(regs::ctrl::kTfce | regs::ctrl::kRfce);
  ctrl_.set_bits((modes.send ? regs::ctrl::kTfce : 0U) | (modes.honour ? regs::ctrl::kRfce : 0U));
  rx_.update_thresholds();
}

void E1000::update_link() {
  set_modes();
  if (link_up() == was_up_) return;
  was_up_ = link_up();
  interrupts_.post(regs::cause::kLsc);
}

void E1000::set_modes() {
  // The MAC's own loopback needs no link.
  const bool up = link_up() || rx_.loopback() == regs::rctl::kLbmMac;
  mac_.enable_tx(up);
  mac_.enable_rx(up && rx_enabled_);
  mac_.set_flow_control(ctrl_.has(regs::ctrl::kTfce), ctrl_.has(regs::ctrl::kRfce));
}

std::uint32_t E1000::status_now() const {
  return bus_status_ | regs::status::kFd | regs::status::kSpeed1000 |
         (board_.fiber ? regs::status::kTbi : 0U) | function_ << regs::status::kFunctionShift |
         (link_up() ? regs::status::kLinkUp : 0U) | (mac_.paused() ? regs::status::kTxOff : 0U);
}

std::unique_ptr<E1000> make_e1000(const std::string& name, const nlohmann::json& params,
                                  unsigned index, E1000* lan_a) {
  E1000Params values;
  configure(values, params, full_name(name));
  return std::make_unique<E1000>(name.c_str(), values, index, lan_a);
}

}  // namespace longhaul::nic::e1000
