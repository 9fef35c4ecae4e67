// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "models/net/link/link.h"
#include "models/net/mac/eth_mac.h"
#include "tests/unit/support/ethernet.h"
#include "tests/unit/times.h"

namespace longhaul {
namespace {

using test::make_frame;
using test::run_until;
using test::Station;
using test::station;

constexpr BitRate kGigabit{1'000'000'000};
constexpr std::uint64_t kSlowOctet = 8'000;  // ps at that rate

struct LoopbackFixture {
  LoopbackFixture() : link("link", test::cable_of_no_length()) { link.connect(a.port(), b.port()); }
  FrameRef frame(std::uint32_t number) const {
    return make_frame(64, station(1), station(1), number);
  }

  Station a{"a"};
  Station b{"b"};
  Link link;
  test::At at{"at"};
};

TEST(EthMacLoopback, AFrameComesBackWithItsLastBitAndTheNextOneKeepsTheGap) {
  LoopbackFixture fixture;
  fixture.a.mac.set_loopback(kGigabit);
  fixture.a.send(fixture.frame(1));
  fixture.a.send(fixture.frame(2));
  run_until(2 * kUs);
  ASSERT_EQ(fixture.a.arrivals.size(), 2U);
  EXPECT_EQ(fixture.a.arrivals[0].at_ps, 72 * kSlowOctet);
  EXPECT_EQ(fixture.a.arrivals[1].at_ps, (84 + 72) * kSlowOctet);
  EXPECT_EQ(test::number_of(*fixture.a.arrivals[1].frame), 2U);
  EXPECT_EQ(fixture.a.mac.tx_frames.value(), 2U);
  EXPECT_EQ(fixture.a.mac.rx_frames.value(), 2U);
  EXPECT_EQ(fixture.b.received, 0U);
}

TEST(EthMacLoopback, NeedsNoCarrier) {
  Station lone("lone");
  lone.mac.set_loopback(kGigabit);
  lone.send(make_frame(64, station(1), station(1)));
  run_until(kUs);
  EXPECT_EQ(lone.received, 1U);
  EXPECT_EQ(lone.mac.quanta_ps(1), 64 * kSlowOctet);
}

TEST(EthMacLoopback, WhatComesFromThePortIsCountedAndDropped) {
  LoopbackFixture fixture;
  test::TapRecord record;
  fixture.a.mac.drops.listen(&record);
  fixture.a.mac.set_loopback(kGigabit);
  fixture.b.send(fixture.frame(1));
  run_until(kUs);
  EXPECT_EQ(fixture.a.received, 0U);
  EXPECT_EQ(fixture.a.mac.rx_off.value(), 1U);
  EXPECT_EQ(record.count(observe::FrameFate::kDropped, "loopback"), 1U);
}

TEST(EthMacLoopback, ItsEndLosesTheFrameOnItsWayAndFreesTheOthers) {
  LoopbackFixture fixture;
  test::TapRecord record;
  fixture.a.mac.drops.listen(&record);
  fixture.a.mac.set_loopback(kGigabit);
  fixture.a.send(fixture.frame(1));
  fixture.a.send(fixture.frame(2));
  fixture.at(71 * kSlowOctet, [&] { fixture.a.mac.set_loopback({0}); });
  run_until(2 * kUs);
  EXPECT_EQ(fixture.a.received, 0U);
  EXPECT_EQ(record.count(observe::FrameFate::kDropped, "loopback ended"), 1U);
  ASSERT_EQ(fixture.b.arrivals.size(), 1U);
  EXPECT_EQ(test::number_of(*fixture.b.arrivals[0].frame), 2U);
}

TEST(EthMacLoopback, ItsOwnPauseHoldsIt) {
  LoopbackFixture fixture;
  fixture.a.mac.set_flow_control(true, true);
  fixture.a.mac.set_loopback(kGigabit);
  fixture.a.mac.send_pause(2);
  fixture.at(73 * kSlowOctet, [&] { fixture.a.send(fixture.frame(1)); });
  run_until(3 * kUs);
  EXPECT_EQ(fixture.a.starts, (std::vector<std::uint64_t>{(72 + 2 * 64) * kSlowOctet}));
}

}  // namespace
}  // namespace longhaul
