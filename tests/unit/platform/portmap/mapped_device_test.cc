// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/mapped_device.h"

#include <gtest/gtest.h>

#include <optional>

#include "models/hostbus/platform_bus.h"
#include "tests/unit/models/pcix/pc_fixture.h"
#include "tests/unit/platform/portmap/copying_block.h"

namespace longhaul::portmap {
namespace {

constexpr std::uint64_t kWindow =
    hostbus::address_map::kWindowsBegin + hostbus::address_map::kWindowBytes;
constexpr std::uint32_t kCopyFrom = 0x1'0008;
constexpr std::uint32_t kCopyTo = 0x2'0010;

cosim::RtlInstance* make_copying(const char*, cosim::TraceSink*, cosim::RtlListener*) {
  return new testing::CopyingBlock;
}

/// The same block as a platform device, whose window begins at its register 0.
std::string platform_map() {
  std::string text = testing::copying_map();
  const std::size_t begin = text.find("\"pci\"");
  return text.substr(0, begin) +
         R"("platform": {"window": 4096, "base": 0, "node": "ethernet", "compatible": ["a,b"],
            "regions": [{"name": "", "offset": 0, "bytes": 4096}], "properties": [],
            "registers": "regs", "memory": "dma", "interrupts": "request", "port": "wire"}})";
}

class MappedDeviceTest : public pcix::testing::PcTest {
 protected:
  void add_block() {
    build();
    bus_.emplace("platform_bus", hostbus::PlatformBusParams{}, Bytes{4U << 20},
                 [this](std::uint32_t its, bool level) {
                   line = its;
                   asserted = level;
                   rises += level ? 1 : 0;
                 });
    bus_->bridge_initiator.bind(bridge->core_target);
    bus_->memory_initiator.bind(bridge->core_target);
    cpu = std::make_unique<pcix::testing::TestCore>("cpu");
    cpu->core_initiator.bind(bus_->core_target);
    device = std::make_unique<MappedDevice>("block", map, object, DeviceParams{});
    bus_->add(1, *device, "test");
  }
  void run(std::function<void()> body) {
    at(0, [body = std::move(body)] {
      body();
      sc_core::sc_stop();
    });
    sc_core::sc_start();
  }
  void wait_for_interrupt() {
    for (int i = 0; i < 1000 && !asserted; ++i)
      sc_core::wait(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_TRUE(asserted);
  }
  const std::string text = platform_map();
  const BlockMap map = BlockMap::parse(text.c_str(), "test");
  const cosim::RtlObject object{text.c_str(), false, false, make_copying};
  std::unique_ptr<MappedDevice> device;
  std::optional<hostbus::PlatformBus> bus_;
  std::unique_ptr<pcix::testing::TestCore> cpu;
  std::uint32_t line = 0;
  bool asserted = false;
  int rises = 0;
};

TEST_F(MappedDeviceTest, RegistersAreInTheWindowAndReadsTakeTheBlocksClocks) {
  add_block();
  run([&] {
    cpu->write32(kWindow, 0x1234'5678);
    cpu->write32(kWindow + 4, 0x9abc'def0);
    EXPECT_EQ(cpu->read32(kWindow), 0x1234'5678U);
    const std::uint64_t begin_ps = now_ps();
    EXPECT_EQ(cpu->read32(kWindow + 4), 0x9abc'def0U);
    const std::uint64_t inside_ps = now_ps() - begin_ps - 100'000;  // both ways of the bus
    EXPECT_GE(inside_ps, testing::CopyingBlock::kReadClocks * 8'000);
    EXPECT_LT(inside_ps, (testing::CopyingBlock::kReadClocks + 5) * 8'000);
    EXPECT_EQ(cpu->read32(kWindow + 16), 2U);
  });
}

TEST_F(MappedDeviceTest, TheBlockReachesMemoryAndItsInterruptComesBehind) {
  add_block();
  run([&] {
    for (std::uint32_t i = 0; i < 16; ++i) ram[kCopyFrom + i] = static_cast<std::uint8_t>(0xa0 + i);
    cpu->write32(kWindow + 4, kCopyFrom);
    cpu->write32(kWindow + 8, kCopyTo);
    cpu->write32(kWindow + 12, 1);
    wait_for_interrupt();
    for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(ram[kCopyTo + i], 0xa0 + i) << i;
    cpu->write32(kWindow + 12, 0);
    EXPECT_EQ(cpu->read32(kWindow + 12), 0U);
    EXPECT_FALSE(asserted);
  });
  EXPECT_EQ(line, hostbus::address_map::kFirstLine + 1);
  EXPECT_EQ(rises, 1);
  EXPECT_EQ(bus_->dma_bytes.value(), 32U);
}

TEST_F(MappedDeviceTest, AnErrorOfTheBlockEndsAReadInOnesAndIsCounted) {
  add_block();
  run([&] { EXPECT_EQ(cpu->read32(kWindow + 0xff0), ~0U); });
  EXPECT_EQ(device->bus_errors.value(), 1U);
}

TEST_F(MappedDeviceTest, ReadsOfWhatIsNoMemoryAreAnswered) {
  add_block();
  run([&] {
    cpu->write32(kWindow + 4, 0xe000'0000);
    cpu->write32(kWindow + 8, kCopyTo);
    cpu->write32(kWindow + 12, 1);
    wait_for_interrupt();
  });
  EXPECT_EQ(bus_->dma_failures.value(), 1U);
}

}  // namespace
}  // namespace longhaul::portmap
