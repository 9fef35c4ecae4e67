// SPDX-License-Identifier: Apache-2.0
#include "models/hostbus/platform_bus.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::hostbus {
namespace {

constexpr std::uint64_t kFirst = address_map::kWindowsBegin + address_map::kWindowBytes;
constexpr std::uint64_t kDownPs = 50'000;
constexpr std::uint64_t kUpPs = 50'000;
constexpr std::uint64_t kWritePs = 20'000;
constexpr std::uint64_t kDevicePs = 40'000;

/// A device that answers each access some time after the one before; its registers are at 0 and 8.
class SlowDevice final : public PlatformDevice, public DmaClient {
 public:
  void join(DevicePort& its) override { port = &its; }
  std::uint64_t window_bytes() const override { return 4096; }
  void read(std::uint64_t address, std::uint32_t bytes) override {
    accesses.push_back({now_ps(), address, bytes, 0, true});
    next();
  }
  void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) override {
    std::uint64_t value = 0;
    std::memcpy(&value, data, bytes);
    accesses.push_back({now_ps(), address, bytes, value, false});
    next();
  }
  void dma_done(std::uint64_t tag, bool ok) override { done.push_back({now_ps(), tag, ok}); }

  struct Access {
    std::uint64_t ps;
    std::uint64_t address;
    std::uint32_t bytes;
    std::uint64_t value;
    bool is_read;
  };
  struct Done {
    std::uint64_t ps;
    std::uint64_t tag;
    bool ok;
  };
  DevicePort* port = nullptr;
  std::vector<Access> accesses;
  std::vector<Done> done;
  bool fails = false;

 private:
  void next() {
    if (!timer_.is_set()) timer_.set(now_ps() + kDevicePs);
  }
  void answer() {
    const Access access = accesses[answered_++];
    if (access.address == 8 && !access.is_read) register_ = access.value;
    if (answered_ < accesses.size()) next();
    port->answer(!fails,
                 access.is_read ? reinterpret_cast<const std::uint8_t*>(&register_) : nullptr);
  }
  std::size_t answered_ = 0;
  std::uint64_t register_ = 0x1122'3344'5566'7788;
  Timer timer_{[this] { answer(); }};
};

class PlatformBusTest : public pcix::testing::PcTest {
 protected:
  void build_platform() {
    build();
    bus_.emplace("platform_bus", params, Bytes{4U << 20}, [this](std::uint32_t line, bool level) {
      told.push_back({now_ps(), line, level});
    });
    bus_->bridge_initiator.bind(bridge->core_target);
    bus_->memory_initiator.bind(bridge->core_target);
    cpu = std::make_unique<pcix::testing::TestCore>("cpu");
    cpu->core_initiator.bind(bus_->core_target);
    bus_->add(1, device, "test");
  }
  void run(std::function<void()> body) {
    at(0, [body = std::move(body)] {
      body();
      sc_core::sc_stop();
    });
    sc_core::sc_start();
  }

  struct Told {
    std::uint64_t ps;
    std::uint32_t line;
    bool level;
  };
  PlatformBusParams params;
  SlowDevice device;
  std::optional<PlatformBus> bus_;
  std::unique_ptr<pcix::testing::TestCore> cpu;
  std::vector<Told> told;
};

TEST_F(PlatformBusTest, AReadTakesTheWayThereTheDeviceAndTheWayBack) {
  build_platform();
  run([&] {
    std::uint64_t value = 0;
    cpu->access(tlm::TLM_READ_COMMAND, kFirst, &value, 8);
    EXPECT_EQ(now_ps(), kDownPs + kDevicePs + kUpPs);
    EXPECT_EQ(value, 0x1122'3344'5566'7788U);
    EXPECT_EQ(cpu->read32(kFirst), 0x5566'7788U);
    EXPECT_EQ(now_ps(), 2 * (kDownPs + kDevicePs + kUpPs));
  });
  EXPECT_EQ(bus_->core_reads.value(), 2U);
}

TEST_F(PlatformBusTest, WritesArePostedAndAReadComesBehindThem) {
  build_platform();
  run([&] {
    cpu->write32(kFirst + 8, 77);
    EXPECT_EQ(now_ps(), kWritePs);
    EXPECT_EQ(cpu->read32(kFirst + 8), 77U);
    EXPECT_EQ(now_ps(), kDownPs + 2 * kDevicePs + kUpPs);
  });
  ASSERT_EQ(device.accesses.size(), 2U);
  EXPECT_EQ(device.accesses[0].ps, kDownPs);
  EXPECT_EQ(device.accesses[0].value, 77U);
  EXPECT_EQ(device.accesses[1].ps, kWritePs + kDownPs);
}

TEST_F(PlatformBusTest, AWriteWaitsForRoom) {
  params.posted_writes.value = 2;
  build_platform();
  run([&] {
    for (std::uint32_t i = 0; i < 2; ++i) cpu->write32(kFirst, i);
    EXPECT_EQ(now_ps(), 2 * kWritePs);
    cpu->write32(kFirst, 2);
    // Room comes with the device's answer to the first one.
    EXPECT_EQ(now_ps(), kDownPs + kDevicePs + kWritePs);
  });
}

TEST_F(PlatformBusTest, WhatNobodyClaimsReadsOnes) {
  build_platform();
  run([&] {
    EXPECT_EQ(cpu->read32(kFirst + 4096), ~0U);                       // behind the device's window
    EXPECT_EQ(cpu->read32(kFirst + address_map::kWindowBytes), ~0U);  // an empty one
    cpu->write32(kFirst + 4096, 1);
    EXPECT_EQ(cpu->read32(kFirst + 4096), ~0U);
  });
  EXPECT_EQ(bus_->unclaimed.value(), 4U);
  EXPECT_TRUE(device.accesses.empty());
}

TEST_F(PlatformBusTest, AnErrorOfTheDeviceReadsOnes) {
  build_platform();
  device.fails = true;
  run([&] { EXPECT_EQ(cpu->read32(kFirst), ~0U); });
}

TEST_F(PlatformBusTest, AnAccessAcrossAQuadWordIsNone) {
  build_platform();
  run([&] {
    std::uint64_t value = 0;
    EXPECT_EQ(cpu->access(tlm::TLM_READ_COMMAND, kFirst + 4, &value, 8),
              tlm::TLM_BURST_ERROR_RESPONSE);
  });
}

TEST_F(PlatformBusTest, AllOtherAddressesAreTheBridges) {
  build_platform();
  run([&] {
    const std::uint64_t begin_ps = now_ps();
    EXPECT_EQ(cpu->read32(bar(0) + 0x20), 0x1234'5678U);
    const std::uint64_t through_ps = now_ps() - begin_ps;
    EXPECT_EQ(core->read32(bar(0) + 0x20), 0x1234'5678U);
    EXPECT_NEAR(static_cast<double>(now_ps() - begin_ps - through_ps),
                static_cast<double>(through_ps), kClock);
  });
  EXPECT_EQ(bus_->core_reads.value(), 0U);
}

TEST_F(PlatformBusTest, AnInterruptIsToldLateAndItsEndAtOnce) {
  build_platform();
  run([&] {
    device.port->set_interrupt(true);
    device.port->set_interrupt(true);
    sc_core::wait(from_ps(200'000));
    device.port->set_interrupt(false);
    device.port->set_interrupt(true);
    device.port->set_interrupt(false);  // before it was told
    sc_core::wait(from_ps(200'000));
  });
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].ps, 110'000U);
  EXPECT_EQ(told[0].line, address_map::kFirstLine + 1);
  EXPECT_TRUE(told[0].level);
  EXPECT_EQ(told[1].ps, 200'000U);
  EXPECT_FALSE(told[1].level);
}

TEST_F(PlatformBusTest, ADevicesDataAreInMemoryWhenItHearsOfIt) {
  build_platform();
  std::vector<std::uint8_t> data(64, 0x5a);
  run([&] {
    device.port->write_memory(0x1000, data.data(), 64, device, 1);
    sc_core::wait(from_ps(1'000'000));
    data.assign(64, 0);
    device.port->read_memory(0x1000, data.data(), 64, device, 2);
    sc_core::wait(from_ps(1'000'000));
  });
  ASSERT_EQ(device.done.size(), 2U);
  // A line takes 64 B at 4.8 GB/s, and a read 60 ns more (EvenMemory).
  EXPECT_EQ(device.done[0].ps, kUpPs + 13'333);
  EXPECT_EQ(device.done[1].ps, 1'000'000 + kUpPs + 13'333 + 60'000 + kDownPs);
  EXPECT_TRUE(device.done[0].ok && device.done[1].ok);
  EXPECT_EQ(data, std::vector<std::uint8_t>(64, 0x5a));
  EXPECT_EQ(bus_->dma_bytes.value(), 128U);
}

TEST_F(PlatformBusTest, WhatIsNoMemoryIsAnswered) {
  build_platform();
  run([&] {
    device.port->read_memory((4U << 20) - 32, buffer.data(), 64, device, 1);
    device.port->write_memory(kFirst, buffer.data(), 4, device, 2);
    device.port->write_memory(0xfee0'0000, buffer.data(), 4, device, 3);
    sc_core::wait(from_ps(1'000'000));
  });
  ASSERT_EQ(device.done.size(), 3U);
  for (const auto& each : device.done) EXPECT_FALSE(each.ok);
  EXPECT_EQ(bus_->dma_failures.value(), 3U);
}

TEST_F(PlatformBusTest, NumbersThatCannotBeAreRefused) {
  build_platform();
  SlowDevice other;
  EXPECT_THROW(bus_->add(0, other, "test"), ConfigError);
  EXPECT_THROW(bus_->add(8, other, "test"), ConfigError);
  EXPECT_THROW(bus_->add(1, other, "test"), ConfigError);
  EXPECT_NO_THROW(bus_->add(7, other, "test"));
}

}  // namespace
}  // namespace longhaul::hostbus
