// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/pins.h"

#include <map>
#include <string>

#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

/// Traces every tenure and writes a line of one character a clock for each pin: '_' asserted, '-'
/// not.
struct Traced final : BusListener {
  struct Lines {
    std::string label;
    std::string frame, irdy, devsel, trdy, stop;
    std::vector<Pins> clocks;
    TenureRecord record;
  };
  std::vector<Lines> tenures;
  void on_tenure(const TenureRecord& tenure) override {
    Lines lines;
    lines.label = tenure.label;
    lines.record = tenure;
    trace(tenure, lines.clocks);
    for (const Pins& pins : lines.clocks) {
      lines.frame += pins.frame ? '_' : '-';
      lines.irdy += pins.irdy ? '_' : '-';
      lines.devsel += pins.devsel ? '_' : '-';
      lines.trdy += pins.trdy ? '_' : '-';
      lines.stop += pins.stop ? '_' : '-';
    }
    tenures.push_back(lines);
  }
};

class PinsTest : public testing::PcTest {
 protected:
  void build_traced() {
    build();
    bus->listen(&traced);
  }
  void expect(std::size_t tenure, const char* frame, const char* irdy, const char* devsel,
              const char* trdy, const char* stop) {
    ASSERT_LT(tenure, traced.tenures.size());
    const Traced::Lines& lines = traced.tenures[tenure];
    EXPECT_EQ(lines.frame, frame) << lines.label;
    EXPECT_EQ(lines.irdy, irdy) << lines.label;
    EXPECT_EQ(lines.devsel, devsel) << lines.label;
    EXPECT_EQ(lines.trdy, trdy) << lines.label;
    EXPECT_EQ(lines.stop, stop) << lines.label;
  }
  Traced traced;
};

TEST_F(PinsTest, InMode2AClockShowsTheFirstOfItsWords) {
  bus_params.data_subphases.value = 4;
  build_traced();
  for (std::uint32_t i = 0; i < 128; ++i) buffer[i] = static_cast<std::uint8_t>(i);
  at(0, [&] { device().dma().write(0x1008, buffer.data(), 120, &device(), 1); });
  sc_core::sc_start();
  expect(0, "_____---", "---____-", "--_____-", "---____-", "--------");
  const auto low_byte = [&](std::size_t clock) {
    return traced.tenures[0].clocks[clock].ad & 0xff;
  };
  EXPECT_EQ(low_byte(3), 0U);  // of 0x1008: three words in its data phase
  EXPECT_EQ(low_byte(4), 24U);
  EXPECT_EQ(low_byte(6), 88U);
}

TEST_F(PinsTest, APcixBurstAnnouncesItsEndAClockAheadAndAShortOneWhenItCan) {
  build_traced();
  at(0, [&] {
    for (const std::uint32_t bytes : {48U, 32U, 24U, 16U, 8U})
      device().dma().write(0x1000, buffer.data(), bytes, &device(), 1);
  });
  sc_core::sc_start();
  //         address, attribute, response, data..., turn-around
  expect(0, "_______---", "---______-", "--_______-", "---______-", "----------");
  expect(1, "_____---", "---____-", "--_____-", "---____-", "--------");
  expect(2, "_____--", "---___-", "--____-", "---___-", "-------");
  expect(3, "_____-", "---__-", "--___-", "---__-", "------");
  expect(4, "_____-", "---__-", "--__--", "---_--", "------");
}

TEST_F(PinsTest, SplitResponseIsTrdyAloneAndRetryStopWithDevsel) {
  bridge_params.split_reads.value = 1;
  build_traced();
  limit_reads(0, 0, 1);
  at(0, [&] { device().dma().read(0x1000, buffer.data(), 1024, &device(), 1); });
  sc_core::sc_start();
  ASSERT_GE(traced.tenures.size(), 2U);
  expect(0, "_____-", "---__-", "--_---", "---_--", "------");
  EXPECT_EQ(traced.tenures[1].label, "retry");
  expect(1, "_____-", "---__-", "--__--", "------", "---_--");
}

TEST_F(PinsTest, SlowDecodeAndWaitsComeBeforeTrdy) {
  target_params.decode_clocks.value = 2;
  target_params.read_wait_clocks.value = 3;
  build_traced();
  at(0, [&] { core->read32(kBar + 0x20); });
  sc_core::sc_start();
  //         address, attribute, response x2, wait x3, data, release, turn-around
  expect(0, "_________-", "---______-", "---_____--", "-------_--", "----------");
  EXPECT_EQ(traced.tenures[0].clocks[7].ad, 0x1234'5678U);
  EXPECT_EQ(traced.tenures[0].clocks[7].cbe, 0xf0);
  EXPECT_FALSE(traced.tenures[0].clocks[6].ad_driven);
}

TEST_F(PinsTest, AConfigurationAddressIsThereFourClocksBeforeFrame) {
  build_traced();
  at(0, [&] { core->write32(address_map::kConfigBegin + 0x10, 0xf000'0000); });
  sc_core::sc_start();
  //         pre-drive x4, address, attribute, response, data, release, turn-around
  expect(0, "----_____-", "-------__-", "------__--", "-------_--", "----------");
  EXPECT_EQ(traced.tenures[0].clocks[0].ad, 0x10U);
  EXPECT_TRUE(traced.tenures[0].clocks[0].ad_driven);
  EXPECT_EQ(traced.tenures[0].clocks[7].ad, 0xf000'0000U);
}

TEST_F(PinsTest, APortIsADwordInThirtyTwoBitIoSpace) {
  build_traced();
  at(0, [&] { core->write32(port_address(0, 4), 0x0400'0000); });
  sc_core::sc_start();
  //         address, attribute, response, data, release, turn-around
  expect(0, "_____-", "---__-", "--__--", "---_--", "------");
  const std::vector<Pins>& clocks = traced.tenures[0].clocks;
  EXPECT_EQ(clocks[0].ad, 0x1004U);
  EXPECT_EQ(clocks[0].cbe, 0xf3) << "I/O write";
  EXPECT_EQ(clocks[3].ad, 0x0400'0000U);
  EXPECT_EQ(clocks[3].cbe, 0xf0) << "byte enables of four lanes";
  for (const Pins& clock : clocks) EXPECT_FALSE(clock.req64);
}

TEST_F(PinsTest, AnAddressThatNobodyClaimsEndsInMasterAbort) {
  build_traced();
  at(0, [&] { core->read32(0xf800'0000); });
  sc_core::sc_start();
  expect(0, "________-", "---_____-", "---------", "---------", "---------");
}

TEST_F(PinsTest, ConventionalPciEndsABurstWithItsLastDataPhase) {
  bus_params.protocol.value = "pci";
  bus_params.clock.value = {66'666'667};
  bus_params.retry_clocks.value = 64;
  bridge_params.delayed_read_bytes.value = {64};
  build_traced();
  at(0, [&] {
    device().dma().write(0x1000, buffer.data(), 32, &device(), 1);
    device().dma().write(0x1000, buffer.data(), 8, &device(), 2);
    device().dma().read(0x1020, buffer.data(), 48, &device(), 3);
  });
  sc_core::sc_start();
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < traced.tenures.size(); ++i) first.emplace(traced.tenures[i].label, i);
  const std::size_t write = first.at("memory write");
  expect(write, "_____--", "-_____-", "--____-", "--____-", "-------");
  // The one data phase of the second write follows the read's first attempt.
  const std::size_t retry = first.at("retry");
  expect(retry, "___--", "-___-", "--__-", "-----", "--__-");
  // 32 bytes up to where the bridge's prefetch ends: STOP# with the last word, and a clock to take
  // FRAME# back.
  const std::size_t read = first.at("delayed read");
  expect(read, "______--", "-______-", "--_____-", "--____--", "-----__-");
}

TEST_F(PinsTest, AddressAttributeAndDataAreOnTheWires) {
  build_traced();
  at(0, [&] {
    device(1).dma().write(0x1'2345'6783, buffer.data(), 20, &device(1), 1);
    device(1).dma().read(0x1104, buffer.data() + 64, 300, &device(1), 2);
  });
  for (std::uint32_t i = 0; i < 20; ++i) buffer[i] = static_cast<std::uint8_t>(0xa0 + i);
  sc_core::sc_start();
  const auto& write = traced.tenures.at(0).clocks;
  EXPECT_EQ(write[0].ad, 0x1'2345'6783U);
  EXPECT_EQ(write[0].cbe, 0xfd);  // dual address cycle; the command on the upper half
  EXPECT_EQ(write[1].ad, 0x1U);
  EXPECT_EQ(write[1].cbe, 0xff);                      // memory write block
  EXPECT_EQ(write[2].ad, 1U << 16 | 1U << 11 | 20U);  // bus 1, device 1, 20 bytes
  EXPECT_EQ(write[4].ad, 0xa4a3'a2a1'a000'0000U);     // the first five bytes
  EXPECT_EQ(write[6].ad, 0xb3b2'b1b0'afae'adU | 0U);  // the last seven
  const auto request = std::find_if(traced.tenures.begin(), traced.tenures.end(),
                                    [](const auto& lines) { return lines.label == "memory read"; });
  ASSERT_NE(request, traced.tenures.end());
  EXPECT_EQ(request->clocks[0].ad, 0x1104U);
  EXPECT_EQ(request->clocks[0].cbe & 0xfU, 0xeU);
  EXPECT_EQ(request->clocks[1].ad & 0xffU, 300U & 0xffU);
  EXPECT_EQ(request->clocks[1].cbe & 0xfU, 300U >> 8);
  const auto& completion = traced.tenures.back();
  EXPECT_EQ(completion.label, "split completion");
  EXPECT_EQ(completion.clocks[0].cbe & 0xfU, 0xcU);
  EXPECT_EQ(completion.clocks[0].ad & 0x7fU, 0x04U);
  EXPECT_EQ(completion.clocks[0].ad >> 11 & 0x1fU, 1U);
}

TEST_F(PinsTest, TracedClocksAreTheCountedOnesWhateverTheTraffic) {
  bridge_params.posted_dma_bytes.value = {512};
  bridge_params.split_reads.value = 2;
  build_traced();
  std::mt19937 random(9);
  limit_reads(0, 1, 5);
  limit_reads(1, 3, 2);
  device(1).config().write(0x0d, 1, 24);
  for (std::uint32_t slot = 0; slot < 2; ++slot) {
    at(slot * 1'000, [&, slot] {
      for (std::uint32_t i = 0; i < 60; ++i) {
        device(slot).dma().read(random() % 100'000, &buffer[slot * 65536], 1 + random() % 5000,
                                &device(slot), i);
        device(slot).dma().write(0x20'0000, &buffer[131072], 1 + random() % 3000, &device(slot), i);
        sc_core::wait(from_ps(random() % 5'000'000));
      }
    });
  }
  sc_core::sc_start();
  ASSERT_EQ(traced.tenures.size(), log.spans.size());
  for (std::size_t i = 0; i < log.spans.size(); ++i) {
    const Traced::Lines& lines = traced.tenures[i];
    const auto& span = log.spans[i];
    ASSERT_EQ(lines.clocks.size() * kClock, span.end_ps - span.start_ps) << lines.label;
    const auto asserted = [](const std::string& line) {
      return std::count(line.begin(), line.end(), '_');
    };
    if (span.bytes > 0) {
      ASSERT_EQ(asserted(lines.trdy), static_cast<long>((span.address % 8 + span.bytes + 7) / 8))
          << lines.label;
    }
    // FRAME# or IRDY# is asserted in every clock but the turn-around.
    for (std::size_t clock = 0; clock < lines.clocks.size(); ++clock) {
      ASSERT_EQ(lines.clocks[clock].frame || lines.clocks[clock].irdy,
                clock + 1 < lines.clocks.size());
    }
  }
}

}  // namespace
}  // namespace longhaul::pcix
