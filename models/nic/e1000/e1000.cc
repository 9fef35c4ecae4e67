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
  // Boards with two ports have even addresses, from their own number range.
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
  return regs::kCtrlFields.fd | regs::kCtrlFields.speed_1000 |
         (board_.fiber ? regs::kCtrlFields.lrst : 0U);
}

void E1000::ctrl_written(std::uint32_t value) {
  if ((value & regs::kCtrlFields.rst) != 0) {
    reset();
    return;
  }
  ctrl_.set(value & ~regs::kCtrlFields.phy_rst);
  if ((value & regs::kCtrlFields.phy_rst) != 0) phy_.hardware_reset();
  apply_ctrl();
}

void E1000::apply_ctrl() {
  update_led();
  tbi_.set_control(ctrl_.has(regs::kCtrlFields.lrst), ctrl_.has(regs::kCtrlFields.slu));
  apply_loopback();
  rx_.update_thresholds();
}

void E1000::apply_loopback() {
  const bool by_rctl = board_.fiber && rx_.loopback() == regs::kRctlFields.lbm_tcvr;
  const bool transceiver = phy_.loops() || by_rctl;
  // A transceiver in loopback sends nothing (IEEE 802.3, 22.2.4.1.2). A link in reset breaks the
  // far end's link, too: it sends no signal to which that could synchronise.
  mac_.enable_laser(!transceiver && (!board_.fiber || !ctrl_.has(regs::kCtrlFields.lrst)));
  tbi_.set_loopback(board_.fiber && transceiver);
  mac_.set_loopback(transceiver || rx_.loopback() == regs::kRctlFields.lbm_mac ? kGigabit
                                                                               : BitRate{0});
  update_link();
}

std::uint32_t E1000::ctrl_now() const {
  const bool signal = board_.fiber && mac_.carrier();
  return (ctrl_.value() & ~(board_.fiber ? regs::kCtrlFields.swdpin1 : 0U)) |
         (signal ? regs::kCtrlFields.swdpin1 : 0U) |
         (now() < reset_until_ ? regs::kCtrlFields.rst : 0U);
}

void E1000::update_led() {
  if (board_.fiber) {
    led.set(ctrl_.has(regs::kCtrlFields.swdpio0) && !ctrl_.has(regs::kCtrlFields.swdpin0) ? 1 : 0);
    return;
  }
  constexpr std::uint32_t kOn = 0xe;
  bool lit = false;
  for (const RegisterField& mode : {regs::kLedctlFields.led0_mode, regs::kLedctlFields.led1_mode,
                                    regs::kLedctlFields.led2_mode, regs::kLedctlFields.led3_mode}) {
    lit = lit || ledctl_.get(mode) == kOn;
  }
  led.set(lit ? 1 : 0);
}

void E1000::eecd_written(std::uint32_t value) {
  eeprom_->request(function_, (value & regs::kEecdFields.req) != 0);
  eeprom_->drive(function_, (value & regs::kEecdFields.cs) != 0,
                 (value & regs::kEecdFields.sk) != 0, (value & regs::kEecdFields.di) != 0);
}

MacAddress E1000::mac_address() const {
  MacAddress address = mac_address_of(eeprom_->rom());
  address[5] = static_cast<std::uint8_t>(address[5] ^ function_);
  return address;
}

std::uint32_t E1000::eecd_now() const {
  return eecd_.value() | regs::kEecdFields.pres |
         (eeprom_->granted(function_) ? regs::kEecdFields.gnt : 0U) |
         (eeprom_->rom().data_out() ? regs::kEecdFields.data_out : 0U);
}

void E1000::eerd_written(std::uint32_t value) {
  eerd_.set(value & regs::kEerdFields.addr);
  if ((value & regs::kEerdFields.start) == 0) return;
  eerd_data_ = eeprom_->rom().word(regs::kEerdFields.addr.get(value));
  eerd_done_ = now() + params_.eeprom_word_time();
}

std::uint32_t E1000::eerd_now() const {
  if (now() < eerd_done_) return eerd_.value();
  return eerd_.value() | regs::kEerdFields.data.put(eerd_data_) |
         (eerd_done_ == sc_core::SC_ZERO_TIME ? 0U : regs::kEerdFields.done);
}

void E1000::ctrl_ext_written(std::uint32_t value) {
  ctrl_ext_.clear_bits(regs::kCtrlExtFields.ee_rst);
  if ((value & regs::kCtrlExtFields.ee_rst) != 0) rx_.load_own_address(mac_address());
}

void E1000::vet_written(std::uint32_t value) {
  rx_.set_vlan_type(static_cast<std::uint16_t>(value));
  tx_.set_vlan_type(static_cast<std::uint16_t>(value));
}

void E1000::mdic_written(std::uint32_t value) {
  mdic_.set(value & ~(regs::kMdicFields.ready | regs::kMdicFields.error));
  const bool write = (value & regs::kMdicFields.write) != 0;
  if (!write && (value & regs::kMdicFields.read) == 0) return;
  const auto number = static_cast<std::uint16_t>(regs::kMdicFields.reg.get(value));
  mdio_.start(MdioClause::k22, write ? MdioOp::kWrite : MdioOp::kRead,
              regs::kMdicFields.phy.get(value), 0, number,
              static_cast<std::uint16_t>(regs::kMdicFields.data.get(value)));
  mdic_timer_.restart(params_.mdio.frame_time());
}

void E1000::mdic_done() {
  if (mdic_.has(regs::kMdicFields.int_en)) interrupts_.post(regs::kCauseFields.mdac);
}

std::uint32_t E1000::mdic_now() const {
  if (mdio_.busy()) return mdic_.value();
  const std::uint32_t data =
      mdic_.has(regs::kMdicFields.read) ? mdio_.read_data() : mdic_.get(regs::kMdicFields.data);
  return (mdic_.value() & ~regs::kMdicFields.data) | data | regs::kMdicFields.ready;
}

void E1000::pba_written(std::uint32_t value) {
  const auto total = static_cast<std::uint32_t>(params_.packet_buffer().count >> 10);
  const std::uint32_t rx = std::clamp(regs::kPbaFields.rxa.get(value), 1U, total - 1);
  pba_.set(regs::kPbaFields.rxa.put(rx) | regs::kPbaFields.txa.put(total - rx));
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
  // CTRL.RST does not reset the split of the packet buffer and the EEPROM's pins.
  pba_.set(pba);
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
    interrupts_.post(regs::kCauseFields.rxseq);
  }
  if (board_.fiber) {
    tbi_.set_signal(carrier);
  } else {
    phy_.set_signal(carrier);
  }
  update_link();
}

void E1000::negotiated(PauseModes modes) {
  ctrl_.clear_bits(regs::kCtrlFields.tfce | regs::kCtrlFields.rfce);
  ctrl_.set_bits((modes.send ? regs::kCtrlFields.tfce : 0U) |
                 (modes.honour ? regs::kCtrlFields.rfce : 0U));
  rx_.update_thresholds();
}

void E1000::update_link() {
  set_modes();
  if (link_up() == was_up_) return;
  was_up_ = link_up();
  interrupts_.post(regs::kCauseFields.lsc);
}

void E1000::set_modes() {
  // The MAC's own loopback needs no link.
  const bool up = link_up() || rx_.loopback() == regs::kRctlFields.lbm_mac;
  mac_.enable_tx(up);
  mac_.enable_rx(up && rx_enabled_);
  mac_.set_flow_control(ctrl_.has(regs::kCtrlFields.tfce), ctrl_.has(regs::kCtrlFields.rfce));
}

std::uint32_t E1000::status_now() const {
  return bus_status_ | regs::kStatusFields.fd | regs::kStatusFields.speed_1000 |
         (board_.fiber ? regs::kStatusFields.tbimode : 0U) |
         regs::kStatusFields.func.put(function_) | (link_up() ? regs::kStatusFields.lu : 0U) |
         (mac_.paused() ? regs::kStatusFields.txoff : 0U);
}

std::unique_ptr<E1000> make_e1000(const std::string& name, const nlohmann::json& params,
                                  unsigned index, E1000* lan_a) {
  E1000Params values;
  configure(values, params, full_name(name));
  return std::make_unique<E1000>(name.c_str(), values, index, lan_a);
}

}  // namespace longhaul::nic::e1000
