// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/xmac.h"

#include <algorithm>
#include <utility>

#include "models/net/frame/not_lost.h"
#include "models/nic/blocks/append_fcs.h"
#include "models/nic/genesis/frame_status.h"

namespace longhaul::nic::genesis {
namespace {

constexpr std::uint32_t kFifoWordBytes = 4;
constexpr std::uint32_t kLeastFifoBytes = 8;  // of a frame in the FIFO

}  // namespace

Xmac::Xmac(const sc_core::sc_module_name& name, RegisterBank& bank, EthMac& mac,
           const Settings& settings, std::function<void()> interrupt_changed)
    : sc_module(name),
      mac_(mac),
      settings_(settings),
      interrupt_changed_(std::move(interrupt_changed)),
      registers_(bank, in_reset_, settings.rx_low_words, settings.rx_high_words),
      stats_(bank, mac),
      phy_(
          "phy", {settings.negotiation, settings.partner},
          [this] {
            update_paths();
            update_interrupt();
          },
          [this] { latch(xm::kCauseFields.negotiated); }),
      fifo_("rx_fifo", settings.rx_fifo, kFifoWordBytes,
            std::max(1U, static_cast<std::uint32_t>(settings.rx_fifo.count / kLeastFifoBytes))) {
  add_control();
  add_addresses();
  mac_.set_accept_bad_fcs(true);
  mac_.set_max_frame(Frame::kMaxBytes + Frame::kFcsBytes);
  mac_.enable_tx(false);
  mac_.enable_rx(false);
  mac_.enable_laser(false);
}

void Xmac::attach(FrameSource& source, XmacReceiver& receiver,
                  std::function<void()> flush_transmit) {
  source_ = &source;
  receiver_ = &receiver;
  flush_transmit_ = std::move(flush_transmit);
  mac_.attach(*this, *this);
}

// ---- registers

void Xmac::add_control() {
  const auto add = [this](const RegisterSpec& spec, void (Xmac::*then)(std::uint32_t),
                          std::uint32_t (Xmac::*shows)() = nullptr) {
    XmacRegisters::Then written;
    XmacRegisters::Shows shown;
    if (then != nullptr) written = [this, then](std::uint32_t value) { (this->*then)(value); };
    if (shows != nullptr) shown = [this, shows] { return (this->*shows)(); };
    registers_.add(spec, std::move(written), std::move(shown));
  };
  add(xm::kMmuCmdSpec, &Xmac::mmu_cmd_written);
  add(xm::kPhyAddrSpec, &Xmac::phy_addr_written);
  add(xm::kPhyDataSpec, &Xmac::phy_data_written, &Xmac::show_phy_data);
  add(xm::kGpPortSpec, &Xmac::gp_port_written, &Xmac::show_gp_port);
  add(xm::kImskSpec, &Xmac::imsk_written);
  add(xm::kIsrcSpec, nullptr, &Xmac::take_causes);
  add(xm::kModeLowSpec, &Xmac::mode_low_written);
  add(xm::kModeHighSpec, &Xmac::mode_high_written);
  add(xm::kStatCmdSpec, &Xmac::stat_cmd_written);
}

void Xmac::add_addresses() {
  const auto written = [this](std::uint32_t) { addresses_changed(); };
  for (std::uint32_t i = 0; i < RxFilter::kExactAddresses; ++i)
    registers_.add_halves("XM_EXM", xm::kExm + 8 * i, 3, written);
  registers_.add_halves("XM_SA", xm::kSa, 3, written);
  registers_.add_halves("XM_HSM", xm::kHsm, 4, written);
}

void Xmac::phy_data_written(std::uint32_t value) {
  const std::uint32_t address = registers_.value(xm::kPhyAddr);
  if ((address & xm::kPhyAddrFields.phy) == 0)
    phy_.write(xm::kPhyAddrFields.reg.get(address), static_cast<std::uint16_t>(value));
}

/// The first read after a write of PHY_ADDR starts the access and returns the previous result.
/// Further reads return the result of the access.
std::uint32_t Xmac::show_phy_data() {
  const std::uint16_t before = phy_data_;
  if (phy_fetched_ || in_reset_) return before;
  phy_fetched_ = true;
  const std::uint32_t address = registers_.value(xm::kPhyAddr);
  phy_data_ = (address & xm::kPhyAddrFields.phy) == 0
                  ? phy_.read(xm::kPhyAddrFields.reg.get(address))
                  : std::uint16_t{0xffff};
  return before;
}

std::uint32_t Xmac::show_gp_port() {
  return (phy_.negotiating() ? xm::kGpPortFields.anip : 0U) |
         (phy_.synchronised() ? 0U : xm::kGpPortFields.inp_ass);
}

void Xmac::gp_port_written(std::uint32_t commands) {
  registers_.at(xm::kGpPort).set(0);
  if ((commands & xm::kGpPortFields.res_stat) != 0) stats_.clear();
  if ((commands & xm::kGpPortFields.res_mac) != 0) {
    flush_receive();
    if (flush_transmit_) flush_transmit_();
    mac_.reset();
  }
  if ((commands & xm::kGpPortFields.frc_int) != 0) latch(xm::kCauseFields.frc_int);
}

void Xmac::mode_low_written(std::uint32_t value) {
  registers_.at(xm::kMode).set(value & ~(xm::kModeLowFields.ftf | xm::kModeLowFields.frf));
  update_filter();
  if ((value & xm::kModeLowFields.frf) != 0) flush_receive();
  if ((value & xm::kModeLowFields.ftf) != 0 && flush_transmit_) flush_transmit_();
}

void Xmac::mode_high_written(std::uint32_t value) {
  registers_.at(xm::kMode + 2).set(value & ~xm::kModeHighFields.tx_pause);
  if ((value & xm::kModeHighFields.tx_pause) != 0) mac_.send_pause(registers_.value(xm::kMacPtime));
}

void Xmac::stat_cmd_written(std::uint32_t value) {
  registers_.at(xm::kStatCmd).set(stats_.command(static_cast<std::uint16_t>(value)));
}

void Xmac::addresses_changed() {
  for (std::uint32_t i = 0; i < RxFilter::kExactAddresses; ++i) {
    for (std::uint32_t half = 0; half < 3; ++half)
      filter_.set_exact_half(i, half, registers_.value(xm::kExm + 8 * i + 2 * half));
  }
  for (std::uint32_t half = 0; half < 3; ++half)
    filter_.set_station_half(half, registers_.value(xm::kSa + 2 * half));
  for (std::uint32_t half = 0; half < 4; ++half)
    filter_.set_hash_half(half, registers_.value(xm::kHsm + 2 * half));
  mac_.set_address(filter_.station());
}

void Xmac::update_filter() {
  const std::uint32_t bits = registers_.value(xm::kMode);
  const auto has = [bits](std::uint32_t bit) { return (bits & bit) != 0; };
  filter_.modes = {has(xm::kModeLowFields.csa),      has(xm::kModeLowFields.caa),
                   has(xm::kModeLowFields.ena_hash), has(xm::kModeLowFields.ena_prom),
                   has(xm::kModeLowFields.dis_uc),   has(xm::kModeLowFields.dis_mc),
                   has(xm::kModeLowFields.dis_bc)};
  mac_.set_pass_control(has(xm::kModeLowFields.rx_mctrl), has(xm::kModeLowFields.rx_mctrl));
}

// ---- reset, link, interrupt

void Xmac::set_reset(bool on) {
  in_reset_ = on;
  if (on) {
    registers_.reset();
    stats_.reset();
    addresses_changed();
    update_filter();
    flush_receive();
    causes_ = 0;
    phy_data_ = 0;
    phy_fetched_ = false;
    mac_.enable_laser(false);
  } else {
    mac_.enable_laser(true);
  }
  // Light that was there before the simulation started was not reported.
  phy_.set_signal(mac_.carrier());
  phy_.set_reset(on);
}

void Xmac::carrier_changed(bool up) {
  phy_.set_signal(up);
  if (!up && !in_reset_) latch(xm::kCauseFields.lnk_ae);
}

void Xmac::update_paths() {
  const std::uint16_t command = registers_.value(xm::kMmuCmd);
  const bool passes = phy_.passes_frames();
  const bool receives = passes && (command & xm::kMmuCmdFields.ena_rx) != 0;
  const bool sends = passes && (command & xm::kMmuCmdFields.ena_tx) != 0;
  mac_.set_flow_control(!in_reset_, !in_reset_ && (command & xm::kMmuCmdFields.ign_pf) == 0);
  if (std::exchange(receives_, receives) != receives) mac_.enable_rx(receives);
  if (std::exchange(sends_, sends) != sends) mac_.enable_tx(sends);
}

std::uint16_t Xmac::causes() const {
  return static_cast<std::uint16_t>(causes_ | (phy_.synchronised() ? 0 : xm::kCauseFields.inp_ass));
}

void Xmac::latch(std::uint16_t causes) {
  causes_ |= causes;
  update_interrupt();
}

std::uint32_t Xmac::take_causes() {
  const std::uint16_t seen = causes();
  causes_ = 0;
  update_interrupt();
  return seen;
}

void Xmac::update_interrupt() {
  const bool level = (causes() & ~registers_.value(xm::kImsk)) != 0;
  if (std::exchange(interrupt_, level) != level) interrupt_changed_();
}

// ---- sending

FrameRef Xmac::take_frame() {
  FrameRef frame = source_->take_frame();
  if (frame) {
    const std::uint32_t bytes = std::max(frame->octets(), EthMac::kMinFrameBytes);
    stats_.sent(cast_of(ethernet::destination(*frame)), bytes);
    latch(xm::kCauseFields.tx_comp);
  }
  return frame;
}

void Xmac::send_pause(std::uint32_t mode_bit, bool xoff) {
  if ((registers_.value(xm::kMode + 2) & mode_bit) != 0)
    mac_.send_pause(xoff ? registers_.value(xm::kMacPtime) : std::uint16_t{0});
}

void Xmac::set_ram_pause(bool asserted) {
  if (std::exchange(ram_pause_, asserted) != asserted)
    send_pause(xm::kModeHighFields.spoe_e, asserted);
}

void Xmac::update_pause() {
  const std::uint64_t fill = fifo_.fill.value();
  if (!above_high_ && fill >= std::uint64_t{registers_.value(xm::kRxHiWm)} * kFifoWordBytes) {
    above_high_ = true;
    send_pause(xm::kModeHighFields.spoh_i, true);
  } else if (above_high_ && fill <= std::uint64_t{registers_.value(xm::kRxLoWm)} * kFifoWordBytes) {
    above_high_ = false;
    send_pause(xm::kModeHighFields.spol_i, false);
  }
}

// ---- receiving

void Xmac::frame_refused(const FrameRef& frame, RxFault) { frame_received(frame); }

void Xmac::frame_received(const FrameRef& frame) {
  const std::uint32_t status =
      frame_status(*frame, registers_.value(xm::kRxCmd), registers_.value(xm::k1lVlanTag));
  count_faults(status);
  if (!filter_.accepts(ethernet::destination(*frame)))
    return drop(frame, filtered, observe::not_lost::kOtherAddress);
  if (!mode_takes(status)) return drop(frame, rejected, "damaged or of a wrong length");
  if (frame->octets() > xm::frame_status::kLengthMost)
    return drop(frame, rejected, "longer than 16383 octets");
  take_in(frame, status);
}

bool Xmac::mode_takes(std::uint32_t status) const {
  namespace bits = xm::frame_status;
  const std::uint32_t mode = registers_.value(xm::kMode);
  const auto fine = [status, mode](std::uint32_t fault, std::uint32_t wanted) {
    return (status & fault) == 0 || (mode & wanted) != 0;
  };
  return fine(bits::kFcs, xm::kModeLowFields.rx_crce) &&
         fine(bits::kRunt, xm::kModeLowFields.rx_runt) &&
         fine(bits::kLong, xm::kModeLowFields.rx_long) &&
         fine(bits::kInRangeLength, xm::kModeLowFields.rx_irle) &&
         fine(bits::kMacControl, xm::kModeLowFields.rx_mctrl);
}

void Xmac::count_faults(std::uint32_t status) {
  namespace bits = xm::frame_status;
  const bool damaged = (status & bits::kFcs) != 0;
  const bool is_long = (status & bits::kLong) != 0 &&
                       (registers_.value(xm::kRxCmd) & xm::kRxCmdFields.big_pk_ok) == 0;
  if ((status & bits::kRunt) != 0) {
    stats_.count(XmacStats::kRunt);
  } else if (is_long) {
    stats_.count(damaged ? XmacStats::kJabber : XmacStats::kLong);
  } else if (damaged) {
    stats_.count(XmacStats::kFcsError);
  }
  if ((status & bits::kInRangeLength) != 0) stats_.count(XmacStats::kLengthError);
}

void Xmac::take_in(const FrameRef& frame, std::uint32_t status) {
  Received item;
  item.status = status;
  item.bytes = status >> xm::frame_status::kLengthShift;
  if (fifo_.fill.value() != 0 && !fifo_.fits(fifo_bytes(item.bytes))) {
    stats_.count(XmacStats::kFifoOverflow);
    drop(frame, overflows, "receive FIFO full");
    return latch(xm::kCauseFields.rxf_ov);
  }
  item.frame = frame;
  if (item.bytes != frame->size()) append_fcs(item.frame, frame->fcs());
  if ((status & xm::frame_status::kErr) == 0)
    stats_.received(cast_of(ethernet::destination(*frame)), frame->octets());
  fifo_.reserve(fifo_bytes(item.bytes));
  fifo_.push(std::move(item));
  latch(xm::kCauseFields.rx_comp);
  receiver_->frame_waits();
  update_pause();
}

void Xmac::rx_leaves(bool leaves) {
  if (std::exchange(front_leaves_, leaves) == leaves) return;
  const std::uint32_t bytes = fifo_bytes(rx_front().bytes);
  leaves ? fifo_.release(bytes) : fifo_.reserve(bytes);
  update_pause();
}

void Xmac::rx_pop() {
  if (!std::exchange(front_leaves_, false)) fifo_.release(fifo_bytes(rx_front().bytes));
  fifo_.drop();
  update_pause();
}

void Xmac::flush_receive() {
  if (fifo_.empty()) return;
  fifo_.clear();
  front_leaves_ = false;
  update_pause();
  receiver_->fifo_flushed();
}

void Xmac::drop(const FrameRef& frame, observe::Counter& counter, const char* why) {
  counter.add();
  drops.report(now(), frame, observe::FrameFate::kDropped, why);
}

}  // namespace longhaul::nic::genesis
