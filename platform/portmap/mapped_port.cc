// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/mapped_port.h"

#include <fmt/format.h>

#include <string>

#include "models/common/units.h"
#include "models/net/frame/ethernet_header.h"
#include "platform/portmap/ms_text.h"

namespace longhaul::portmap {
namespace {

constexpr std::uint64_t kGmiiBytePs = 8'000;  // IEEE 802.3, clause 35: 1 Gb/s
constexpr std::uint64_t kXgmiiBytePs = 800;   // IEEE 802.3, clause 46: 10 Gb/s

bool is_gmii(const InterfaceEntry& interface) { return interface.kind == "gmii"; }

}  // namespace

const char* phy_of(const InterfaceEntry& interface) {
  return is_gmii(interface) ? "1000base-x" : "10gbase-r";
}

MappedPort::MappedPort(const sc_core::sc_module_name& name, MappedBlock& block,
                       const InterfaceEntry& interface)
    : sc_core::sc_module(name),
      block_(block),
      interface_(interface),
      byte_ps_(is_gmii(interface) ? kGmiiBytePs : kXgmiiBytePs) {
  PortListener* const listener = this;
  if (is_gmii(interface)) {
    gmii_ = std::make_unique<cosim::GmiiPort>("gmii", block.rtl());
    gmii_->set_listener(listener);
  } else {
    wire_ = std::make_unique<cosim::WirePort>("xgmii", block.rtl());
    wire_->set_listener(listener);
  }
}

/// When the first bit of its preamble was on the wire, of a frame whose last bit is now.
sc_core::sc_time MappedPort::began(const Frame& frame) const {
  return from_ps(now_ps() - (ethernet::kPreambleBytes + frame.octets()) * byte_ps_);
}

void MappedPort::frame_arrived(const FrameRef& frame) {
  last_rx_ps_ = now_ps();
  if (!frame->fcs_matches()) return rx_bad_fcs.add();
  rx_frames.add();
  rx_octets.add(frame->octets());
  if (received.active()) received.report(began(*frame), frame, observe::FrameFate::kReceived);
}

void MappedPort::frame_left(const FrameRef& frame) {
  last_tx_ps_ = now_ps();
  tx_frames.add();
  tx_octets.add(frame->octets());
  if (sent.active()) sent.report(began(*frame), frame, observe::FrameFate::kSent);
}

std::string MappedPort::text() const {
  const auto frames = [](const char* what, std::uint64_t count, std::uint64_t last_ps) {
    if (count == 0) return fmt::format("it {} no frame", what);
    return fmt::format("it {} {} frame{}, the last at {}", what, count, count == 1 ? "" : "s",
                       ms_text(last_ps));
  };
  return frames("sent", tx_frames.value(), last_tx_ps_) + "; " +
         frames("was sent", rx_frames.value() + rx_bad_fcs.value(), last_rx_ps_);
}

void MappedPort::connect() {
  if (gmii_) {
    connect_gmii();
  } else {
    connect_xgmii();
  }
}

void MappedPort::connect_gmii() {
  const auto bit = [&](const char* signal) {
    return block_.first_bit(interface_, signal, {&nothing_});
  };
  cosim::ClockDomain& tx_clock = block_.clock(interface_.tx_clock);
  const cosim::GmiiTxPins tx_pins{bit("txd").byte, bit("tx_en"), bit("tx_er")};
  gmii_->connect(block_.clock(interface_.rx_clock), {bit("rxd").byte, bit("rx_dv"), bit("rx_er")},
                 tx_clock, tx_pins);
  if (cosim::CheckerSink* const sink = block_.sink_of(interface_))
    checker_ = std::make_unique<cosim::GmiiChecker>(tx_clock, tx_pins, interface_.name, *sink);
}

void MappedPort::connect_xgmii() {
  wire_->connect_xgmii(block_.clock(interface_.rx_clock),
                       {block_.pin(interface_, "rxd"), block_.pin(interface_, "rxc")},
                       block_.clock(interface_.tx_clock),
                       {block_.pin(interface_, "txd"), block_.pin(interface_, "txc")},
                       block_.sink_of(interface_));
}

}  // namespace longhaul::portmap
