// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/mapped_port.h"

#include <fmt/format.h>

#include <string>

#include "models/common/units.h"
#include "models/net/frame/ethernet_header.h"
#include "platform/portmap/ms_text.h"

namespace longhaul::portmap {
namespace {

constexpr std::uint64_t kGigabit = 1'000'000'000;

/// The rate on the wire, bit/s: IEEE 802.3, clauses 22 (MII at 25 MHz), 35 and 46.
std::uint64_t rate_of(const BlockMap& map, const std::string& port) {
  const auto stream = map.streams.find(port);
  if (stream != map.streams.end()) return stream->second.bits_per_s;
  const std::string& kind = map.interface(port).kind;
  return kind == "gmii" ? kGigabit : kind == "mii" ? kGigabit / 10 : 10 * kGigabit;
}

}  // namespace

const char* phy_of(const BlockMap& map, const std::string& port) {
  const std::uint64_t rate = rate_of(map, port);
  return rate < kGigabit ? "100base-tx" : rate == kGigabit ? "1000base-x" : "10gbase-r";
}

MappedPort::MappedPort(const sc_core::sc_module_name& name, MappedBlock& block,
                       const std::string& port)
    : sc_core::sc_module(name),
      block_(block),
      port_(port),
      byte_ps_(transfer_ps(1, {rate_of(block.map(), port)})) {
  PortListener* const listener = this;
  if (block.map().streams.count(port) != 0) {
    stream_ = std::make_unique<cosim::AxiStreamPort>("stream", block.rtl());
    stream_->set_listener(listener);
  } else {
    wire_ =
        std::make_unique<cosim::WirePort>(block.map().interface(port).kind.c_str(), block.rtl());
    wire_->set_listener(listener);
  }
  block.board().add_port(port, *this);
}

/// Returns the time at which the first bit of the preamble was on the wire, for a frame whose last
/// bit is on the wire now.
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

void MappedPort::carrier_changed(bool up) {
  if (carrier_ && !up) ++losses_;
  carrier_ = up;
}

bool MappedPort::has_carrier() const {
  const auto& transmitter = (wire_ ? wire_->port : stream_->port).eth_tx;
  return transmitter.size() != 0 && transmitter->carrier();
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
  carrier_ = has_carrier();
  if (stream_) return connect_stream(block_.map().streams.at(port_));
  connect_wire(block_.map().interface(port_));
  wire_->begin_with(carrier_);
}

void MappedPort::connect_wire(const InterfaceEntry& interface) {
  cosim::ClockDomain& rx_clock = block_.clock(interface.rx_clock);
  cosim::ClockDomain& tx_clock = block_.clock(interface.tx_clock);
  cosim::CheckerSink* const sink = block_.sink_of(interface);
  const auto pin = [&](const char* signal) { return block_.pin(interface, signal); };
  const auto bit = [&](const char* signal) {
    return block_.first_bit(interface, signal, {&nothing_});
  };
  if (interface.kind == "gmii") {
    wire_->connect_gmii(rx_clock, {bit("rxd").byte, bit("rx_dv"), bit("rx_er")}, tx_clock,
                        {bit("txd").byte, bit("tx_en"), bit("tx_er")}, sink, interface.name);
  } else if (interface.kind == "mii") {
    wire_->connect_mii(rx_clock, {pin("rxd"), pin("rx_dv"), pin("rx_er")}, tx_clock,
                       {pin("txd"), pin("tx_en"), pin("tx_er")}, sink, interface.name);
  } else {
    wire_->connect_xgmii(rx_clock, {pin("rxd"), pin("rxc")}, tx_clock, {pin("txd"), pin("txc")},
                         sink, interface.name);
  }
}

void MappedPort::connect_stream(const StreamEntry& stream) {
  const auto pins = [this](const InterfaceEntry& interface) {
    const cosim::AxiStreamPins open;
    cosim::AxiStreamPins made;
    made.tvalid = block_.pin(interface, "tvalid");
    made.tdata = block_.pin(interface, "tdata");
    made.tuser = block_.pin(interface, "tuser");
    made.tready = block_.pin(interface, "tready", open.tready);
    made.tkeep = block_.pin(interface, "tkeep", open.tkeep);
    made.tlast = block_.pin(interface, "tlast");
    made.reset = block_.reset_of(interface.clock);
    return made;
  };
  const auto params = [&stream](const InterfaceEntry& interface) {
    return cosim::AxiStreamParams{interface.name + ".", stream.fcs, {}};
  };
  const InterfaceEntry& to_block = block_.map().interface(stream.receive);
  const InterfaceEntry& from_block = block_.map().interface(stream.transmit);
  stream_->connect(block_.clock(to_block.clock), pins(to_block), params(to_block),
                   block_.clock(from_block.clock), pins(from_block), params(from_block),
                   stream.buffer, block_.sink_of(to_block), block_.sink_of(from_block));
}

}  // namespace longhaul::portmap
