// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <systemc>
#include <tuple>
#include <vector>

#include "models/common/payload.h"
#include "models/pcix/address_map.h"
#include "models/pcix/host_bridge.h"
#include "models/pcix/pcix_bus.h"
#include "tests/unit/models/pcix/even_memory.h"

namespace longhaul::pcix::testing {

constexpr ConfigIdentity test_identity(std::uint8_t interrupt_pin = 1) {
  return {0x8086, 0x1a48, 0, 0x020000, 0x8086, 0x0001, 0xe4, 0xf0, 4096, 2, 8, interrupt_pin};
}

/// A device with two registers and two ports that masters the bus at a test's will and remembers
/// when transfers ended.
class TestDevice final : public PcixDevice, public DmaClient, public IoPorts {
 public:
  struct Done {
    std::uint64_t tag;
    DmaStatus status;
    std::uint64_t ps;
  };
  std::vector<Done> done;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> written;  // when, value of SCRATCH
  struct PortWrite {
    std::uint64_t ps;
    std::uint32_t offset;
    std::uint32_t value;
    std::uint32_t byte_mask;
  };
  std::vector<PortWrite> port_writes;
  std::function<void(std::uint64_t)> then;
  Reg32 scratch{bank(), "SCRATCH", 0x10, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
                  written.emplace_back(now_ps(), v);
                }};
  Reg32 fixed{bank(), "FIXED", 0x20, 0x1234'5678, Access::kReadOnly};

  explicit TestDevice(const sc_core::sc_module_name& name, TargetParams target = {},
                      DmaParams dma = {}, std::uint8_t interrupt_pin = 1)
      : PcixDevice(name, 4096, test_identity(interrupt_pin), dma, target) {
    set_io_ports(this);
  }
  std::uint32_t io_read(std::uint32_t offset) override { return 0xabcd'ef00U + offset; }
  void io_write(std::uint32_t offset, std::uint32_t value, std::uint32_t byte_mask) override {
    port_writes.push_back({now_ps(), offset, value, byte_mask});
  }
  void dma_done(std::uint64_t tag, DmaStatus status) override {
    done.push_back({tag, status, now_ps()});
    if (then) then(tag);
  }
  using PcixDevice::set_interrupt;
};

/// A core that does what a test tells it, in a thread.
class TestCore final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<TestCore> core_initiator{"core_initiator"};
  explicit TestCore(const sc_core::sc_module_name& name) : sc_module(name) {}

  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, void* data,
                                  std::uint32_t length) {
    tlm::tlm_generic_payload payload;
    set_access(payload, command, address, data, length);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    core_initiator->b_transport(payload, delay);
    sc_core::wait(delay);
    return payload.get_response_status();
  }
  std::uint32_t read32(std::uint64_t address) {
    std::uint32_t value = 0;
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, address, &value, 4), tlm::TLM_OK_RESPONSE);
    return value;
  }
  void write32(std::uint64_t address, std::uint32_t value) {
    EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, address, &value, 4), tlm::TLM_OK_RESPONSE);
  }
};

/// Remembers every span.
struct SpanLog final : observe::SpanListener {
  struct Span {
    std::uint64_t start_ps;
    std::uint64_t end_ps;
    std::string label;
    std::uint64_t address;
    std::uint64_t bytes;
  };
  std::vector<Span> spans;
  void on_span(const observe::SpanTap&, std::uint64_t start, std::uint64_t end, const char* label,
               std::uint64_t address, std::uint64_t bytes) override {
    spans.push_back({start, end, label, address, bytes});
  }
};

/// A PC without a processor model: memory, bridge, bus, devices in slots 0 and 1, their BARs set
/// and everything enabled.
class PcTest : public ::testing::Test {
 protected:
  static constexpr std::uint64_t kClock = 7500;  // ps
  static constexpr std::uint64_t kBar = 0xf000'0000;

  void build(std::uint32_t slots = 2) {
    memory = std::make_unique<EvenMemory>("memory", Bytes{4U << 20}, memory_bytes_per_s);
    bus = std::make_unique<PcixBus>("bus", bus_params, slots);
    bridge = std::make_unique<HostBridge>("bridge", bridge_params);
    bridge->bus_socket.bind(bus->host_socket);
    core = std::make_unique<TestCore>("core");
    core->core_initiator.bind(bridge->core_target);
    bridge->memory_initiator.bind(memory->dma_target);
    for (std::uint32_t i = 0; i < slots; ++i) {
      devices.push_back(
          std::make_unique<TestDevice>(("device" + std::to_string(i)).c_str(), target_params));
      bus->slot(i).bind(devices[i]->bus_socket);
      devices[i]->config().write(0x10, 4, static_cast<std::uint32_t>(bar(i)));
      devices[i]->config().write(0x18, 4, static_cast<std::uint32_t>(port(i)));
      devices[i]->config().write(0x04, 2, 0x0007);
    }
    bus->account.tenures.listen(&log);
    ram = memory->mapping().to_write(0, memory->mapping().size);
    for (std::uint32_t i = 0; i < memory->mapping().size; ++i)
      ram[i] = static_cast<std::uint8_t>(i * 167 + (i >> 8) * 13);
  }
  static std::uint64_t bar(std::uint32_t slot) { return kBar + slot * 0x1'0000ULL; }
  static std::uint64_t port(std::uint32_t slot) { return 0x1000 + slot * 0x100ULL; }
  /// Where a core finds a port of the device in `slot`.
  static std::uint64_t port_address(std::uint32_t slot, std::uint32_t offset) {
    return address_map::kIoBegin + port(slot) + offset;
  }
  TestDevice& device(std::uint32_t slot = 0) { return *devices[slot]; }
  /// Sets MMRBC (512 << code) and outstanding splits (code of PCI-X 1.0b, chapter 7).
  void limit_reads(std::uint32_t slot, std::uint32_t mmrbc_code, std::uint32_t outstanding_code) {
    device(slot).config().write(0xe6, 2, mmrbc_code << 2 | outstanding_code << 4);
  }
  /// Calls `body` at `at` in a thread of its own.
  void at(std::uint64_t ps, std::function<void()> body) {
    sc_core::sc_spawn([ps, body = std::move(body)] {
      if (ps > 0) sc_core::wait(from_ps(ps));
      body();
    });
  }
  std::uint64_t idle_ps() { return bus->account.activity.spent_ps(BusAccount::kIdle); }
  std::uint64_t data_clocks() { return bus->account.activity.spent_ps(BusAccount::kData) / kClock; }
  std::uint64_t overhead_clocks() {
    return bus->account.activity.spent_ps(BusAccount::kOverhead) / kClock;
  }
  /// Clocks from address phase to turn-around, label by label.
  std::vector<std::pair<std::string, std::uint64_t>> clocks() {
    std::vector<std::pair<std::string, std::uint64_t>> list;
    for (const SpanLog::Span& span : log.spans)
      list.emplace_back(span.label, (span.end_ps - span.start_ps) / kClock);
    return list;
  }

  BusParams bus_params;
  HostBridgeParams bridge_params;
  std::uint64_t memory_bytes_per_s = 4'800'000'000;
  TargetParams target_params;
  std::unique_ptr<EvenMemory> memory;
  std::unique_ptr<PcixBus> bus;
  std::unique_ptr<HostBridge> bridge;
  std::unique_ptr<TestCore> core;
  std::vector<std::unique_ptr<TestDevice>> devices;
  SpanLog log;
  std::uint8_t* ram = nullptr;
  std::vector<std::uint8_t> buffer = std::vector<std::uint8_t>(256U << 10, 0xee);
};

}  // namespace longhaul::pcix::testing
