// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "platform/cosim/bus/axi_checker.h"
#include "platform/cosim/bus/axi_pins.h"
#include "platform/cosim/bus/register_manager.h"

namespace longhaul::cosim {

/// A register manager for AXI4 or AXI4-Lite, of 8 to 512 bits: a manager at the block's subordinate
/// pins.
///
/// One word is in progress at a time. With AxSIZE (AXI4) a transfer is as narrow as its bytes
/// allow. Without it (AXI4-Lite) the address is that of the bus word. Uses ID 0, INCR, one beat,
/// device memory (AxCACHE 0), secure and unprivileged data (AxPROT 0).
class AxiManager final : public RegisterManager {
 public:
  /// `sink` gets the checker's violations; nullptr: no checker.
  AxiManager(RtlBlock& block, ClockDomain& clock, const AxiPins& pins, RegisterClient& client,
             const RegisterManagerParams& params, CheckerSink* sink);

  void sample() override { sample_.take(handshakes_, pins_); }
  void clocked(std::uint64_t edge_ps) override;
  const AxiChecker* checker() const { return checker_.get(); }

 private:
  void start();
  void start_address(AxiAddressPins& pins, std::uint64_t address, std::uint32_t size);
  void all_low();

  AxiPins pins_;
  const AxiHandshakes handshakes_;
  const std::uint32_t bus_bytes_;
  const bool narrow_;
  AxiSample sample_;
  std::unique_ptr<AxiChecker> checker_;
};

}  // namespace longhaul::cosim
