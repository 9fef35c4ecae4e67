// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/net/frame/frame_tap.h"
#include "platform/cosim/bus/axi_stream_port.h"
#include "platform/cosim/port_listener.h"
#include "platform/cosim/wire/wire_port.h"
#include "platform/portmap/mapped_block.h"

namespace longhaul::portmap {

/// A port of a block to the wire as an Ethernet port: an interface of kind GMII, XGMII or MII, or
/// two AXI4-Streams.
class MappedPort final : public sc_core::sc_module, public Carrier, private cosim::PortListener {
 public:
  /// `port` is the name of an interface or stream of the map.
  MappedPort(const sc_core::sc_module_name& name, MappedBlock& block, const std::string& port);

  EthPort& port() { return wire_ ? wire_->port : stream_->port; }
  /// Connects it to the pins, after MappedBlock::start().
  void connect();
  bool has_carrier() const override;
  std::uint64_t carrier_losses() const override { return losses_; }
  /// The number of frames that passed, and the time of the last one.
  std::string text() const;

  // Counted as a MAC at the pins would: the block's own handling of a frame is not visible here.
  observe::Counter rx_frames{"rx_frames", "frame", "frames with a good FCS that came in"};
  observe::Counter rx_octets{"rx_octets", "byte", "their octets, FCS included"};
  observe::Counter rx_bad_fcs{"rx_bad_fcs", "frame", "frames with a wrong FCS that came in"};
  observe::Counter tx_frames{"tx_frames", "frame", "frames that the block sent"};
  observe::Counter tx_octets{"tx_octets", "byte", "their octets, FCS included"};
  observe::FrameTap received{"received",
                             "frames with a good FCS that came in, whether the block keeps them or "
                             "not"};
  observe::FrameTap sent{"sent", "frames that the block sent"};

 private:
  void frame_arrived(const FrameRef& frame) override;
  void frame_left(const FrameRef& frame) override;
  void carrier_changed(bool up) override;
  sc_core::sc_time began(const Frame& frame) const;
  void connect_wire(const InterfaceEntry& interface);
  void connect_stream(const StreamEntry& stream);

  MappedBlock& block_;
  const std::string port_;
  const std::uint64_t byte_ps_;            // time of a byte on the wire
  std::unique_ptr<cosim::WirePort> wire_;  // one of the two is set, by the port's kind
  std::unique_ptr<cosim::AxiStreamPort> stream_;
  bool carrier_ = false;  // as it was last told
  std::uint64_t losses_ = 0;
  std::uint64_t last_rx_ps_ = 0;
  std::uint64_t last_tx_ps_ = 0;
  std::uint8_t nothing_ = 0;  // stands for a pin that the block does not have
};

/// The link type of a port to the wire: LinkParams' `phy`.
const char* phy_of(const BlockMap& map, const std::string& port);

}  // namespace longhaul::portmap
