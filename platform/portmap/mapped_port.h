// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/net/frame/frame_tap.h"
#include "platform/cosim/gmii_port.h"
#include "platform/portmap/mapped_block.h"

namespace longhaul::portmap {

/// An interface of a block to the wire, as an Ethernet port.
class MappedPort final : public sc_core::sc_module {
 public:
  MappedPort(const sc_core::sc_module_name& name, MappedBlock& block,
             const InterfaceEntry& interface);

  EthPort& port() { return gmii_.port; }
  /// Joins it to the pins, after MappedBlock::start().
  void connect();

  observe::FrameTap received{"received",
                             "frames with a good FCS that came in, whether the block keeps them or "
                             "not"};
  observe::FrameTap sent{"sent", "frames that the block sent"};

 private:
  MappedBlock& block_;
  const InterfaceEntry& interface_;
  cosim::GmiiPort gmii_;
  std::uint8_t nothing_ = 0;  // what stands for a pin that the block does not have
};

}  // namespace longhaul::portmap
