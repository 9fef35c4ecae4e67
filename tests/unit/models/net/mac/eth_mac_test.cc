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

struct MacFixture {
  explicit MacFixture(EthMacParams params = {}, const char* phy = "10gbase-r")
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
  MacFixture fixture;
  FrameRef frame = make_frame(64, station(2), station(1));
  frame.writable().resize(20);
  fixture.a.send(std::move(frame));
  run_until(kUs);
  ASSERT_EQ(fixture.b.arrivals.size(), 1U);
  const Frame& got = *fixture.b.arrivals[0].frame;
  EXPECT_EQ(got.size(), 60U);
  EXPECT_EQ(got.data()[59], 0);
  EXPECT_EQ(fixture.a.mac.tx_padded.value(), 1U);
  EXPECT_EQ(fixture.a.mac.tx_octets.value(), 64U);
  EXPECT_EQ(fixture.b.mac.rx_octets.value(), 64U);
}

TEST(EthMac, PaddingLeavesAnotherHoldersFrameAlone) {
  MacFixture fixture;
  FrameRef frame = make_frame(64, station(2), station(1));
  frame.writable().resize(20);
  fixture.a.send(frame);
  run_until(kUs);
  EXPECT_EQ(frame->size(), 20U);
  EXPECT_EQ(fixture.b.arrivals.at(0).frame->size(), 60U);
}

TEST(EthMac, PullsEachFrameWhenTheWireIsFree) {
  MacFixture fixture;
  std::vector<std::uint64_t> pulls;
  int left = 3;
  fixture.a.generate([&]() -> FrameRef {
    pulls.push_back(now_ps());
    return left-- > 0 ? make_frame(1518, station(2), station(1)) : FrameRef{};
  });
  run_until(kMs);
  EXPECT_EQ(pulls, (std::vector<std::uint64_t>{0, kSlot1518, 2 * kSlot1518, 3 * kSlot1518}));
}

TEST(EthMac, AFrameQueuedOnAnIdleMacStartsAtOnce) {
  MacFixture fixture;
  fixture.at(777 * kNs, [&] { fixture.a.send(make_frame(64, station(2), station(1))); });
  run_until(kUs);
  EXPECT_EQ(fixture.b.arrivals.at(0).at_ps, 777 * kNs + 72 * 800);
}

TEST(EthMac, AFrameQueuedBehindTheLastOneKeepsTheGap) {
  MacFixture fixture;
  fixture.a.send(make_frame(64, station(2), station(1)));
  fixture.at(60 * kNs, [&] { fixture.a.send(make_frame(64, station(2), station(1))); });
  run_until(kUs);
  EXPECT_EQ(fixture.a.starts, (std::vector<std::uint64_t>{0, kSlot64}));
}

TEST(EthMac, RefusesWhatFailsACheckAndSaysWhy) {
  MacFixture fixture;
  test::TapRecord record;
  fixture.b.mac.drops.listen(&record);
  fixture.b.mac.set_max_frame(1518);
  FrameRef bad = make_frame(500, station(2), station(1), 7);
  bad.writable().flip_bit(1000);
  fixture.a.send(make_frame(1519, station(2), station(1)));
  fixture.a.send(std::move(bad));
  fixture.a.send(make_frame(1518, station(2), station(1)));
  run_until(kMs);
  EXPECT_EQ(fixture.b.received, 1U);
  ASSERT_EQ(fixture.b.refused.size(), 2U);
  EXPECT_EQ(fixture.b.refused[0].second, RxFault::kOversize);
  EXPECT_EQ(fixture.b.refused[1].second, RxFault::kBadFcs);
  EXPECT_EQ(fixture.b.mac.rx_oversize.value(), 1U);
  EXPECT_EQ(fixture.b.mac.rx_bad_fcs.value(), 1U);
  EXPECT_EQ(fixture.b.mac.rx_frames.value(), 1U);
  EXPECT_EQ(record.count(observe::FrameFate::kDropped, "oversize"), 1U);
  EXPECT_EQ(record.count(observe::FrameFate::kDropped, "bad FCS"), 1U);
}

TEST(EthMac, RefusesRunts) {
  MacFixture fixture;
  FrameRef runt = make_frame(64, station(2), station(1));
  runt.writable().resize(59);
  // Past the sender's MAC, which would pad it.
  fixture.at(kUs, [&] { fixture.link.a_to_b.transmit(runt); });
  run_until(kMs);
  EXPECT_EQ(fixture.b.received, 0U);
  ASSERT_EQ(fixture.b.refused.size(), 1U);
  EXPECT_EQ(fixture.b.refused[0].second, RxFault::kRunt);
}

TEST(EthMac, ReceiverOffDropsSilently) {
  MacFixture fixture;
  fixture.b.mac.enable_rx(false);
  fixture.a.send(make_frame(64, station(2), station(1)));
  fixture.at(kUs, [&] { fixture.b.mac.enable_rx(true); });
  fixture.a.send(make_frame(64, station(2), station(1)), 2 * kUs);
  run_until(kMs);
  EXPECT_EQ(fixture.b.received, 1U);
  EXPECT_TRUE(fixture.b.refused.empty());
  EXPECT_EQ(fixture.b.mac.rx_off.value(), 1U);
}

TEST(EthMac, TransmitterOffHoldsFrames) {
  MacFixture fixture;
  fixture.a.mac.enable_tx(false);
  fixture.a.send(make_frame(64, station(2), station(1)));
  fixture.at(5 * kUs, [&] { fixture.a.mac.enable_tx(true); });
  run_until(kMs);
  EXPECT_EQ(fixture.a.starts, (std::vector<std::uint64_t>{5 * kUs}));
}

TEST(EthMac, PauseFrameIsAsAnnex31BSays) {
  MacFixture fixture;
  fixture.b.mac.set_pass_control(true, false);
  fixture.at(kUs, [&] { EXPECT_TRUE(fixture.a.mac.send_pause(0x1234)); });
  run_until(kMs);
  ASSERT_EQ(fixture.b.arrivals.size(), 1U);
  const Frame& frame = *fixture.b.arrivals[0].frame;
  const std::uint8_t expected[18] = {0x01, 0x80, 0xc2, 0,    0,    0x01, 0x02, 0,    0,
                                     0,    0,    1,    0x88, 0x08, 0x00, 0x01, 0x12, 0x34};
  EXPECT_EQ(frame.size(), 60U);
  EXPECT_EQ(std::memcmp(frame.data(), expected, sizeof expected), 0);
  for (std::uint32_t i = 18; i < 60; ++i) EXPECT_EQ(frame.data()[i], 0);
  EXPECT_EQ(fixture.a.mac.tx_xoff.value(), 1U);
  EXPECT_EQ(fixture.b.mac.rx_xoff.value(), 1U);
}

TEST(EthMac, PauseHoldsForQuantaOf512BitTimesFromItsLastBit) {
  MacFixture fixture;
  fixture.b.generate([] { return make_frame(1518, station(1), station(2)); });
  fixture.at(500 * kNs, [&] { fixture.a.mac.send_pause(1000); });
  run_until(100 * kUs);
  // The PAUSE frame is there at 557.6 ns, in the middle of b's first frame, which ends; then
  // nothing for 1000 x 51.2 ns.
  const std::uint64_t resume = 500 * kNs + 72 * 800 + 1000 * 51'200;
  ASSERT_GE(fixture.b.starts.size(), 3U);
  EXPECT_EQ(fixture.b.starts[0], 0U);
  EXPECT_EQ(fixture.b.starts[1], resume);
  EXPECT_EQ(fixture.b.starts[2], resume + kSlot1518);
  EXPECT_EQ(fixture.b.mac.tx_paused_ps.value(), resume - kSlot1518);
  EXPECT_TRUE(fixture.b.received == 0U) << "PAUSE frames go no further than the MAC";
}

TEST(EthMac, QuantaAreLongerOnGigabit) {
  MacFixture fixture({}, "1000base-x");
  run_until(kUs);
  EXPECT_EQ(fixture.a.mac.quanta_ps(1), 512U * kNs);
}

TEST(EthMac, QuantaOnTheWanPhyAreOfTheMacsTenGigabits) {
  MacFixture fixture({}, "10gbase-w");
  run_until(kUs);
  EXPECT_EQ(fixture.a.mac.quanta_ps(65535), 65535U * 51'200U);
}

TEST(EthMac, XonResumesAtOnce) {
  MacFixture fixture;
  fixture.at(0, [&] { fixture.a.mac.send_pause(0xffff); });
  fixture.b.send(make_frame(64, station(1), station(2)), kUs);
  fixture.at(10 * kUs, [&] { fixture.a.mac.send_pause(0); });
  run_until(kMs);
  EXPECT_EQ(fixture.b.starts, (std::vector<std::uint64_t>{10 * kUs + 72 * 800}));
  EXPECT_EQ(fixture.b.mac.tx_paused_ps.value(), 9 * kUs + 72 * 800);
  EXPECT_EQ(fixture.b.mac.rx_xon.value(), 1U);
}

TEST(EthMac, ALaterXoffReplacesTheTimeOfTheFormer) {
  MacFixture fixture;
  fixture.at(0, [&] { fixture.a.mac.send_pause(0xffff); });
  fixture.b.send(make_frame(64, station(1), station(2)), kUs);
  fixture.at(10 * kUs, [&] { fixture.a.mac.send_pause(10); });
  run_until(kMs);
  EXPECT_EQ(fixture.b.starts, (std::vector<std::uint64_t>{10 * kUs + 72 * 800 + 10 * 51'200}));
}

TEST(EthMac, ResponseTimeLetsFramesStartUntilItIsOver) {
  EthMacParams params;
  params.pause_response.value = sc_core::sc_time(1, sc_core::SC_US);
  MacFixture fixture(params);
  fixture.at(0, [&] { fixture.a.mac.send_pause(100); });
  fixture.b.generate([] { return make_frame(64, station(1), station(2)); });
  run_until(8 * kUs);
  const std::uint64_t from = 72 * 800 + kUs;
  std::size_t before = 0;
  while (fixture.b.starts[before] < from) ++before;
  EXPECT_EQ(before, (from + kSlot64 - 1) / kSlot64);
  EXPECT_EQ(fixture.b.starts[before], from + 100 * 51'200);
}

TEST(EthMac, ARepeatedXoffOpensNoGapInThePause) {
  EthMacParams params;
  params.pause_response.value = sc_core::sc_time(1, sc_core::SC_US);
  MacFixture fixture(params);
  fixture.at(0, [&] { fixture.a.mac.send_pause(1000); });
  fixture.at(20 * kUs, [&] { fixture.a.mac.send_pause(1000); });
  fixture.b.send(make_frame(64, station(1), station(2)), 10 * kUs);
  run_until(kMs);
  EXPECT_EQ(fixture.b.starts,
            (std::vector<std::uint64_t>{20 * kUs + 72 * 800 + kUs + 1000 * 51'200}));
}

TEST(EthMac, OwnPauseFramesGoWhilePaused) {
  MacFixture fixture;
  fixture.at(0, [&] { fixture.a.mac.send_pause(0xffff); });
  fixture.at(kUs, [&] { fixture.b.mac.send_pause(7); });
  run_until(2 * kUs);
  EXPECT_EQ(fixture.a.mac.rx_xoff.value(), 1U);
}

TEST(EthMac, OwnPauseFramesGoBeforeQueuedData) {
  MacFixture fixture;
  test::TapRecord record;
  fixture.link.a_to_b.tap.listen(&record);
  for (std::uint32_t i = 0; i < 3; ++i) fixture.a.send(make_frame(1518, station(2), station(1), i));
  fixture.at(100 * kNs, [&] { fixture.a.mac.send_pause(0); });
  run_until(kMs);
  ASSERT_EQ(record.entries.size(), 4U);
  EXPECT_EQ(record.entries[1].at_ps, kSlot1518 + 8 * 800);
  EXPECT_EQ(record.entries[2].at_ps, kSlot1518 + kSlot64 + 8 * 800);
}

TEST(EthMac, APauseFrameThatStillWaitsIsReplaced) {
  MacFixture fixture;
  fixture.a.send(make_frame(1518, station(2), station(1)));
  fixture.at(100 * kNs, [&] { fixture.a.mac.send_pause(0xffff); });
  fixture.at(200 * kNs, [&] { fixture.a.mac.send_pause(0); });
  run_until(kMs);
  EXPECT_EQ(fixture.b.mac.rx_xoff.value(), 0U);
  EXPECT_EQ(fixture.b.mac.rx_xon.value(), 1U);
}

TEST(EthMac, FlowControlOffNeitherSendsNorObeys) {
  MacFixture fixture;
  fixture.b.mac.set_flow_control(false, false);
  fixture.at(0, [&] { fixture.a.mac.send_pause(0xffff); });
  fixture.at(kUs, [&] { EXPECT_FALSE(fixture.b.mac.send_pause(1)); });
  fixture.b.send(make_frame(64, station(1), station(2)), kUs);
  run_until(kMs);
  EXPECT_EQ(fixture.b.starts, (std::vector<std::uint64_t>{kUs}));
  EXPECT_EQ(fixture.b.mac.rx_xoff.value(), 1U);
  EXPECT_EQ(fixture.a.mac.rx_xoff.value(), 0U);
}

TEST(EthMac, TurningFlowControlOffEndsAPause) {
  MacFixture fixture;
  fixture.at(0, [&] { fixture.a.mac.send_pause(0xffff); });
  fixture.b.send(make_frame(64, station(1), station(2)), kUs);
  fixture.at(5 * kUs, [&] { fixture.b.mac.set_flow_control(true, false); });
  run_until(kMs);
  EXPECT_EQ(fixture.b.starts, (std::vector<std::uint64_t>{5 * kUs}));
}

TEST(EthMac, PauseToAnotherAddressIsNotObeyed) {
  MacFixture fixture;
  auto pause_to = [](const MacAddress& to, std::uint16_t opcode) {
    FrameRef frame = make_frame(64, to, station(1));
    write_be16(frame.writable().data() + 12, ethernet::kTypeMacControl);
    write_be16(frame.writable().data() + 14, opcode);
    write_be16(frame.writable().data() + 16, 100);
    return frame;
  };
  fixture.a.send(pause_to(station(9), 1));
  fixture.a.send(pause_to(ethernet::kPauseAddress, 2));
  run_until(kUs);
  EXPECT_FALSE(fixture.b.mac.paused());
  EXPECT_EQ(fixture.b.mac.rx_control.value(), 2U);
  EXPECT_EQ(fixture.b.received, 0U);
  fixture.b.mac.set_pass_control(false, true);
  fixture.a.send(pause_to(station(9), 1));
  fixture.a.send(pause_to(station(2), 1));  // to the station itself: obeyed
  run_until(2 * kUs);
  EXPECT_EQ(fixture.b.received, 1U);
  EXPECT_TRUE(fixture.b.mac.paused());
}

TEST(EthMac, LossOfCarrierEndsAPauseAndHoldsFrames) {
  MacFixture fixture;
  fixture.at(0, [&] { fixture.a.mac.send_pause(0xffff); });
  fixture.b.send(make_frame(64, station(1), station(2)), kUs);
  fixture.at(2 * kUs, [&] { fixture.link.set_up(false); });
  fixture.at(3 * kUs, [&] { fixture.link.set_up(true); });
  run_until(kMs);
  EXPECT_EQ(fixture.b.starts, (std::vector<std::uint64_t>{3 * kUs}));
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
