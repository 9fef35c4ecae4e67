// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>

#include "platform/cosim/bus/interrupt_pins.h"
#include "platform/cosim/bus/pcix_host.h"
#include "platform/portmap/block_function.h"
#include "platform/portmap/pin_start.h"

namespace longhaul::portmap {

/// A network adapter that is a PCI-X device down to its pins. Between the machine's bus and the
/// pins lies a bridge (cosim::PcixHost) to a bus of one slot, which has the same clock.
///
/// A transaction crosses one bus, then the other: registers, configuration space, DMA, messages.
/// Configuration space is the block's own. The function keeps a copy for the machine's bus: base
/// addresses, command register, latency timer, and the limits of the PCI-X command register.
/// PinStart compares the block with the port map. Throws std::runtime_error if they differ.
class PinFunction final : public BlockFunction,
                          private cosim::PcixAccessClient,
                          private cosim::InterruptClient {
 public:
  PinFunction(const sc_core::sc_module_name& name, const BlockMap& map,
              const cosim::RtlObject& object, const FunctionParams& params)
      : BlockFunction(name, map, object, params) {}

  /// Has each clock at the pins told to `listener`; after start_of_simulation().
  void listen(cosim::PcixListener* listener) { host_->listen(listener); }

 private:
  void start_of_simulation() override;
  bool splits_config() const override { return true; }
  sc_core::sc_time access_config(tlm::tlm_generic_payload& payload) override;
  sc_core::sc_time access_memory_bar(tlm::tlm_generic_payload& payload) override;
  void pcix_access_done(const cosim::PcixAccess& access) override;
  void interrupts_changed(std::uint64_t levels, std::uint64_t rises) override;
  void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length,
             cosim::MemoryClient& client, std::uint64_t tag) override;
  void begin(const tlm::tlm_generic_payload& payload, std::uint64_t address, bool config);

  std::unique_ptr<cosim::PcixHost> host_;
  std::unique_ptr<cosim::Transactor> interrupts_;
  std::uint32_t pcix_capability_ = 0;  // its place in the block's configuration space
};

}  // namespace longhaul::portmap
