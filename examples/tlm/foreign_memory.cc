// SPDX-License-Identifier: Apache-2.0
// A TLM-2.0 memory that knows nothing of Longhaul, behind its host bridge: a device of the
// program's own writes to it and reads it back over PCI-X. The memory's delay is on the way.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <iostream>
#include <systemc>
#include <vector>

#include "models/common/payload.h"
#include "models/pcix/bridges/bridge_kind.h"
#include "models/pcix/host_bridge.h"
#include "models/pcix/tlm_function.h"

using namespace longhaul;

struct Memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<Memory> target{"target"};
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(1U << 20);
  sc_core::sc_time takes{0, sc_core::SC_NS};

  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name) {
    target.register_b_transport(this, &Memory::access);
  }
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    std::uint8_t* const own = bytes.data() + payload.get_address();
    std::uint8_t* const data = payload.get_data_ptr();
    std::copy_n(payload.is_read() ? own : data, payload.get_data_length(),
                payload.is_read() ? data : own);
    delay += takes;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

struct Device : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Device> dma{"dma"};
  Memory& memory;

  Device(const sc_core::sc_module_name& name, Memory& its) : sc_module(name), memory(its) {
    SC_HAS_PROCESS(Device);
    SC_THREAD(run);
  }
  sc_core::sc_time move(tlm::tlm_command command, std::vector<std::uint8_t>& data) {
    const sc_core::sc_time from = sc_core::sc_time_stamp();
    tlm::tlm_generic_payload payload;
    set_access(payload, command, 0x4000, data.data(), static_cast<std::uint32_t>(data.size()));
    sc_core::sc_time delay;
    dma->b_transport(payload, delay);
    return sc_core::sc_time_stamp() - from;
  }
  void run() {
    std::vector<std::uint8_t> sent(2048, 0x5a), back(2048);
    move(tlm::TLM_WRITE_COMMAND, sent);
    const sc_core::sc_time fast = move(tlm::TLM_READ_COMMAND, back);
    memory.takes = sc_core::sc_time(1, sc_core::SC_US);
    const sc_core::sc_time slow = move(tlm::TLM_READ_COMMAND, back);
    std::cout << (sent == back ? "same" : "other") << " bytes, read in " << fast << ", in " << slow
              << " of a memory that takes 1 us\n";
  }
};

int sc_main(int, char**) {
  const pcix::BridgeKind kind = pcix::bridge_kind("amd8131", "pc");
  Memory memory("memory");
  pcix::PcixBus bus("pcix", kind.bus, 2);
  pcix::HostBridge bridge("bridge", kind.host);
  pcix::TlmFunction function("function", {0x1234, 1, 1, 0x088000, 0x1234, 1, 0x40, 0, 4096});
  Device device("device", memory);
  sc_core::sc_signal<bool> no_interrupt("no_interrupt");
  bridge.memory_initiator.bind(memory.target);
  bridge.bus_socket.bind(bus.host_socket);
  bus.slot(1).bind(function.bus_socket);
  device.dma.bind(function.dma_target);
  function.interrupt_i(no_interrupt);
  function.config().write(0x04, 2, 0x6);  // memory, bus master
  sc_core::sc_start(1, sc_core::SC_MS);
  return 0;
}
