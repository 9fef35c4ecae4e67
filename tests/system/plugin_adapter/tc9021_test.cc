// SPDX-License-Identifier: Apache-2.0
// What Linux' dl2k does not make the adapter of examples/adapter do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "models/nic/blocks/little_endian.h"
#include "tc9021.h"
#include "tests/unit/models/nic/fake_host.h"
#include "tests/unit/models/pcix/dma_test_bus.h"

namespace tc9021 {
namespace {

using namespace regs;  // NOLINT: names of the registers
using longhaul::Frame;
using longhaul::FrameRef;
using longhaul::nic::read_le32;
using longhaul::nic::write_le32;
using longhaul::testing::ByteVector;
using longhaul::testing::DmaTestBus;
using longhaul::testing::FakeHost;
using longhaul::testing::FakeWire;

/// An adapter on a test memory, with a driver's steps.
class Fixture {
 public:
  static constexpr std::uint32_t kTxList = 0x10000;
  static constexpr std::uint32_t kRxList = 0x20000;
  static constexpr std::uint32_t kTxData = 0x40000;
  static constexpr std::uint32_t kRxData = 0x60000;
  static constexpr std::uint32_t kPitch = 0x1000;  // of buffers
  static constexpr std::uint32_t kStep = 0x100;    // from one descriptor to the next

  Fixture() : nic("nic", Tc9021Params{}, 0) {
    nic.dma().dma_initiator.bind(bus.dma_target);
    host.mmio.bind(nic.mmio_target);
    host.io.bind(nic.io_target);
    host.config.bind(nic.config_target);
    nic.inta_o.bind(host.inta);
    nic.port().eth_tx.bind(wire);
    host.access(true, false, 0x04, 2, 0x0007);  // ports, memory, bus master
    run_us(1);
  }

  DmaTestBus bus{"bus", 1U << 20};
  FakeWire wire{longhaul::BitRate{1'000'000'000}};
  FakeHost host{"host"};
  Tc9021 nic;

  std::uint32_t read(std::uint32_t at, std::uint32_t size) {
    return host.access(false, true, at, size, 0) & (size == 4 ? ~0U : (1U << 8 * size) - 1);
  }
  void write(std::uint32_t at, std::uint32_t size, std::uint32_t value) {
    host.access(false, false, at, size, value);
  }
  void run_us(std::uint64_t us) {
    sc_core::sc_start(longhaul::from_ps(us * 1'000'000));
    while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  std::uint32_t word(std::uint32_t at) const { return read_le32(&bus.memory.at(at)); }
  void put(std::uint32_t at, std::uint32_t value) { write_le32(&bus.memory.at(at), value); }

  void describe(std::uint32_t at, std::uint32_t next, std::uint32_t control) {
    put(at, next);
    put(at + 8, control);
  }
  void fragment(std::uint32_t at, std::uint32_t index, std::uint32_t address, std::uint32_t bytes) {
    put(at + 16 + 8 * index, address);
    put(at + 20 + 8 * index, bytes << 16);
  }
  /// The link comes up, both directions run, causes are enabled.
  void open() {
    run_us(31'000);
    write(kMacCtrl, 4, mac_ctrl::kTxEnable | mac_ctrl::kRxEnable | mac_ctrl::kStatisticsEnable);
    write(kReceiveMode, 2, receive_mode::kAllFrames);
    write(kInt + 2, 2, 0xffff);
    write(kInt, 2, cause::kAll);
  }
  /// Receive buffers of so many bytes; the one behind the last is done.
  void give(std::uint32_t count, std::uint32_t bytes) {
    for (std::uint32_t i = 0; i <= count; ++i) {
      const std::uint32_t at = kRxList + i * kStep;
      describe(at, at + kStep, i == count ? rfs::kDone : 0);
      fragment(at, 0, kRxData + i * kPitch, bytes);
    }
    write(kRfdListPtr0, 4, kRxList);
  }
  std::uint32_t rx_status(std::uint32_t i) const { return word(kRxList + i * kStep + 8); }

  static ByteVector packet(std::uint32_t bytes) {
    ByteVector made(bytes);
    for (std::uint32_t i = 0; i < bytes; ++i) made[i] = static_cast<std::uint8_t>(i * 7);
    made[0] = 0x02;
    return made;
  }
  void receive(const ByteVector& bytes) {
    FrameRef ref = Frame::allocate(static_cast<std::uint32_t>(bytes.size()));
    std::memcpy(ref.writable().data(), bytes.data(), bytes.size());
    nic.port().eth_rx->receive(ref);
  }
};

TEST(Tc9021, AFrameOfThreeFragmentsGoesOutWhole) {
  Fixture b;
  b.open();
  const ByteVector sent = Fixture::packet(1000);
  std::copy(sent.begin(), sent.end(), b.bus.memory.begin() + Fixture::kTxData);
  b.describe(Fixture::kTxList, 0, 3U << tfc::kFragCountShift | tfc::kTxDmaIndicate);
  b.fragment(Fixture::kTxList, 0, Fixture::kTxData, 100);
  b.fragment(Fixture::kTxList, 1, Fixture::kTxData + 100, 1);
  b.fragment(Fixture::kTxList, 2, Fixture::kTxData + 101, 899);
  b.write(kTfdListPtr0, 4, Fixture::kTxList);
  b.run_us(50);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.wire.sent[0].bytes, sent);
  EXPECT_EQ(b.word(Fixture::kTxList + 8),
            tfc::kDone | 3U << tfc::kFragCountShift | tfc::kTxDmaIndicate);
  EXPECT_EQ(b.read(kInt + 2, 2), cause::kTxDmaComplete | cause::kInterruptStatus);
  EXPECT_EQ(b.read(kTfdListPtr0, 4), 0U) << "the list has ended";
}

TEST(Tc9021, AFrameThatTheFifoCannotHoldIsLostAndItsDescriptorComesBack) {
  Fixture b;
  b.open();
  b.describe(Fixture::kTxList, 0, 1U << tfc::kFragCountShift);
  b.fragment(Fixture::kTxList, 0, Fixture::kTxData, 17 * 1024);
  b.write(kTfdListPtr0, 4, Fixture::kTxList);
  b.run_us(50);
  EXPECT_TRUE(b.wire.sent.empty());
  EXPECT_EQ(b.nic.tx().discarded.value(), 1U);
  EXPECT_EQ(b.nic.tx().fifo_fill.value(), 0U);
  EXPECT_NE(b.word(Fixture::kTxList + 8) & tfc::kDone, 0U);
}

TEST(Tc9021, ADoneDescriptorIsLookedAtAgainAfterThePollPeriod) {
  Fixture b;
  b.open();
  b.describe(Fixture::kTxList, 0, tfc::kDone);
  b.fragment(Fixture::kTxList, 0, Fixture::kTxData, 60);
  b.write(kTxDma + 2, 1, 100);  // 32 us
  b.write(kTfdListPtr0, 4, Fixture::kTxList);
  b.run_us(10);
  b.put(Fixture::kTxList + 8, 1U << tfc::kFragCountShift);
  b.run_us(15);
  EXPECT_TRUE(b.wire.sent.empty()) << "the period is not over";
  b.run_us(15);
  EXPECT_EQ(b.wire.sent.size(), 1U);
}

TEST(Tc9021, TxStatusTellsOfEachFrameThatAskedForIt) {
  Fixture b;
  b.open();
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::uint32_t at = Fixture::kTxList + i * Fixture::kStep;
    const std::uint32_t asks = i == 1 ? 0 : tfc::kTxIndicate;
    b.describe(at, i == 2 ? 0 : at + Fixture::kStep, 1U << tfc::kFragCountShift | asks | (40 + i));
    b.fragment(at, 0, Fixture::kTxData, 60);
  }
  b.write(kTfdListPtr0, 4, Fixture::kTxList);
  b.run_us(50);
  constexpr std::uint32_t kTold = tx_status::kTxComplete | tx_status::kTxIndicateReqd;
  EXPECT_EQ(b.read(kTxStatus, 4), kTold | 40U << tx_status::kFrameIdShift);
  EXPECT_EQ(b.read(kTxStatus, 4), kTold | 42U << tx_status::kFrameIdShift);
  EXPECT_EQ(b.read(kTxStatus, 4), 0U);
}

TEST(Tc9021, AFrameTakesTheBuffersThatItNeedsAndKeepsItsFcsIfAsked) {
  Fixture b;
  b.open();
  b.write(kMacCtrl, 2, mac_ctrl::kRcvFcs);
  b.give(4, 256);
  const ByteVector got = Fixture::packet(600);
  b.receive(got);
  b.run_us(50);
  EXPECT_EQ(b.rx_status(0), rfs::kDone | rfs::kFrameStart | 256U);
  EXPECT_EQ(b.rx_status(1), rfs::kDone | 512U);
  EXPECT_EQ(b.rx_status(2), rfs::kDone | rfs::kFrameEnd | 604U);
  EXPECT_EQ(b.rx_status(3), 0U);
  ByteVector all;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const auto from = b.bus.memory.begin() + Fixture::kRxData + i * Fixture::kPitch;
    all.insert(all.end(), from, from + 256);
  }
  EXPECT_TRUE(std::equal(got.begin(), got.end(), all.begin()));
}

TEST(Tc9021, FramesWaitForADescriptorAndRfdListEndSaysSo) {
  Fixture b;
  b.open();
  b.give(1, 2048);
  b.receive(Fixture::packet(60));
  b.receive(Fixture::packet(61));
  b.run_us(50);
  EXPECT_NE(b.read(kInt + 2, 2) & cause::kRfdListEnd, 0U);
  EXPECT_EQ(b.nic.rx().frames.value(), 1U);
  b.put(Fixture::kRxList + Fixture::kStep + 8, 0);
  b.run_us(50);
  EXPECT_EQ(b.nic.rx().frames.value(), 1U) << "nobody has asked it to look";
  b.write(kDmaCtrl, 4, dma_ctrl::kRxDmaPollNow);
  b.run_us(50);
  EXPECT_EQ(b.rx_status(1), rfs::kDone | rfs::kFrameStart | rfs::kFrameEnd | 61U);
}

TEST(Tc9021, AnInterruptStandsForSeveralFramesOrForTheTimeAfterTheFirst) {
  Fixture b;
  b.open();
  b.write(kInt, 2, cause::kRxDmaComplete);
  b.give(8, 2048);
  b.write(kRxDmaIntCtrl, 4, 3U | 1000U << rx_dma_int::kWaitTimeShift);  // 3 frames or 64 us
  for (int i = 0; i < 4; ++i) b.receive(Fixture::packet(60));
  b.run_us(20);
  EXPECT_EQ(b.nic.rx().frames.value(), 4U);
  EXPECT_NE(b.read(kInt + 2, 2) & cause::kRxDmaComplete, 0U) << "for three";
  b.write(kInt + 2, 2, cause::kRxDmaComplete);
  b.run_us(20);
  EXPECT_EQ(b.read(kInt + 2, 2) & cause::kRxDmaComplete, 0U) << "the fourth waits";
  b.run_us(64);
  EXPECT_NE(b.read(kInt + 2, 2) & cause::kRxDmaComplete, 0U);
}

TEST(Tc9021, ReadingHalfADwordClearsTheCounterInThatHalf) {
  Fixture b;
  b.open();
  b.give(8, 2048);
  ByteVector everybody = Fixture::packet(60);
  std::fill_n(everybody.begin(), 6, std::uint8_t{0xff});
  b.receive(everybody);
  b.receive(everybody);
  b.run_us(50);
  EXPECT_EQ(b.read(0xbc, 2), 0U) << "RxJumboFrames";
  EXPECT_EQ(b.read(0xbe, 2), 2U) << "BcstFramesRcvdOk";
  EXPECT_EQ(b.read(0xbe, 2), 0U);
  EXPECT_EQ(b.read(0xb4, 4), 2U) << "FramesRcvdOk";
  EXPECT_EQ(b.read(0xb0, 4), 120U) << "BcstOctetRcvdOk";
}

TEST(Tc9021, IntStatusAckClearsCausesAndMask) {
  Fixture b;
  b.open();
  b.write(kAsicCtrl + 2, 2, asic_ctrl::kInterruptRequest >> 16);
  b.run_us(1);
  EXPECT_TRUE(b.host.inta.read());
  EXPECT_EQ(b.read(kIntStatusAck + 2, 2), cause::kIntRequested | cause::kInterruptStatus);
  b.run_us(1);
  EXPECT_FALSE(b.host.inta.read());
  EXPECT_EQ(b.read(kInt, 4), 0U);
}

TEST(Tc9021, CountdownEndsAsAnInterrupt) {
  Fixture b;
  b.open();
  b.write(kCountdown, 4, 100);  // 32 us
  b.run_us(16);
  EXPECT_EQ(b.read(kCountdown, 4), 50U);
  EXPECT_EQ(b.read(kInt + 2, 2) & cause::kIntRequested, 0U);
  b.run_us(17);
  EXPECT_NE(b.read(kInt + 2, 2) & cause::kIntRequested, 0U);
}

TEST(Tc9021, AnAbortOnTheBusIsAHostError) {
  Fixture b;
  b.open();
  b.bus.hole_begin = Fixture::kTxList;
  b.write(kTfdListPtr0, 4, Fixture::kTxList);
  b.run_us(50);
  EXPECT_NE(b.read(kInt + 2, 2) & cause::kHostError, 0U);
  EXPECT_NE(b.read(kDmaCtrl, 4) & (dma_ctrl::kMasterAbort | dma_ctrl::kTargetAbort), 0U);
  b.write(kAsicCtrl + 2, 2, asic_ctrl::kGlobalReset >> 16);
  EXPECT_NE(b.read(kAsicCtrl, 4) & asic_ctrl::kResetBusy, 0U);
  b.run_us(20);
  EXPECT_EQ(b.read(kAsicCtrl, 4) & asic_ctrl::kResetBusy, 0U);
  EXPECT_EQ(b.read(kDmaCtrl, 4) & (dma_ctrl::kMasterAbort | dma_ctrl::kTargetAbort), 0U);
}

TEST(Tc9021, AnAbortInAFragmentLosesThePacketAndGivesItsRoomBack) {
  Fixture b;
  b.open();
  b.bus.hole_begin = 0x80000;
  b.describe(Fixture::kTxList, 0, 2U << tfc::kFragCountShift);
  b.fragment(Fixture::kTxList, 0, Fixture::kTxData, 100);
  b.fragment(Fixture::kTxList, 1, 0x80000 - 512, 1024);  // its second half is in the hole
  b.write(kTfdListPtr0, 4, Fixture::kTxList);
  b.run_us(50);
  EXPECT_TRUE(b.wire.sent.empty());
  EXPECT_EQ(b.nic.tx().discarded.value(), 1U);
  EXPECT_EQ(b.nic.tx().fifo_fill.value(), 0U);
  EXPECT_EQ(b.nic.dma().failures.value(), 1U);
  EXPECT_FALSE(b.nic.tx().in_progress());
}

TEST(Tc9021, AnAbortInAReceiveBufferLosesTheFrameAndGivesItsRoomBack) {
  Fixture b;
  b.open();
  b.bus.hole_begin = Fixture::kRxData;
  b.give(2, 2048);
  b.receive(Fixture::packet(600));
  b.run_us(50);
  EXPECT_NE(b.read(kInt + 2, 2) & cause::kHostError, 0U);
  EXPECT_EQ(b.nic.rx().discarded.value(), 1U);
  EXPECT_EQ(b.nic.rx().fifo_fill.value(), 0U);
}

TEST(Tc9021, AListPointerThatIsWrittenWhileADescriptorIsInHandIsKept) {
  Fixture b;
  b.open();
  constexpr std::uint32_t kOther = Fixture::kTxList + 0x1000;
  b.describe(Fixture::kTxList, Fixture::kTxList + Fixture::kStep, 1U << tfc::kFragCountShift);
  b.fragment(Fixture::kTxList, 0, Fixture::kTxData, 60);
  b.describe(Fixture::kTxList + Fixture::kStep, 0, tfc::kDone);
  b.describe(kOther, 0, 1U << tfc::kFragCountShift);
  b.fragment(kOther, 0, Fixture::kTxData, 61);
  b.write(kTfdListPtr0, 4, Fixture::kTxList);
  b.write(kTfdListPtr0, 4, kOther);
  b.run_us(50);
  EXPECT_EQ(b.wire.sent.size(), 2U);
  EXPECT_NE(b.word(Fixture::kTxList + 8) & tfc::kDone, 0U);
  EXPECT_NE(b.word(kOther + 8) & tfc::kDone, 0U);
}

TEST(Tc9021, TheLargestFrameComesBackWithItsFcs) {
  Fixture b;
  b.open();
  b.write(kMaxFrameSize + 2, 2, 0xffff);
  b.write(kMacCtrl, 2, mac_ctrl::kRcvFcs);
  b.give(8, 4096);
  b.receive(Fixture::packet(Frame::kMaxBytes - 4));
  b.run_us(100);
  EXPECT_EQ(b.rx_status(3) & 0xffff, Frame::kMaxBytes);
  b.receive(Fixture::packet(Frame::kMaxBytes));
  b.run_us(100);
  EXPECT_EQ(b.nic.rx().refused.value(), 1U);
}

TEST(Tc9021, AnEmptyListEndsAndSaysSo) {
  Fixture b;
  b.open();
  b.receive(Fixture::packet(60));
  b.run_us(10);
  EXPECT_NE(b.read(kInt + 2, 2) & cause::kRfdListEnd, 0U);
  b.give(1, 2048);
  b.run_us(10);
  EXPECT_EQ(b.nic.rx().frames.value(), 1U);
}

TEST(Tc9021, AFullFifoLosesAFrameAndCountsIt) {
  Fixture b;
  b.open();
  for (int i = 0; i < 23; ++i)
    b.receive(Fixture::packet(1500));  // of 1504 octets: 21 fit in 32 KiB
  b.run_us(50);
  EXPECT_EQ(b.nic.rx().missed.value(), 2U);
  EXPECT_EQ(b.read(0xce, 2), 2U) << "FramesLostRxErrors";
}

TEST(Tc9021, ThePhyTellsOfALossOfTheLinkUntilThatIsRead) {
  Fixture b;
  b.open();
  const auto bit = [&b](bool from_mac, bool data) {
    const std::uint32_t lines = (from_mac ? 4U : 0U) | (data ? 2U : 0U);
    b.write(kPhyCtrl + 2, 1, lines);
    b.write(kPhyCtrl + 2, 1, lines | 1U);
    return (b.read(kPhyCtrl + 2, 1) >> 1 & 1U) != 0;
  };
  const auto status = [&bit](std::uint32_t address) {
    for (int i = 0; i < 32; ++i) bit(true, true);
    const std::uint32_t command = 0x6U << 10 | address << 5 | 1U;
    for (int i = 13; i >= 0; --i) bit(true, (command >> i & 1U) != 0);
    std::uint32_t found = bit(false, false) ? 1U : 0U;  // the turnaround's zero: somebody is there
    for (int i = 0; i < 16; ++i) found = found << 1 | (bit(false, false) ? 1U : 0U);
    bit(false, false);
    return found;
  };
  status(MiiPhy::kAddress);
  EXPECT_EQ(status(MiiPhy::kAddress), 0x012dU) << "link, negotiated";
  EXPECT_EQ(status(MiiPhy::kAddress + 1), 0x1'ffffU) << "nobody is there";
  b.wire.has_carrier = false;
  b.nic.port().eth_rx->carrier_changed(false);
  b.wire.has_carrier = true;
  b.nic.port().eth_rx->carrier_changed(true);
  b.run_us(31'000);
  EXPECT_NE(b.read(kInt + 2, 2) & cause::kLinkEvent, 0U);
  EXPECT_EQ(status(MiiPhy::kAddress), 0x0129U) << "it was down";
  EXPECT_EQ(status(MiiPhy::kAddress), 0x012dU);
}

}  // namespace
}  // namespace tc9021
