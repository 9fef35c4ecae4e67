// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <systemc>

#include "platform/cosim/bus/interrupt_pins.h"
#include "platform/cosim/bus/register_port.h"
#include "platform/portmap/block_function.h"
#include "platform/portmap/bus_sides.h"

namespace longhaul::portmap {

/// A network adapter that is implemented by a block of RTL. Its registers are behind memory BARs,
/// its manager masters the bus, its interrupt requests are the function's, and its MAC is at the
/// wire.
///
/// A register read takes the block's clocks: it is answered by a Split Response, in conventional
/// PCI as a delayed read. Writes are posted, in order. When the function has no room for another
/// one, the next write is answered with Retry. After an error response of the block a read ends
/// with all ones and target abort.
class MappedFunction final : public BlockFunction,
                             private cosim::RegisterClient,
                             private cosim::InterruptClient {
 public:
  MappedFunction(const sc_core::sc_module_name& name, const BlockMap& map,
                 const cosim::RtlObject& object, const FunctionParams& params)
      : BlockFunction(name, map, object, params) {}

  observe::Counter interrupts_lost{
      "interrupts_lost", "1", "interrupt pulses of the block that came while messages were off"};

 private:
  void start_of_simulation() override;
  sc_core::sc_time access_memory_bar(tlm::tlm_generic_payload& payload) override;
  void access_done(std::uint64_t tag, cosim::BusStatus status, const std::uint8_t* data) override {
    close_access(tag, status, data);
  }
  void interrupts_changed(std::uint64_t levels, std::uint64_t rises) override;
  void connect_registers();
  void connect_interrupts();

  std::map<std::string, RegisterSide> registers_;  // by interface
  std::unique_ptr<cosim::Transactor> memory_;
  std::unique_ptr<cosim::Transactor> interrupts_;
  bool pulses_ = false;  // each rise of a line is a request
};

}  // namespace longhaul::portmap
