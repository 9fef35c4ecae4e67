// SPDX-License-Identifier: Apache-2.0
// Longhaul's ixgb on a PCI-X bus, driven by an initiator of one's own: it sends one frame.
#include <tlm_utils/simple_initiator_socket.h>

#include <iostream>

#include "models/common/payload.h"
#include "models/memory/memory_system.h"
#include "models/nic/ixgb/ixgb.h"
#include "models/pcix/address_map.h"
#include "models/pcix/bridges/bridge_kind.h"
#include "models/pcix/host_bridge.h"

using namespace longhaul;
namespace regs = nic::ixgb::regs;

/// The far end of the cable: tells what comes.
struct Wire : sc_core::sc_module, EthTransmitter {
  explicit Wire(const sc_core::sc_module_name& name) : sc_module(name) {}
  sc_core::sc_time transmit(const FrameRef& frame) override {
    std::cout << sc_core::sc_time_stamp() << ": a frame of " << frame->size() << " B leaves\n";
    return from_ps((frame->size() + 24) * 800);  // preamble, FCS and gap at 10 Gb/s
  }
  bool carrier() const override { return true; }
  void enable(bool) override {}
  BitRate mac_rate() const override { return {10'000'000'000}; }
};

struct Driver : sc_core::sc_module {
  static constexpr std::uint64_t kSlot = 1, kBar = 0xf000'0000, kRing = 0x1000, kData = 0x2000;
  tlm_utils::simple_initiator_socket<Driver> bus{"bus"};
  explicit Driver(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Driver);
    SC_THREAD(run);
  }
  void access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    set_access(payload, command, address, data, bytes);
    sc_core::sc_time delay;
    bus->b_transport(payload, delay);
    wait(delay);
    if (!payload.is_response_ok()) SC_REPORT_ERROR(name(), payload.get_response_string().c_str());
  }
  void write(std::uint64_t at, std::uint32_t v) { access(tlm::TLM_WRITE_COMMAND, at, &v, 4); }
  void run() {
    const std::uint64_t config =
        pcix::address_map::kConfigBegin + kSlot * pcix::address_map::kConfigBytes;
    std::uint32_t ids = 0;
    access(tlm::TLM_READ_COMMAND, config, &ids, 4);
    std::cout << sc_core::sc_time_stamp() << ": device " << std::hex << ids << std::dec << '\n';
    write(config + 0x10, kBar);                                               // BAR 0
    write(config + 0x04, 0x6);                                                // memory, bus master
    wait(sc_core::sc_time(20, sc_core::SC_US));                               // the link comes up
    std::uint32_t descriptor[4] = {kData, 0, 60 | 1U << 20 | 0x9U << 24, 0};  // data; EOP, RS
    std::uint8_t frame[60] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 1, 0x88, 0xb5};
    access(tlm::TLM_WRITE_COMMAND, kRing, descriptor, sizeof(descriptor));
    access(tlm::TLM_WRITE_COMMAND, kData, frame, sizeof(frame));
    write(kBar + regs::kTdbal, kRing);
    write(kBar + regs::kTdlen, 128);
    write(kBar + regs::kTctl, 0x7);
    write(kBar + regs::kTdt, 1);  // the doorbell
  }
};

int sc_main(int, char**) {
  const pcix::BridgeKind kind = pcix::bridge_kind("amd8131", "pc");
  memory::MemorySystem memory("memory", {}, units::MiB(16));
  pcix::PcixBus bus("pcix", kind.bus, 2);
  pcix::HostBridge bridge("bridge", kind.host);
  nic::ixgb::Ixgb ixgb("ixgb", {}, 0);
  Wire wire("wire");
  Driver driver("driver");
  driver.bus.bind(bridge.core_target);
  bridge.memory_initiator.bind(memory.dma_target);
  bridge.bus_socket.bind(bus.host_socket);
  bus.slot(Driver::kSlot).bind(ixgb.bus_socket);
  ixgb.port().eth_tx.bind(wire);
  sc_core::sc_start(100, sc_core::SC_US);
  return 0;
}
