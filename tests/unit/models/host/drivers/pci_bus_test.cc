// SPDX-License-Identifier: Apache-2.0
// Who is on the bus, and where it is put.
#include "models/host/drivers/pci_bus.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/address_sanitizer.h"
#include "tests/unit/models/host/drivers/config_bus.h"
#include "tests/unit/models/host/drivers/rig.h"

namespace longhaul::host {
namespace {

namespace map = pcix::address_map;

using ::testing::ElementsAre;
using testing::FakeFunction;
using ::testing::Pair;

constexpr std::uint32_t kSlots = 4;

struct PciBusTest : testing::ConfigTest {
  PciBus pci{"host.pci", kSlots};

  static FakeFunction memory(std::uint32_t mask) { return FakeFunction(0x8086, 1).bar(0, mask); }
  static FakeFunction ports(std::uint32_t mask) { return FakeFunction(0x8086, 1).bar(0, mask, 1); }
  /// What scan() throws.
  std::string scan() {
    std::string error;
    run([&] {
      try {
        pci.scan();
      } catch (const ConfigError& refusal) {
        error = refusal.what();
      }
    });
    return error;
  }
  std::uint64_t address(std::uint32_t slot, std::uint32_t bar = 0) const {
    return pci.at(slot, 0).bar(bar).address;
  }
};

TEST_F(PciBusTest, LooksIntoEverySlotButTheBridgesAndIntoAllFunctionsOfADeviceThatHasSeveral) {
  add(1, 0,
      FakeFunction(0x8086, 1));  // one function: whatever answers as a second is an alias of it
  add(1, 1, FakeFunction(0x8086, 2));
  add(3, 0, FakeFunction(0x8086, 3, 1, true));
  add(3, 7, FakeFunction(0x8086, 4));
  EXPECT_EQ(scan(), "");
  EXPECT_THAT(bus.asked, ElementsAre(Pair(1, 0), Pair(2, 0), Pair(3, 0), Pair(3, 1), Pair(3, 2),
                                     Pair(3, 3), Pair(3, 4), Pair(3, 5), Pair(3, 6), Pair(3, 7)));
  ASSERT_EQ(pci.functions().size(), 3U);
  EXPECT_EQ(pci.at(1, 0).device_id(), 1);
  EXPECT_EQ(bus.functions.at({1, 0}).get(4), 0x4U) << "without a BAR it only masters the bus";
  EXPECT_EQ(pci.at(3, 0).device_id(), 3);
  EXPECT_EQ(pci.at(3, 7).device_id(), 4);
}

TEST_F(PciBusTest, TheLargestComesFirstSoThatNothingIsLeftBetween) {
  add(1, 0, memory(0xffff'f000).bar(1, 0xffff'0000));  // 4 KiB and 64 KiB
  add(2, 0, memory(0xfff0'0000));                      // 1 MiB
  add(3, 0, memory(0xffff'0000));                      // 64 KiB, in order of the slots
  EXPECT_EQ(scan(), "");
  EXPECT_EQ(address(2), map::kMmioBegin);
  EXPECT_EQ(address(1, 1), map::kMmioBegin + 0x10'0000);
  EXPECT_EQ(address(3), map::kMmioBegin + 0x11'0000);
  EXPECT_EQ(address(1), map::kMmioBegin + 0x12'0000);
  for (const auto& [place, function] : bus.functions)
    EXPECT_EQ(function.get(4), 0x6U) << place.first;
}

TEST_F(PciBusTest, PortsHaveASpaceOfTheirOwnAboveThoseOfThePc) {
  add(1, 0, ports(0xffff'e000));  // 8192 of them, on a multiple of that
  add(2, 0, ports(0xffff'ffe0));
  add(3, 0, memory(0xffff'f000));
  EXPECT_EQ(scan(), "");
  EXPECT_EQ(address(1), map::kIoBegin + 0x2000);
  EXPECT_EQ(address(2), map::kIoBegin + 0x4000);
  EXPECT_EQ(address(3), map::kMmioBegin);
  EXPECT_EQ(bus.functions.at({1, 0}).get(0x10), 0x2001U);
}

TEST_F(PciBusTest, TheMemoryWindowMayBeFilledToItsEnd) {
  static_assert(map::kMmioEnd - map::kMmioBegin == 0xec0'0000);
  add(1, 0, memory(0xf800'0000).bar(1, 0xfc00'0000).bar(2, 0xfe00'0000));  // 128, 64, 32
  add(2, 0, memory(0xff80'0000).bar(1, 0xffc0'0000));                      // 8 and 4 MiB
  EXPECT_EQ(scan(), "");
  EXPECT_EQ(address(2, 1), map::kMmioEnd - 0x40'0000);
}

TEST_F(PciBusTest, WhoFindsNoRoomIsNamed) {
  add(1, 0, memory(0xf800'0000).bar(1, 0xfc00'0000).bar(2, 0xfe00'0000));
  add(2, 0, memory(0xff80'0000).bar(1, 0xffc0'0000));
  add(3, 0, FakeFunction(0x8086, 1).bar(4, 0xffff'fff0));
  EXPECT_EQ(
      scan(),
      "host.pci: no room for the 16 bytes of memory space that BAR 4 of slot 3, function 0 wants");
}

TEST_F(PciBusTest, PortsMayRunOutToo) {
  add(1, 0, ports(0xffff'8000));
  add(2, 0, ports(0xffff'8000));
  EXPECT_EQ(
      scan(),
      "host.pci: no room for the 32768 bytes of I/O space that BAR 0 of slot 2, function 0 wants");
}

TEST_F(PciBusTest, ASecondScanAsksNobody) {
  add(1, 0, memory(0xffff'f000));
  run([&] {
    pci.scan();
    const std::size_t asked = bus.asked.size();
    pci.scan();
    EXPECT_EQ(asked, kSlots - 1);
    EXPECT_EQ(bus.asked.size(), asked);
  });
  EXPECT_EQ(pci.functions().size(), 1U);
}

TEST_F(PciBusTest, AnEmptyPlaceIsNamed) {
  add(1, 0, memory(0xffff'f000));
  EXPECT_EQ(scan(), "");
  back_on_the_main_stack();
  for (const auto& [slot, function] : {std::pair{2U, 0U}, std::pair{1U, 1U}}) {
    try {
      pci.at(slot, function);
      ADD_FAILURE() << "slot " << slot;
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.what(),
                fmt::format("host.pci: there is nothing in slot {}, function {}", slot, function));
    }
  }
}

TEST(PciBus, GivesEveryFunctionOfAnAdapterItsOwnAddressesAndLine) {
  using driver_testing::RigHost;
  driver_testing::RigOptions options;
  options.nic = "82546eb-fiber";
  options.ports = 2;
  RigHost host("host", options, 0);
  host.run([&](driver_testing::Program&) { host.pci.scan(); });
  sc_core::sc_start(from_ps(kMs));
  ASSERT_EQ(host.pci.functions().size(), 2U);
  const PciFunction& a = host.pci.at(RigHost::kSlot, 0);
  const PciFunction& b = host.pci.at(RigHost::kSlot, 1);
  EXPECT_EQ(a.vendor_id(), 0x8086);
  EXPECT_EQ(a.device_id(), 0x1012);
  EXPECT_EQ(a.bar(0).address, map::kMmioBegin);
  EXPECT_EQ(b.bar(0).address, map::kMmioBegin + nic::e1000::regs::kBar0Bytes);
  EXPECT_EQ(a.bar(2).address, map::kIoBegin + PciBus::kFirstPort);
  EXPECT_EQ(b.bar(2).address, a.bar(2).address + a.bar(2).bytes);
  EXPECT_EQ(a.interrupt_line(), RigHost::kSlot);
  EXPECT_EQ(b.interrupt_line(), RigHost::kSlot + 1) << "INTB#";
  for (std::uint32_t port = 0; port < 2; ++port) {
    const pcix::ConfigSpace& config = host.nics[port]->function()->config();
    EXPECT_TRUE(config.memory_enabled());
    EXPECT_TRUE(config.io_enabled());
    EXPECT_TRUE(config.master_enabled());
    EXPECT_EQ(config.memory_bar(), host.pci.at(RigHost::kSlot, port).bar(0).address);
    EXPECT_EQ(config.read(0x3c, 1), RigHost::kSlot + port);
  }
  back_on_the_main_stack();
  EXPECT_THROW(host.pci.at(1, 0), ConfigError) << "an empty slot";
}

}  // namespace
}  // namespace longhaul::host
