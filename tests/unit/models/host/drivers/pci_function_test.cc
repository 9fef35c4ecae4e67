// SPDX-License-Identifier: Apache-2.0
// A function of a device as PCI 2.3, chapter 6, has it found, sized, placed and switched on.
#include "models/host/drivers/pci_function.h"

#include <gmock/gmock.h>

#include "tests/unit/models/host/drivers/config_bus.h"

namespace longhaul::host {
namespace {

using testing::FakeFunction;
namespace map = pcix::address_map;

constexpr std::uint32_t kCommand = 0x04;
constexpr std::uint32_t kBar0 = 0x10;

using PciFunctionTest = testing::ConfigTest;

TEST_F(PciFunctionTest, WhereNobodyAnswersThereIsNone) {
  PciFunction function(2, 0);
  bool there = true;
  run([&] { there = function.probe(); });
  EXPECT_FALSE(there);
  EXPECT_EQ(function.vendor_id(), 0xffff);
}

TEST_F(PciFunctionTest, SaysWhoItIs) {
  add(2, 0, FakeFunction(0x8086, 0x1a48));
  add(3, 5, FakeFunction(0x1425, 0x0006, 1, true));
  PciFunction one(2, 0);
  PciFunction other(3, 5);
  run([&] { EXPECT_TRUE(one.probe() && other.probe()); });
  EXPECT_EQ(one.vendor_id(), 0x8086);
  EXPECT_EQ(one.device_id(), 0x1a48);
  EXPECT_FALSE(one.multifunction());
  EXPECT_EQ(other.vendor_id(), 0x1425);
  EXPECT_EQ(other.device_id(), 0x0006);
  EXPECT_TRUE(other.multifunction());
  EXPECT_EQ(other.slot(), 3U);
  EXPECT_EQ(other.function(), 5U);
}

TEST_F(PciFunctionTest, AHeaderOfAnotherLayoutIsStillOneFunction) {
  add(2, 0, FakeFunction(0x8086, 1)).bytes[0x0e] = 0x7f;
  PciFunction function(2, 0);
  run([&] { function.probe(); });
  EXPECT_FALSE(function.multifunction());
}

TEST_F(PciFunctionTest, PinsOfASlotAreWiredToLinesInARow) {
  std::vector<std::uint32_t> lines;
  for (std::uint32_t pin = 0; pin <= 4; ++pin) add(5, pin, FakeFunction(0x8086, 1, pin));
  run([&] {
    for (std::uint32_t pin = 0; pin <= 4; ++pin) {
      PciFunction function(5, pin);
      function.probe();
      lines.push_back(function.interrupt_line());
    }
  });
  EXPECT_THAT(lines, ::testing::ElementsAre(0U, 5U, 6U, 7U, 8U)) << "none, INTA# to INTD#";
}

TEST_F(PciFunctionTest, BarsAreSizedByWhatStaysZero) {
  add(2, 0, FakeFunction(0x8086, 1))
      .bar(0, 0xfffe'0000, 0x4)  // 128 KiB, 64 bit
      .bar(1, 0xffff'ffff)       // its upper half
      .bar(2, 0xffff'ffc0, 0x1)  // 64 ports
      .bar(3, 0xffff'fffc, 0x1)  // 4
      .bar(4, 0xffff'fff0, 0x8)  // 16 bytes, prefetchable
      .bar(5, 0x8000'0000);      // 2 GiB
  PciFunction function(2, 0);
  run([&] { function.size_bars(); });
  EXPECT_EQ(function.bar(0).bytes, 128U << 10);
  EXPECT_TRUE(function.bar(0).wide);
  EXPECT_FALSE(function.bar(0).io);
  EXPECT_EQ(function.bar(1).bytes, 0U);
  EXPECT_EQ(function.bar(2).bytes, 64U);
  EXPECT_TRUE(function.bar(2).io);
  EXPECT_FALSE(function.bar(2).wide);
  EXPECT_EQ(function.bar(3).bytes, 4U);
  EXPECT_EQ(function.bar(4).bytes, 16U);
  EXPECT_FALSE(function.bar(4).wide);
  EXPECT_EQ(function.bar(5).bytes, 1ULL << 31);
  for (std::uint32_t i = 0; i < PciFunction::kBars; ++i) EXPECT_EQ(function.bar(i).address, 0U);
}

TEST_F(PciFunctionTest, PortsMayBeDecodedBySixteenBitsOnly) {
  add(2, 0, FakeFunction(0x8086, 1))
      .bar(0, 0x0000'ffe0, 0x1);  // PCI 2.3, 6.2.5.1: the upper ones are wired to zero
  PciFunction function(2, 0);
  run([&] { function.size_bars(); });
  EXPECT_EQ(function.bar(0).bytes, 32U);
}

TEST_F(PciFunctionTest, NothingIsDecodedWhileItIsSized) {
  FakeFunction& fake =
      add(2, 0, FakeFunction(0x8086, 1)).bar(0, 0xffff'0000).bar(1, 0xffff'ff00, 0x1);
  fake.put(kCommand, 0x7);
  PciFunction function(2, 0);
  run([&] { function.size_bars(); });
  std::uint32_t to_bars = 0;
  for (const testing::ConfigBus::Write& write : bus.writes) {
    if (write.at < kBar0) continue;
    ++to_bars;
    EXPECT_EQ(write.command & 0x3, 0) << write.at;
  }
  EXPECT_GE(to_bars, 4U);
  EXPECT_EQ(fake.get(kCommand) & 0x4, 0x4U) << "the bus it may still master";
  EXPECT_EQ(fake.get(kBar0), 0U);
  EXPECT_EQ(fake.get(kBar0 + 4), 1U);
}

TEST_F(PciFunctionTest, APlacedBarIsAtTheProcessorsAddress) {
  FakeFunction& fake = add(2, 0, FakeFunction(0x8086, 1))
                           .bar(0, 0xfffe'0000, 0x4)
                           .bar(1, 0xffff'ffff)
                           .bar(2, 0xffff'ffc0, 0x1);
  fake.put(kBar0 + 4, 0xdead'beef);
  PciFunction function(2, 0);
  run([&] {
    function.size_bars();
    function.place(0, map::kMmioBegin + 0x2'0000);
    function.place(2, map::kIoBegin + 0x1040);
  });
  EXPECT_EQ(fake.get(kBar0), map::kMmioBegin + 0x2'0000 + 4);
  EXPECT_EQ(fake.get(kBar0 + 4), 0U) << "below 4 GiB";
  EXPECT_EQ(fake.get(kBar0 + 8), 0x1041U) << "as the bus counts ports";
  EXPECT_EQ(function.bar(0).address, map::kMmioBegin + 0x2'0000);
  EXPECT_EQ(function.bar(2).address, map::kIoBegin + 0x1040);
}

TEST_F(PciFunctionTest, OnlyWhatIsPlacedIsSwitchedOn) {
  FakeFunction& neither = add(2, 0, FakeFunction(0x8086, 1, 2)).bar(0, 0xffff'0000);
  FakeFunction& memory = add(2, 1, FakeFunction(0x8086, 1)).bar(0, 0xffff'0000);
  FakeFunction& ports = add(2, 2, FakeFunction(0x8086, 1)).bar(5, 0xffff'ff00, 1);
  neither.writable[kCommand + 1] = 0xff;
  neither.put(kCommand, 0x0140);  // SERR#, parity: firmware's
  run([&] {
    for (const std::uint32_t number : {0U, 1U, 2U}) {
      PciFunction function(2, number);
      function.probe();
      function.size_bars();
      if (number == 1) function.place(0, map::kMmioBegin);
      if (number == 2) function.place(5, map::kIoBegin + 0x1000);
      function.enable();
    }
  });
  EXPECT_EQ(neither.get(kCommand) & 0xffffU, 0x0144U);
  EXPECT_EQ(memory.get(kCommand) & 0x7U, 0x6U);
  EXPECT_EQ(ports.get(kCommand) & 0x7U, 0x5U);
  EXPECT_EQ(neither.bytes[0x3c], 3) << "the line of INTB#";
}

TEST_F(PciFunctionTest, AnAccessIsAsWideAsItIsAsked) {
  FakeFunction& fake = add(2, 3, FakeFunction(0x8086, 0x1a48));
  fake.put(0x40, 0x8877'6655);
  fake.writable.fill(0xff);
  const PciFunction function(2, 3);
  std::vector<std::uint32_t> found;
  run([&] {
    for (const std::uint32_t size : {1U, 2U, 4U}) found.push_back(function.read(0x40, size));
    function.write(0x42, 0x1234, 2);
    found.push_back(function.read(0x41, 1));
    found.push_back(PciFunction(2, 4).read(0x40, 2));
  });
  EXPECT_THAT(found, ::testing::ElementsAre(0x55U, 0x6655U, 0x8877'6655U, 0x66U, 0xffffU))
      << "the last one of nobody";
  EXPECT_EQ(fake.get(0x40), 0x1234'6655U);
}

}  // namespace
}  // namespace longhaul::host
