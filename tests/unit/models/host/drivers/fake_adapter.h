// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/host/drivers/intel_driver.h"
#include "models/nic/intel/descriptors.h"
#include "tests/unit/models/host/drivers/config_bus.h"
#include "tests/unit/models/host/drivers/rig.h"

namespace longhaul::host::testing {

/// Where an adapter that is a handful of registers has them.
struct FakeRegisters {
  enum Register : std::uint32_t {
    kIcr = 0xc0,
    kIcs = 0xc8,
    kIms = 0xd0,
    kImc = 0xd8,
    kTdt = 0x3818,
    kRdt = 0x2818,
    kMta = 0x5200,
    kRal = 0x5400,
    kVfta = 0x5600
  };
  static constexpr std::uint32_t kCauses = 0x9d;
  static constexpr std::uint32_t kLinkCause = 0x04;
  static constexpr std::uint32_t kRxCause = 0x80;
  static constexpr std::uint32_t kNudge = 0x10;
  static constexpr std::uint32_t kSlot = 2;
};

/// The common part with an adapter that does nothing by itself.
class FakeDriver final : public IntelDriver, private FakeRegisters {
 public:
  FakeDriver(const DriverSetup& setup, const IntelDriverParams& params)
      : IntelDriver("driver", setup, params,
                    {kIcr, kIcs, kIms, kImc, kTdt, kRdt, kMta, kRal, kCauses, kLinkCause, kNudge}) {
  }
  using IntelDriver::largest_frame;
  using IntelDriver::received_bytes;
  using IntelDriver::rx_ring;
  using IntelDriver::sent_bytes;
  using IntelDriver::tx_ring;
  using IntelDriver::write_filters;

  bool link = true;
  std::vector<std::string> calls;
  std::function<void()> on_find_link;  // once

 private:
  void reset_adapter() override { calls.emplace_back("reset"); }
  void start_adapter() override { calls.emplace_back("start"); }
  bool find_link() override {
    if (const auto once = std::exchange(on_find_link, nullptr)) once();
    return link;
  }
  void watch() override { calls.emplace_back("watch"); }
  TxFormat tx_format() const override { return {0, 0, 0, nic::intel::tx::kEop, 4096, false}; }
  RxFormat rx_format() const override { return {2048, 0, 0, 0, 0, 0, 0}; }
};

/// A machine with that adapter in it; a test is what the adapter does.
struct FakeAdapterTest : ::testing::Test, FakeRegisters {
  cpu::Core core{"core", one_gigahertz(), units::MiB(1)};
  ConfigBus bus{"bus"};
  KernelParams kernel = round_ticks();
  Processor processor{"cpu", core, kernel};
  memory::BackingStore store{units::MiB(16), "test"};
  MemoryPool pool{store.mapping(), 1 << 20, 1};
  TickTimers timers{"timers", {&processor}};
  InterruptRouter router{"router", {&processor}};
  NetParams net;
  NetRx net_rx{processor, net, to_ps(kernel.tick())};
  PciBus pci{"pci", 4};
  IntelDriverParams params;
  driver_testing::Recorder user;
  std::unique_ptr<FakeDriver> driver;
  std::vector<std::unique_ptr<driver_testing::Program>> programs;
  std::map<std::uint32_t, std::uint32_t> registers{{kRal, 0x3412'0002}, {kRal + 4, 0x8000'7856}};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> writes;
  std::uint32_t icr_reads = 0;
  bool recording = false;
  bool stuck = false;  // the line
  std::function<void()> on_icr = [] {};
  std::uint32_t arrived = 0;
  std::uint32_t sent = 0;

  static KernelParams round_ticks() {
    KernelParams params = round_kernel();
    params.tick_cycles.value = 0;
    return params;
  }
  FakeAdapterTest() {
    core.core_initiator.bind(bus.target);
    user.memory = &pool;
    params.rx_descriptors.value = params.tx_descriptors.value = 64;
    bus.functions.insert_or_assign({kSlot, 0}, FakeFunction(0x8086, 1).bar(0, 0xfffe'0000));
    bus.mmio = [this](tlm::tlm_generic_payload& payload) {
      const auto offset =
          static_cast<std::uint32_t>(payload.get_address() - pcix::address_map::kMmioBegin);
      if (payload.is_read()) {
        std::memcpy(payload.get_data_ptr(), &registers[offset], 4);
        if (offset == kIcr) {
          if (recording) ++icr_reads;
          registers[kIcr] = 0;
          if (!stuck) router.intx(kSlot, false);
          on_icr();
        }
      } else {
        std::memcpy(&registers[offset], payload.get_data_ptr(), 4);
        if (recording) writes.emplace_back(offset, registers[offset]);
      }
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    };
  }
  /// Runs `body` on an open interface whose link is up, to its end.
  void run(const std::function<void(driver_testing::Program&)>& body, bool with_link = true) {
    driver = std::make_unique<FakeDriver>(
        DriverSetup{pci, kSlot, 0, router, {&net_rx}, pool, timers, net, 0}, params);
    driver->attach(user);
    driver->link = with_link;
    programs.push_back(std::make_unique<driver_testing::Program>(
        "program", processor, [this, body](driver_testing::Program& self) {
          driver->open();
          self.sleep_ps(2 * kMs);
          recording = true;
          body(self);
          recording = false;
        }));
    sc_core::sc_start(from_ps(10 * kSecond));
    ASSERT_TRUE(programs.back()->done());
  }
  std::vector<std::uint32_t> written(std::uint32_t offset) const {
    std::vector<std::uint32_t> values;
    for (const auto& [at, value] : writes) {
      if (at == offset) values.push_back(value);
    }
    return values;
  }
  TxPacket packet(std::uint32_t bytes, std::uint64_t cookie = 1) {
    TxPacket made;
    made.extents[0] = {pool.allocate(bytes), bytes};
    made.count = 1;
    made.bytes = bytes;
    made.cookie = cookie;
    return made;
  }
  std::uint8_t* descriptor(std::uint64_t ring, std::uint32_t index) {
    return pool.to_write(ring + std::uint64_t{index % 64} * 16, 16);
  }
  /// The adapter has written a frame into the next buffer.
  void arrive(std::uint32_t bytes = 100, std::uint8_t errors = 0) {
    std::uint8_t* const slot = descriptor(driver->rx_ring().address(), arrived++);
    nic::write_le16(slot + 8, bytes);
    slot[12] =
        nic::intel::rx_status::kDd | nic::intel::rx_status::kEop | nic::intel::rx_status::kTcpcs;
    slot[13] = errors;
  }
  /// The adapter has sent so many more packets of one descriptor.
  void send_out(std::uint32_t packets) {
    for (; packets > 0; --packets)
      descriptor(driver->tx_ring().address(), sent++)[12] = nic::intel::tx::kDd;
  }
  /// Interrupts, and waits until everything that follows is over.
  void interrupt(driver_testing::Program& self, std::uint32_t causes) {
    registers[kIcr] = causes;
    router.intx(kSlot, true);
    processor.pay();
    self.sleep_ps(2 * kMs);
  }
};

}  // namespace longhaul::host::testing
