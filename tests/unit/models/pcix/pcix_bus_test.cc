// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/pcix_bus.h"

#include <malloc.h>

#include <algorithm>

#include "models/common/address_sanitizer.h"
#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

class PcixBusTest : public testing::PcTest {};

// Clock counts: address 1, attribute 1, response 1, data n, release 1 after a single data phase,
// turn-around 1 (README.md#clocks).

TEST_F(PcixBusTest, ABurstWriteTakesThreeClocksThenItsDataThenTurnAround) {
  build();
  at(0, [&] { device().dma().write(0x1000, buffer.data(), 512, &device(), 1); });
  sc_core::sc_start();
  EXPECT_THAT(clocks(), ElementsAre(Pair("memory write", 3 + 64 + 1)));
  EXPECT_EQ(log.spans[0].start_ps, 4 * kClock);  // arbitration of an idle bus
  EXPECT_EQ(device().done.at(0).ps, (4 + 3 + 64) * kClock);
  EXPECT_EQ(data_clocks(), 64U);
}

TEST_F(PcixBusTest, DataPhasesAreTheQuadWordsTouched) {
  build();
  at(0, [&] {
    device().dma().write(0x1007, buffer.data(), 2, &device(), 0);
    device().dma().write(0x1001, buffer.data(), 7, &device(), 1);
    device().dma().write(0x1004, buffer.data(), 1500, &device(), 2);
  });
  sc_core::sc_start();
  EXPECT_THAT(clocks(), ElementsAre(Pair("memory write", 4 + 2), Pair("memory write", 4 + 2),
                                    Pair("memory write", 4 + 188)));
}

TEST_F(PcixBusTest, AnAddressAboveFourGigabytesTakesASecondAddressPhase) {
  build();
  at(0, [&] { device().dma().write(0x1'0000'0000ULL, buffer.data(), 64, &device(), 1); });
  sc_core::sc_start();
  EXPECT_EQ(clocks().at(0).second, 1U + 4U + 8U);
}

TEST_F(PcixBusTest, ASplitReadIsARequestOfSixClocksAndACompletionOfFourAndItsData) {
  build();
  at(0, [&] { device().dma().read(0x1000, buffer.data(), 512, &device(), 1); });
  sc_core::sc_start();
  EXPECT_THAT(clocks(), ElementsAre(Pair("memory read", 6), Pair("split completion", 4 + 64)));
  EXPECT_EQ(std::memcmp(buffer.data(), ram + 0x1000, 512), 0);
  // Request seen at clock 4 + 4; bridge and memory: 110 + 60 + 110 ns and two bursts of 13.333 ns;
  // next edge, arbitration.
  const std::uint64_t split_ps = (4 + 4) * kClock;
  const std::uint64_t ready_ps = split_ps + 280'000 + 2 * 13'333;
  const std::uint64_t start_ps = (ready_ps + kClock - 1) / kClock * kClock + 4 * kClock;
  EXPECT_EQ(log.spans[1].start_ps, start_ps);
  EXPECT_EQ(device().done.at(0).ps, start_ps + (3 + 64) * kClock);
  EXPECT_EQ(overhead_clocks(), 6U + 3U);  // the last turn-around is credited with the next tenure
}

TEST_F(PcixBusTest, QueuedWritesFollowWithoutAnIdleClock) {
  build();
  at(0, [&] {
    for (int i = 0; i < 5; ++i)
      device().dma().write(0x1000 + 256 * i, buffer.data(), 256, &device(), i);
  });
  sc_core::sc_start();
  for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(log.spans[i].start_ps, log.spans[i - 1].end_ps);
  EXPECT_EQ(device().done.at(4).ps, (4 + 5 * (4 + 32) - 1) * kClock);
}

TEST_F(PcixBusTest, MmioAndConfigurationAccessesTakeTheirClocks) {
  build();
  at(0, [&] {
    core->write32(kBar + 0x10, 1);
    EXPECT_EQ(core->read32(kBar + 0x20), 0x1234'5678U);
    EXPECT_EQ(core->read32(address_map::kConfigBegin), 0x1a48'8086U);
    core->write32(address_map::kConfigBegin + 0x10, 0xf000'0000);
  });
  sc_core::sc_start();
  EXPECT_THAT(clocks(), ElementsAre(Pair("mmio write", 3 + 1 + 2), Pair("mmio read", 3 + 6 + 1 + 2),
                                    Pair("config read", 4 + 3 + 6 + 1 + 2),
                                    Pair("config write", 4 + 3 + 1 + 2)));
}

TEST_F(PcixBusTest, AnImmediateReadStallsTheCoreForTheWholeRoundTrip) {
  build();
  std::uint64_t back_ps = 0;
  at(0, [&] {
    core->read32(kBar + 0x20);
    back_ps = now_ps();
  });
  sc_core::sc_start();
  const std::uint64_t arrives = 112'500;  // 110 ns, then the next edge
  EXPECT_EQ(back_ps, arrives + (4 + 3 + 6 + 1) * kClock + 110'000);
}

TEST_F(PcixBusTest, ADeviceThatSplitsReadsFreesTheBusMeanwhile) {
  target_params.split_reads.value = true;
  build();
  std::uint64_t back_ps = 0;
  at(0, [&] {
    EXPECT_EQ(core->read32(kBar + 0x20), 0x1234'5678U);
    back_ps = now_ps();
  });
  sc_core::sc_start();
  EXPECT_THAT(clocks(), ElementsAre(Pair("mmio read", 6), Pair("mmio completion", 6)));
  const std::uint64_t split_ps = 112'500 + (4 + 4) * kClock;
  const std::uint64_t ready_ps = (split_ps + 150'000 + kClock - 1) / kClock * kClock + 4 * kClock;
  EXPECT_EQ(log.spans[1].start_ps, ready_ps);
  EXPECT_EQ(back_ps, ready_ps + 4 * kClock + 110'000);
}

TEST_F(PcixBusTest, SlowerDecodeTakesOneClockMoreEach) {
  target_params.decode_clocks.value = 3;
  bus_params.bridge_decode_clocks.value = 2;
  build();
  at(0, [&] {
    core->write32(kBar + 0x10, 1);
    device().dma().write(0x1000, buffer.data(), 8, &device(), 1);
  });
  sc_core::sc_start();
  EXPECT_THAT(clocks(), ::testing::UnorderedElementsAre(Pair("mmio write", 5 + 3),
                                                        Pair("memory write", 5 + 2)));
}

TEST_F(PcixBusTest, ConventionalPciHasNoAttributePhase) {
  bus_params.protocol.value = "pci";
  bus_params.clock.value = {66'666'667};
  build();
  at(0, [&] { device().dma().write(0x1000, buffer.data(), 48, &device(), 1); });
  sc_core::sc_start();
  // Six data phases make nine clocks of 15 ns.
  EXPECT_EQ(log.spans.at(0).end_ps - log.spans.at(0).start_ps, 9 * 15'000U);
}

TEST_F(PcixBusTest, AThirtyTwoBitBusMovesFourBytesAClock) {
  bus_params.width_bits.value = 32;
  build();
  at(0, [&] { device().dma().write(0x1000, buffer.data(), 256, &device(), 1); });
  sc_core::sc_start();
  EXPECT_EQ(clocks().at(0).second, 4U + 64U);
}

TEST_F(PcixBusTest, DmaToNobodyEndsInMasterAbort) {
  build();
  at(0, [&] {
    device().dma().read(kBar + 0x100, buffer.data(), 64, &device(), 1);
    device().dma().write(0xfec0'0000, buffer.data(), 64, &device(), 2);
  });
  sc_core::sc_start();
  EXPECT_THAT(clocks(), ElementsAre(Pair("master abort", 1 + 7 + 1), Pair("master abort", 9)));
  EXPECT_EQ(device().done.at(0).status, DmaStatus::kMasterAbort);
  EXPECT_EQ(device().done.at(1).status, DmaStatus::kMasterAbort);
  EXPECT_EQ(bus->master_aborts.value(), 2U);
  EXPECT_NE(device().config().read(0x06, 2) & status::kReceivedMasterAbort, 0U);
  EXPECT_EQ(buffer[0], 0xee);
}

TEST_F(PcixBusTest, DmaToMemoryThatTheMachineHidesEndsInTargetAbort) {
  build();
  memory->hide_below(0x2000);
  const std::vector<std::uint8_t> before(ram, ram + 0x3000);
  at(0, [&] {
    device().dma().write(0x1f00, buffer.data(), 256, &device(), 1);
    device().dma().read(0x1f00, buffer.data(), 256, &device(), 2);
  });
  sc_core::sc_start();
  EXPECT_EQ(device().done.at(0).status, DmaStatus::kTargetAbort);
  EXPECT_EQ(device().done.at(1).status, DmaStatus::kTargetAbort);
  EXPECT_EQ(bus->target_aborts.value(), 2U);
  EXPECT_NE(device().config().read(0x06, 2) & status::kReceivedTargetAbort, 0U);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), ram));
  EXPECT_EQ(buffer, std::vector<std::uint8_t>(buffer.size(), 0xee));
}

TEST_F(PcixBusTest, DmaBeyondMemoryEndsInTargetAbort) {
  build();
  at(0, [&] {
    device().dma().read(0x80'0000, buffer.data(), 512, &device(), 1);
    device().dma().write(0x80'0000, buffer.data(), 64, &device(), 2);
  });
  sc_core::sc_start();
  EXPECT_EQ(device().done.at(0).status, DmaStatus::kTargetAbort);
  EXPECT_EQ(device().done.at(1).status, DmaStatus::kTargetAbort);
  EXPECT_EQ(bus->target_aborts.value(), 2U);
  EXPECT_NE(device().config().read(0x06, 2) & status::kReceivedTargetAbort, 0U);
  EXPECT_EQ(buffer[0], 0xee);
  // The error comes as a completion message of one data phase.
  const auto message = std::find_if(log.spans.begin(), log.spans.end(),
                                    [](const auto& s) { return s.label == "split completion"; });
  ASSERT_NE(message, log.spans.end());
  EXPECT_EQ((message->end_ps - message->start_ps) / kClock, 6U);
}

TEST_F(PcixBusTest, ReadsOfNobodyGiveAllOnesAndWritesVanish) {
  build();
  at(0, [&] {
    EXPECT_EQ(core->read32(0xf800'0000), 0xffff'ffffU);
    EXPECT_EQ(core->read32(address_map::kConfigBegin + 7 * 4096), 0xffff'ffffU);
    core->write32(0xf800'0000, 5);
    core->write32(address_map::kConfigBegin + 7 * 4096, 5);
    device().config().write(0x04, 2, 0x0004);  // memory decode off
    EXPECT_EQ(core->read32(kBar + 0x20), 0xffff'ffffU);
  });
  sc_core::sc_start();
  EXPECT_EQ(bus->master_aborts.value(), 5U);
}

TEST_F(PcixBusTest, ActivityAddsUpToTheTimeThatPassed) {
  build();
  limit_reads(0, 0, 3);
  at(0, [&] {
    device(0).dma().read(0x1000, buffer.data(), 9000, &device(0), 1);
    device(1).dma().write(0x20000, buffer.data() + 65536, 9000, &device(1), 2);
  });
  at(500'000, [&] {
    for (int i = 0; i < 10; ++i) core->read32(kBar + 0x20);
  });
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  std::uint64_t data = 0;
  std::uint64_t all = 0;
  for (const auto& span : log.spans) {
    all += (span.end_ps - span.start_ps) / kClock;
    if (span.bytes > 0)
      data += bus->timing().data(span.address, static_cast<std::uint32_t>(span.bytes), 8);
  }
  EXPECT_EQ(data_clocks(), data);
  EXPECT_EQ(overhead_clocks(), all - data - 1);
  EXPECT_EQ(idle_ps() + (data_clocks() + overhead_clocks()) * kClock, 1'000'000'000U);
  EXPECT_EQ(bus->completed_bytes.value(), 9000U);
  EXPECT_EQ(bus->written_bytes.value(), 9000U);
}

TEST_F(PcixBusTest, TenuresNeverOverlapAndStartOnClockEdges) {
  bridge_params.posted_dma_bytes.value = {512};
  build();
  std::mt19937 random(3);
  limit_reads(0, 1, 5);
  limit_reads(1, 3, 2);
  for (std::uint32_t slot = 0; slot < 2; ++slot) {
    at(slot * 1'234'567, [&, slot] {
      for (int i = 0; i < 100; ++i) {
        device(slot).dma().read(random() % 100'000, &buffer[slot * 65536], 1 + random() % 9000,
                                &device(slot), i);
        device(slot).dma().write(0x20'0000 + random() % 100'000, &buffer[131072],
                                 1 + random() % 3000, &device(slot), i);
        sc_core::wait(from_ps(random() % 10'000'000));
      }
    });
  }
  at(77, [&] {
    for (int i = 0; i < 300; ++i) {
      core->write32(kBar + 0x10, i);
      if (i % 3 == 0) core->read32(bar(1) + 0x20);
      sc_core::wait(from_ps(random() % 3'000'000));
    }
  });
  sc_core::sc_start();
  EXPECT_EQ(device(0).done.size(), 200U);
  EXPECT_EQ(device(1).done.size(), 200U);
  ASSERT_GT(log.spans.size(), 1000U);
  for (std::size_t i = 0; i < log.spans.size(); ++i) {
    ASSERT_EQ(log.spans[i].start_ps % kClock, 0U);
    if (i > 0) {
      ASSERT_GE(log.spans[i].start_ps, log.spans[i - 1].end_ps) << i;
    }
  }
}

TEST_F(PcixBusTest, RandomTrafficOfTwoDevicesKeepsEveryByte) {
  build();
  std::mt19937 random(11);
  limit_reads(0, 0, 7);
  limit_reads(1, 2, 4);
  constexpr int kTransfers = 300;
  std::vector<std::uint8_t> reference(ram, ram + memory->mapping().size);
  struct Read {
    std::uint64_t address;
    std::vector<std::uint8_t> data;
  };
  std::vector<Read> reads(2 * kTransfers);
  std::vector<std::vector<std::uint8_t>> writes(2 * kTransfers);
  std::uint64_t to[2] = {0x20'0000,
                         0x30'0000};  // each writes its own quarter, in order; reads stay below
  for (std::uint32_t slot = 0; slot < 2; ++slot) {
    at(0, [&, slot] {
      for (int i = 0; i < kTransfers; ++i) {
        Read& read = reads[slot * kTransfers + i];
        read.data.resize(1 + random() % 5000);
        read.address = random() % (0x20'0000 - read.data.size());
        device(slot).dma().read(read.address, read.data.data(),
                                static_cast<std::uint32_t>(read.data.size()), &device(slot), i);
        std::vector<std::uint8_t>& write = writes[slot * kTransfers + i];
        write.resize(1 + random() % 2500);
        for (std::uint8_t& byte : write) byte = static_cast<std::uint8_t>(random());
        device(slot).dma().write(to[slot], write.data(), static_cast<std::uint32_t>(write.size()),
                                 &device(slot), i);
        std::copy(write.begin(), write.end(), reference.begin() + static_cast<long>(to[slot]));
        to[slot] += write.size() + random() % 100;
        if (random() % 4 == 0) sc_core::wait(from_ps(random() % 5'000'000));
      }
    });
  }
  sc_core::sc_start();
  for (std::size_t i = 0; i < reads.size(); ++i) {
    ASSERT_EQ(std::memcmp(reads[i].data.data(), &reference[reads[i].address], reads[i].data.size()),
              0)
        << i;
  }
  EXPECT_EQ(std::memcmp(ram, reference.data(), reference.size()), 0);
  EXPECT_TRUE(device(0).dma().idle());
  EXPECT_TRUE(device(1).dma().idle());
}

TEST_F(PcixBusTest, EndlessTrafficDoesNotGrowTheHeap) {
  if (under_address_sanitizer())
    GTEST_SKIP() << "the sanitizer's allocator does not answer mallinfo2()";
  build();
  bus->account.tenures.ignore(&log);
  limit_reads(0, 0, 5);
  // Four reads and four writes are always under way.
  device().then = [&](std::uint64_t tag) {
    device().done.clear();
    if (tag < 4) device().dma().read(0x1000, &buffer[tag * 16384], 9000, &device(), tag);
    if (tag >= 4) device().dma().write(0x20'0000, &buffer[tag * 16384], 9000, &device(), tag);
  };
  at(0, [&] {
    for (std::uint64_t tag = 0; tag < 8; ++tag) device().then(tag);
  });
  sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_MS));
  const std::uint64_t moved = memory->moved();
  const auto heap = mallinfo2().uordblks;
  sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_MS));
  EXPECT_EQ(mallinfo2().uordblks, heap);
  EXPECT_GT(memory->moved() - moved, 20'000'000U);  // 8.5 Gb/s is 21 MB in 20 ms
}

TEST_F(PcixBusTest, WrongModesAndSlotsAreRefusedWithTheCure) {
  BusParams params;
  params.protocol.value = "isa";
  EXPECT_THROW(
      {
        try {
          PcixBus wrong("wrong", params, 1);
        } catch (const ConfigError& error) {
          EXPECT_STREQ(error.what(), "wrong.protocol: 'isa' is neither pcix nor pci");
          throw;
        }
      },
      ConfigError);
  params.protocol.value = "pci";
  EXPECT_THROW(PcixBus("fast", params, 1), ConfigError);
  EXPECT_THROW(PcixBus("long", BusParams{}, PcixBus::kMostSlots + 1), ConfigError);
  PcixBus bus_of_one("one", BusParams{}, 1);
  testing::TestDevice first("first");
  testing::TestDevice second("second");
  bus_of_one.slot(0).bind(first.bus_socket);
  try {
    bus_of_one.slot(0).bind(second.bus_socket);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "one: slot 0 is taken, second does not fit");
  }
  EXPECT_THROW(bus_of_one.slot(1), ConfigError);
}

TEST(PcixBus, AnEmptySlotAsksForNothing) {
  PcixBus bus("bus", BusParams{}, 8);
  for (std::uint32_t master = 0; master <= 8; ++master) EXPECT_FALSE(bus.keeps_request(master));
}

}  // namespace
}  // namespace longhaul::pcix
