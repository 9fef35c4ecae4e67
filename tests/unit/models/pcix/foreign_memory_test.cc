// SPDX-License-Identifier: Apache-2.0
// A plain TLM-2.0 target as the memory behind a host bridge: it knows nothing of elided payload.
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>

#include "models/common/event_queue.h"
#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

constexpr std::uint64_t kMemoryBytes = 64U << 10;

/// Bytes, and a time for each access.
struct ForeignMemory final : sc_core::sc_module {
  tlm_utils::simple_target_socket<ForeignMemory> target{"target"};
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(kMemoryBytes, 0xaa);
  sc_core::sc_time takes;
  std::vector<std::uint64_t> ahead_ps;  // of SystemC's time, at each access

  explicit ForeignMemory(const sc_core::sc_module_name& name) : sc_module(name) {
    target.register_b_transport(this, &ForeignMemory::access);
  }
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    ahead_ps.push_back(now_ps() - sc_core::sc_time_stamp().value());
    std::uint8_t* const own = bytes.data() + payload.get_address();
    if (payload.is_read()) {
      std::copy_n(own, payload.get_data_length(), payload.get_data_ptr());
    } else {
      std::copy_n(payload.get_data_ptr(), payload.get_data_length(), own);
    }
    delay += takes;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

class ForeignMemoryTest : public ::testing::Test {
 protected:
  ForeignMemoryTest() {
    core.core_initiator.bind(bridge.core_target);
    bridge.memory_initiator.bind(memory.target);
    bridge.bus_socket.bind(bus.host_socket);
    bus.slot(0).bind(device.bus_socket);
    device.config().write(0x04, 2, 0x0006);
  }
  void run(std::function<void()> body) {
    sc_core::sc_spawn(std::move(body));
    sc_core::sc_start();
  }

  ForeignMemory memory{"memory"};
  PcixBus bus{"bus", {}, 1};
  HostBridge bridge{"bridge", {}};
  testing::TestCore core{"core"};
  testing::TestDevice device{"device"};
  std::vector<std::uint8_t> buffer = std::vector<std::uint8_t>(8192, 0xee);
};

TEST_F(ForeignMemoryTest, AWriteBringsTheZerosThatWereNotStored) {
  std::fill_n(buffer.begin(), 100, 0x11);
  run([&] { device.dma().write(0x1000, buffer.data(), 5000, &device, 1, 100); });
  ASSERT_EQ(device.done.size(), 1U);
  EXPECT_TRUE(std::all_of(&memory.bytes[0x1000], &memory.bytes[0x1000 + 100],
                          [](std::uint8_t b) { return b == 0x11; }));
  EXPECT_TRUE(std::all_of(&memory.bytes[0x1000 + 100], &memory.bytes[0x1000 + 5000],
                          [](std::uint8_t b) { return b == 0; }));
  EXPECT_EQ(memory.bytes[0x0fff], 0xaa);
  EXPECT_EQ(memory.bytes[0x1000 + 5000], 0xaa);
}

TEST_F(ForeignMemoryTest, AReadBringsEveryByteZerosToo) {
  std::fill_n(memory.bytes.begin() + 0x2000, 2048, 0);
  memory.bytes[0x2000] = 0x77;
  run([&] { device.dma().read(0x2000, buffer.data(), 4096, &device, 1); });
  ASSERT_EQ(device.done.size(), 1U);
  EXPECT_TRUE(std::equal(buffer.begin(), buffer.begin() + 4096, memory.bytes.begin() + 0x2000));
}

TEST_F(ForeignMemoryTest, ItsDelayIsOnTheWayOfARead) {
  std::uint64_t fast_ps = 0;
  std::uint64_t slow_ps = 0;
  run([&] {
    const auto read = [&](std::uint64_t tag) {
      const std::uint64_t from_ps = now_ps();
      device.dma().read(0x2000, buffer.data(), 256, &device, tag);
      sc_core::wait(20, sc_core::SC_US);
      return device.done.back().ps - from_ps;
    };
    fast_ps = read(1);
    memory.takes = sc_core::sc_time(3, sc_core::SC_US);
    slow_ps = read(2);
  });
  constexpr std::uint64_t kClock = 7500;  // a request waits for the bus's next edge
  EXPECT_GE(slow_ps, fast_ps + 3'000'000 - kClock);
  EXPECT_LE(slow_ps, fast_ps + 3'000'000 + kClock);
}

TEST_F(ForeignMemoryTest, SeesTheRightTimeThoughModelsMayGoAhead) {
  run([&] {
    EventQueue::get().go_ahead(~0ULL);
    device.dma().read(0x2000, buffer.data(), 8192, &device, 1);
    device.dma().write(0x4000, buffer.data(), 8192, &device, 2);
    sc_core::wait(sc_core::sc_time(100, sc_core::SC_US));
  });
  EXPECT_GE(memory.ahead_ps.size(), 16U);
  EXPECT_EQ(memory.ahead_ps, std::vector<std::uint64_t>(memory.ahead_ps.size(), 0));
}

TEST_F(ForeignMemoryTest, ACoreReadsAndWritesItThroughTheBridge) {
  run([&] {
    core.write32(0x3000, 0xcafe'f00d);
    EXPECT_EQ(core.read32(0x3000), 0xcafe'f00dU);
  });
  EXPECT_EQ(memory.bytes[0x3000], 0x0d);
}

}  // namespace
}  // namespace longhaul::pcix
