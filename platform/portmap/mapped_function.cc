// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/mapped_function.h"

#include "platform/cosim/bus/interrupt_pins.h"
#include "platform/cosim/bus/vector_pins.h"

namespace longhaul::portmap {
void MappedFunction::start_of_simulation() {
  const BlockMap& map = block().map();
  block().start(bus() == nullptr ? 0 : bus()->period_ps());
  connect_registers();
  if (!map.pci->memory.empty())
    memory_ = make_memory_side(block(), map.interface(map.pci->memory), params().stress, *this);
  connect_interrupts();
  wire().connect();
  block().board().show_bus(block(),
                           bus() == nullptr ? BusMode::named(map.pci->slot) : BusMode::of(*bus()));
  block().power_up();
}

void MappedFunction::connect_registers() {
  const BlockMap& map = block().map();
  for (const BarEntry& entry : map.pci->bars) {
    if (registers_.count(entry.registers) != 0) continue;
    registers_[entry.registers] =
        make_register_side(block(), map.interface(entry.registers), *this);
  }
}

void MappedFunction::connect_interrupts() {
  const BlockMap& map = block().map();
  if (map.pci->interrupts.empty()) return;
  const InterfaceEntry& interface = map.interface(map.pci->interrupts);
  cosim::InterruptClient& client = *this;
  cosim::ClockDomain& clock = block().clock(interface.clock);
  const auto pin = [&](const char* signal) { return block().pin(interface, signal); };
  if (interface.kind == "interrupt") {
    pulses_ = interface.edge;
    interrupts_ = std::make_unique<cosim::InterruptPins>(block().rtl(), clock, pin("irq"), client);
  } else {
    pulses_ = true;
    interrupts_ = std::make_unique<cosim::VectorPins>(block().rtl(), clock, pin("vector"),
                                                      pin("valid"), pin("ready"), client);
  }
}

void MappedFunction::interrupts_changed(std::uint64_t levels, std::uint64_t rises) {
  log().interrupt_set(levels != 0 || rises != 0);
  if (pulses_) log().interrupt_set(false);
  if (!pulses_) return set_interrupts(levels, rises);
  if (sends_messages()) return set_interrupts(0, rises);
  for (; rises != 0; rises &= rises - 1) interrupts_lost.add();
}

sc_core::sc_time MappedFunction::access_memory_bar(tlm::tlm_generic_payload& payload) {
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const BarEntry& entry = block().map().pci->bars[accessed_bar()];
  cosim::RegisterPort& port = *registers_.at(entry.registers).port;
  const std::uint64_t address = entry.offset + payload.get_address();
  if (BusCoverage* const buses = block().buses())
    buses->register_accessed(entry.registers, address, payload.is_write());
  const std::uint64_t tag = open_access(payload, payload.is_write());
  if (payload.is_write()) {
    port.write(address, payload.get_data_ptr(), payload.get_data_length(), tag);
    return sc_core::SC_ZERO_TIME;
  }
  port.read(address, payload.get_data_length(), tag);
  return later();
}

}  // namespace longhaul::portmap
