// SPDX-License-Identifier: Apache-2.0
// A TLM-2.0 target and an initiator that know nothing of Longhaul, as a device in a slot of its
// PCI-X bus. The device is a ticker: it writes the time to memory each microsecond and raises its
// interrupt.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <iostream>
#include <systemc>

#include "models/common/payload.h"
#include "models/memory/memory_system.h"
#include "models/pcix/address_map.h"
#include "models/pcix/bridges/bridge_kind.h"
#include "models/pcix/host_bridge.h"
#include "models/pcix/tlm_function.h"

using namespace longhaul;

/// The foreign device. Register 0: where in memory the time goes. Register 4: how often it has been
/// written.
struct Ticker : sc_core::sc_module {
  tlm_utils::simple_target_socket<Ticker> registers{"registers"};
  tlm_utils::simple_initiator_socket<Ticker> dma{"dma"};
  sc_core::sc_out<bool> interrupt{"interrupt"};
  std::uint32_t words[2] = {0, 0};

  explicit Ticker(const sc_core::sc_module_name& name) : sc_module(name) {
    registers.register_b_transport(this, &Ticker::access);
    SC_HAS_PROCESS(Ticker);
    SC_THREAD(run);
  }
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    if (payload.get_address() + payload.get_data_length() > sizeof(words)) {
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    std::uint8_t* const own = reinterpret_cast<std::uint8_t*>(words) + payload.get_address();
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), own, payload.get_data_length());
    } else {
      std::memcpy(own, payload.get_data_ptr(), payload.get_data_length());
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void run() {
    for (;;) {
      wait(1, sc_core::SC_US);
      if (words[0] == 0) continue;
      std::uint64_t now_ns = sc_core::sc_time_stamp().value() / 1000;
      tlm::tlm_generic_payload payload;
      payload.set_write();
      payload.set_address(words[0]);
      payload.set_data_ptr(reinterpret_cast<unsigned char*>(&now_ns));
      payload.set_data_length(sizeof(now_ns));
      payload.set_streaming_width(sizeof(now_ns));
      sc_core::sc_time delay;
      dma->b_transport(payload, delay);  // comes back when the last byte has left on the bus
      ++words[1];
      interrupt.write(words[1] % 2 == 1);
    }
  }
};

/// The host's side: sets the ticker up, then looks what has arrived in memory.
struct Host : sc_core::sc_module, pcix::IntxReceiver {
  static constexpr std::uint64_t kSlot = 1, kBar = 0xf000'0000, kTime = 0x4000;
  tlm_utils::simple_initiator_socket<Host> bus{"bus"};
  int interrupts = 0;

  explicit Host(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Host);
    SC_THREAD(run);
  }
  void intx(std::uint32_t, bool asserted) override { interrupts += asserted ? 1 : 0; }
  std::uint64_t access(tlm::tlm_command command, std::uint64_t address, std::uint64_t value,
                       unsigned bytes) {
    tlm::tlm_generic_payload payload;
    set_access(payload, command, address, &value, bytes);
    sc_core::sc_time delay;
    bus->b_transport(payload, delay);
    wait(delay);
    return value;
  }
  void run() {
    const std::uint64_t config =
        pcix::address_map::kConfigBegin + kSlot * pcix::address_map::kConfigBytes;
    access(tlm::TLM_WRITE_COMMAND, config + 0x10, kBar, 4);
    access(tlm::TLM_WRITE_COMMAND, config + 0x04, 0x6, 4);
    access(tlm::TLM_WRITE_COMMAND, kBar, kTime, 4);
    wait(10, sc_core::SC_US);
    const std::uint64_t count = access(tlm::TLM_READ_COMMAND, kBar + 4, 0, 4);
    const std::uint64_t last = access(tlm::TLM_READ_COMMAND, kTime, 0, 8);
    std::cout << sc_core::sc_time_stamp() << ": " << count << " times written, the last at " << last
              << " ns, " << interrupts << " interrupts\n";
    sc_core::sc_stop();
  }
};

int sc_main(int, char**) {
  // Vendor, device, revision, class (system, other), subsystem; PCI-X capability at 0x40, no MSI;
  // BAR 0 of 4 KiB.
  const pcix::ConfigIdentity identity{0x1234, 0x0001, 1, 0x088000, 0x1234, 0x0001, 0x40, 0, 4096};
  const pcix::BridgeKind kind = pcix::bridge_kind("amd8131", "pc");
  memory::MemorySystem memory("memory", {}, units::MiB(16));
  pcix::PcixBus bus("pcix", kind.bus, 2);
  pcix::HostBridge bridge("bridge", kind.host);
  pcix::TlmFunction function("function", identity);
  Ticker ticker("ticker");
  Host host("host");
  sc_core::sc_signal<bool> interrupt("interrupt_line");
  host.bus.bind(bridge.core_target);
  bridge.memory_initiator.bind(memory.dma_target);
  bridge.set_intx_receiver(&host);
  bridge.bus_socket.bind(bus.host_socket);
  bus.slot(Host::kSlot).bind(function.bus_socket);
  function.bar_initiator.bind(ticker.registers);
  ticker.dma.bind(function.dma_target);
  ticker.interrupt(interrupt);
  function.interrupt_i(interrupt);
  sc_core::sc_start(1, sc_core::SC_MS);
  return 0;
}
