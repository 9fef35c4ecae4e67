// SPDX-License-Identifier: Apache-2.0
#include "models/net/mac/eth_mac.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/net/link/link.h"
#include "tests/unit/support/ethernet.h"
#include "tests/unit/times.h"

namespace longhaul {
namespace {

using test::make_frame;
using test::run_until;
using test::Station;
using test::station;

constexpr std::uint64_t kSlot64 = 84 * 800;  // 64 B frame with preamble and gap at 10 Gb/s
constexpr std::uint64_t kSlot1518 = 1538 * 800;

struct MacBench {
  explicit MacBench(EthMacParams params = {}, const char* phy = "10gbase-r")
      : a("a", params), b("b", params), link("link", test::cable_of_no_length(phy)) {
    link.connect(a.port(), b.port());
    a.mac.set_address(station(1));
    b.mac.set_address(station(2));
    a.mac.set_flow_control(true, true);
    b.mac.set_flow_control(true, true);
  }
  Station a;
  Station b;
  Link link;
  test::At at{"at"};
};

TEST(EthMac, PadsShortFramesWithZeros) {
  MacBench bench;
  FrameRef frame = make_frame(64, station(2), station(1));
  frame.writable().resize(20);
  bench.a.send(std::move(frame));
  run_until(kUs);
  ASSERT_EQ(bench.b.arrivals.size(), 1U);
  const Frame& got = *bench.b.arrivals[0].frame;
  EXPECT_EQ(got.size(), 60U);
  EXPECT_EQ(got.data()[59], 0);
  EXPECT_EQ(bench.a.mac.tx_padded.value(), 1U);
  EXPECT_EQ(bench.a.mac.tx_octets.value(), 64U);
  EXPECT_EQ(bench.b.mac.rx_octets.value(), 64U);
}

TEST(EthMac, PaddingLeavesAnotherHoldersFrameAlone) {
  MacBench bench;
  FrameRef frame = make_frame(64, station(2), station(1));
  frame.writable().resize(20);
  bench.a.send(frame);
  run_until(kUs);
  EXPECT_EQ(frame->size(), 20U);
  EXPECT_EQ(bench.b.arrivals.at(0).frame->size(), 60U);
}

TEST(EthMac, PullsEachFrameWhenTheWireIsFree) {
  MacBench bench;
  std::vector<std::uint64_t> pulls;
  int left = 3;
  bench.a.generate([&]() -> FrameRef {
    pulls.push_back(now_ps());
    return left-- > 0 ? make_frame(1518, station(2), station(1)) : FrameRef{};
  });
  run_until(kMs);
  EXPECT_EQ(pulls, (std::vector<std::uint64_t>{0, kSlot1518, 2 * kSlot1518, 3 * kSlot1518}));
}

TEST(EthMac, AFrameQueuedOnAnIdleMacStartsAtOnce) {
  MacBench bench;
  bench.at(777 * kNs, [&] { bench.a.send(make_frame(64, station(2), station(1))); });
  run_until(kUs);
  EXPECT_EQ(bench.b.arrivals.at(0).at_ps, 777 * kNs + 72 * 800);
}

TEST(EthMac, AFrameQueuedBehindTheLastOneKeepsTheGap) {
  MacBench bench;
  bench.a.send(make_frame(64, station(2), station(1)));
  bench.at(60 * kNs, [&] { bench.a.send(make_frame(64, station(2), station(1))); });
  run_until(kUs);
  EXPECT_EQ(bench.a.starts, (std::vector<std::uint64_t>{0, kSlot64}));
}

TEST(EthMac, RefusesWhatFailsACheckAndSaysWhy) {
  MacBench bench;
  test::TapRecord record;
  bench.b.mac.drops.listen(&record);
  bench.b.mac.set_max_frame(1518);
  FrameRef bad = make_frame(500, station(2), station(1), 7);
  bad.writable().flip_bit(1000);
  bench.a.send(make_frame(1519, station(2), station(1)));
  bench.a.send(std::move(bad));
  bench.a.send(make_frame(1518, station(2), station(1)));
  run_until(kMs);
  EXPECT_EQ(bench.b.received, 1U);
  ASSERT_EQ(bench.b.refused.size(), 2U);
  EXPECT_EQ(bench.b.refused[0].second, RxFault::kOversize);
  EXPECT_EQ(bench.b.refused[1].second, RxFault::kBadFcs);
  EXPECT_EQ(bench.b.mac.rx_oversize.value(), 1U);
  EXPECT_EQ(bench.b.mac.rx_bad_fcs.value(), 1U);
  EXPECT_EQ(bench.b.mac.rx_frames.value(), 1U);
  EXPECT_EQ(record.count(observe::FrameFate::kDropped, "oversize"), 1U);
  EXPECT_EQ(record.count(observe::FrameFate::kDropped, "bad FCS"), 1U);
}

TEST(EthMac, RefusesRunts) {
  MacBench bench;
  FrameRef runt = make_frame(64, station(2), station(1));
  runt.writable().resize(59);
  // Past the sender's MAC, which would pad it.
  bench.at(kUs, [&] { bench.link.a_to_b.transmit(runt); });
  run_until(kMs);
  EXPECT_EQ(bench.b.received, 0U);
  ASSERT_EQ(bench.b.refused.size(), 1U);
  EXPECT_EQ(bench.b.refused[0].second, RxFault::kRunt);
}

TEST(EthMac, ReceiverOffDropsSilently) {
  MacBench bench;
  bench.b.mac.enable_rx(false);
  bench.a.send(make_frame(64, station(2), station(1)));
  bench.at(kUs, [&] { bench.b.mac.enable_rx(true); });
  bench.a.send(make_frame(64, station(2), station(1)), 2 * kUs);
  run_until(kMs);
  EXPECT_EQ(bench.b.received, 1U);
  EXPECT_TRUE(bench.b.refused.empty());
  EXPECT_EQ(bench.b.mac.rx_off.value(), 1U);
}

TEST(EthMac, TransmitterOffHoldsFrames) {
  MacBench bench;
  bench.a.mac.enable_tx(false);
  bench.a.send(make_frame(64, station(2), station(1)));
  bench.at(5 * kUs, [&] { bench.a.mac.enable_tx(true); });
  run_until(kMs);
  EXPECT_EQ(bench.a.starts, (std::vector<std::uint64_t>{5 * kUs}));
}

TEST(EthMac, PauseFrameIsAsAnnex31BSays) {
  MacBench bench;
  bench.b.mac.set_pass_control(true, false);
  bench.at(kUs, [&] { EXPECT_TRUE(bench.a.mac.send_pause(0x1234)); });
  run_until(kMs);
  ASSERT_EQ(bench.b.arrivals.size(), 1U);
  const Frame& frame = *bench.b.arrivals[0].frame;
  const std::uint8_t expected[18] = {0x01, 0x80, 0xc2, 0,    0,    0x01, 0x02, 0,    0,
                                     0,    0,    1,    0x88, 0x08, 0x00, 0x01, 0x12, 0x34};
  EXPECT_EQ(frame.size(), 60U);
  EXPECT_EQ(std::memcmp(frame.data(), expected, sizeof expected), 0);
  for (std::uint32_t i = 18; i < 60; ++i) EXPECT_EQ(frame.data()[i], 0);
  EXPECT_EQ(bench.a.mac.tx_xoff.value(), 1U);
  EXPECT_EQ(bench.b.mac.rx_xoff.value(), 1U);
}

TEST(EthMac, PauseHoldsForQuantaOf512BitTimesFromItsLastBit) {
  MacBench bench;
  bench.b.generate([] { return make_frame(1518, station(1), station(2)); });
  bench.at(500 * kNs, [&] { bench.a.mac.send_pause(1000); });
  run_until(100 * kUs);
  // The PAUSE frame is there at 557.6 ns, in the middle of b's first frame, which ends; then
  // nothing for 1000 x 51.2 ns.
  const std::uint64_t resume = 500 * kNs + 72 * 800 + 1000 * 51'200;
  ASSERT_GE(bench.b.starts.size(), 3U);
  EXPECT_EQ(bench.b.starts[0], 0U);
  EXPECT_EQ(bench.b.starts[1], resume);
  EXPECT_EQ(bench.b.starts[2], resume + kSlot1518);
  EXPECT_EQ(bench.b.mac.tx_paused_ps.value(), resume - kSlot1518);
  EXPECT_TRUE(bench.b.received == 0U) << "PAUSE frames go no further than the MAC";
}

TEST(EthMac, QuantaAreLongerOnGigabit) {
  MacBench bench({}, "1000base-x");
  run_until(kUs);
  EXPECT_EQ(bench.a.mac.quanta_ps(1), 512U * kNs);
}

TEST(EthMac, QuantaOnTheWanPhyAreOfTheMacsTenGigabits) {
  MacBench bench({}, "10gbase-w");
  run_until(kUs);
  EXPECT_EQ(bench.a.mac.quanta_ps(65535), 65535U * 51'200U);
}

TEST(EthMac, XonResumesAtOnce) {
  MacBench bench;
  bench.at(0, [&] { bench.a.mac.send_pause(0xffff); });
  bench.b.send(make_frame(64, station(1), station(2)), kUs);
  bench.at(10 * kUs, [&] { bench.a.mac.send_pause(0); });
  run_until(kMs);
  EXPECT_EQ(bench.b.starts, (std::vector<std::uint64_t>{10 * kUs + 72 * 800}));
  EXPECT_EQ(bench.b.mac.tx_paused_ps.value(), 9 * kUs + 72 * 800);
  EXPECT_EQ(bench.b.mac.rx_xon.value(), 1U);
}

TEST(EthMac, ALaterXoffReplacesTheTimeOfTheFormer) {
  MacBench bench;
  bench.at(0, [&] { bench.a.mac.send_pause(0xffff); });
  bench.b.send(make_frame(64, station(1), station(2)), kUs);
  bench.at(10 * kUs, [&] { bench.a.mac.send_pause(10); });
  run_until(kMs);
  EXPECT_EQ(bench.b.starts, (std::vector<std::uint64_t>{10 * kUs + 72 * 800 + 10 * 51'200}));
}

TEST(EthMac, ResponseTimeLetsFramesStartUntilItIsOver) {
  EthMacParams params;
  params.pause_response.value = sc_core::sc_time(1, sc_core::SC_US);
  MacBench bench(params);
  bench.at(0, [&] { bench.a.mac.send_pause(100); });
  bench.b.generate([] { return make_frame(64, station(1), station(2)); });
  run_until(8 * kUs);
  const std::uint64_t from = 72 * 800 + kUs;
  std::size_t before = 0;
  while (bench.b.starts[before] < from) ++before;
  EXPECT_EQ(before, (from + kSlot64 - 1) / kSlot64);
  EXPECT_EQ(bench.b.starts[before], from + 100 * 51'200);
}

TEST(EthMac, ARepeatedXoffOpensNoGapInThePause) {
  EthMacParams params;
  params.pause_response.value = sc_core::sc_time(1, sc_core::SC_US);
  MacBench bench(params);
  bench.at(0, [&] { bench.a.mac.send_pause(1000); });
  bench.at(20 * kUs, [&] { bench.a.mac.send_pause(1000); });
  bench.b.send(make_frame(64, station(1), station(2)), 10 * kUs);
  run_until(kMs);
  EXPECT_EQ(bench.b.starts,
            (std::vector<std::uint64_t>{20 * kUs + 72 * 800 + kUs + 1000 * 51'200}));
}

TEST(EthMac, OwnPauseFramesGoWhilePaused) {
  MacBench bench;
  bench.at(0, [&] { bench.a.mac.send_pause(0xffff); });
  bench.at(kUs, [&] { bench.b.mac.send_pause(7); });
  run_until(2 * kUs);
  EXPECT_EQ(bench.a.mac.rx_xoff.value(), 1U);
}

TEST(EthMac, OwnPauseFramesGoBeforeQueuedData) {
  MacBench bench;
  test::TapRecord record;
  bench.link.a_to_b.tap.listen(&record);
  for (std::uint32_t i = 0; i < 3; ++i) bench.a.send(make_frame(1518, station(2), station(1), i));
  bench.at(100 * kNs, [&] { bench.a.mac.send_pause(0); });
  run_until(kMs);
  ASSERT_EQ(record.entries.size(), 4U);
  EXPECT_EQ(record.entries[1].at_ps, kSlot1518 + 8 * 800);
  EXPECT_EQ(record.entries[2].at_ps, kSlot1518 + kSlot64 + 8 * 800);
}

TEST(EthMac, APauseFrameThatStillWaitsIsReplaced) {
  MacBench bench;
  bench.a.send(make_frame(1518, station(2), station(1)));
  bench.at(100 * kNs, [&] { bench.a.mac.send_pause(0xffff); });
  bench.at(200 * kNs, [&] { bench.a.mac.send_pause(0); });
  run_until(kMs);
  EXPECT_EQ(bench.b.mac.rx_xoff.value(), 0U);
  EXPECT_EQ(bench.b.mac.rx_xon.value(), 1U);
}

TEST(EthMac, FlowControlOffNeitherSendsNorObeys) {
  MacBench bench;
  bench.b.mac.set_flow_control(false, false);
  bench.at(0, [&] { bench.a.mac.send_pause(0xffff); });
  bench.at(kUs, [&] { EXPECT_FALSE(bench.b.mac.send_pause(1)); });
  bench.b.send(make_frame(64, station(1), station(2)), kUs);
  run_until(kMs);
  EXPECT_EQ(bench.b.starts, (std::vector<std::uint64_t>{kUs}));
  EXPECT_EQ(bench.b.mac.rx_xoff.value(), 1U);
  EXPECT_EQ(bench.a.mac.rx_xoff.value(), 0U);
}

TEST(EthMac, TurningFlowControlOffEndsAPause) {
  MacBench bench;
  bench.at(0, [&] { bench.a.mac.send_pause(0xffff); });
  bench.b.send(make_frame(64, station(1), station(2)), kUs);
  bench.at(5 * kUs, [&] { bench.b.mac.set_flow_control(true, false); });
  run_until(kMs);
  EXPECT_EQ(bench.b.starts, (std::vector<std::uint64_t>{5 * kUs}));
}

TEST(EthMac, PauseToAnotherAddressIsNotObeyed) {
  MacBench bench;
  auto pause_to = [](const MacAddress& to, std::uint16_t opcode) {
    FrameRef frame = make_frame(64, to, station(1));
    write_be16(frame.writable().data() + 12, ethernet::kTypeMacControl);
    write_be16(frame.writable().data() + 14, opcode);
    write_be16(frame.writable().data() + 16, 100);
    return frame;
  };
  bench.a.send(pause_to(station(9), 1));
  bench.a.send(pause_to(ethernet::kPauseAddress, 2));
  run_until(kUs);
  EXPECT_FALSE(bench.b.mac.paused());
  EXPECT_EQ(bench.b.mac.rx_control.value(), 2U);
  EXPECT_EQ(bench.b.received, 0U);
  bench.b.mac.set_pass_control(false, true);
  bench.a.send(pause_to(station(9), 1));
  bench.a.send(pause_to(station(2), 1));  // to the station itself: obeyed
  run_until(2 * kUs);
  EXPECT_EQ(bench.b.received, 1U);
  EXPECT_TRUE(bench.b.mac.paused());
}

TEST(EthMac, LossOfCarrierEndsAPauseAndHoldsFrames) {
  MacBench bench;
  bench.at(0, [&] { bench.a.mac.send_pause(0xffff); });
  bench.b.send(make_frame(64, station(1), station(2)), kUs);
  bench.at(2 * kUs, [&] { bench.link.set_up(false); });
  bench.at(3 * kUs, [&] { bench.link.set_up(true); });
  run_until(kMs);
  EXPECT_EQ(bench.b.starts, (std::vector<std::uint64_t>{3 * kUs}));
}

TEST(EthMac, UnboundPortHasNoCarrierAndSendsNothing) {
  Station alone("alone");
  alone.send(make_frame(64, station(2), station(1)));
  run_until(kUs);
  EXPECT_FALSE(alone.mac.carrier());
  EXPECT_EQ(alone.queued(), 1U);
}

}  // namespace
}  // namespace longhaul
