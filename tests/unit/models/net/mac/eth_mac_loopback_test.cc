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

struct LoopbackBench {
  LoopbackBench() : link("link", test::cable_of_no_length()) { link.connect(a.port(), b.port()); }
  FrameRef frame(std::uint32_t number) const {
    return make_frame(64, station(1), station(1), number);
  }

  Station a{"a"};
  Station b{"b"};
  Link link;
  test::At at{"at"};
};

TEST(EthMacLoopback, AFrameComesBackWithItsLastBitAndTheNextOneKeepsTheGap) {
  LoopbackBench bench;
  bench.a.mac.set_loopback(kGigabit);
  bench.a.send(bench.frame(1));
  bench.a.send(bench.frame(2));
  run_until(2 * kUs);
  ASSERT_EQ(bench.a.arrivals.size(), 2U);
  EXPECT_EQ(bench.a.arrivals[0].at_ps, 72 * kSlowOctet);
  EXPECT_EQ(bench.a.arrivals[1].at_ps, (84 + 72) * kSlowOctet);
  EXPECT_EQ(test::number_of(*bench.a.arrivals[1].frame), 2U);
  EXPECT_EQ(bench.a.mac.tx_frames.value(), 2U);
  EXPECT_EQ(bench.a.mac.rx_frames.value(), 2U);
  EXPECT_EQ(bench.b.received, 0U);
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
  LoopbackBench bench;
  test::TapRecord record;
  bench.a.mac.drops.listen(&record);
  bench.a.mac.set_loopback(kGigabit);
  bench.b.send(bench.frame(1));
  run_until(kUs);
  EXPECT_EQ(bench.a.received, 0U);
  EXPECT_EQ(bench.a.mac.rx_off.value(), 1U);
  EXPECT_EQ(record.count(observe::FrameFate::kDropped, "loopback"), 1U);
}

TEST(EthMacLoopback, ItsEndLosesTheFrameOnItsWayAndFreesTheOthers) {
  LoopbackBench bench;
  test::TapRecord record;
  bench.a.mac.drops.listen(&record);
  bench.a.mac.set_loopback(kGigabit);
  bench.a.send(bench.frame(1));
  bench.a.send(bench.frame(2));
  bench.at(71 * kSlowOctet, [&] { bench.a.mac.set_loopback({0}); });
  run_until(2 * kUs);
  EXPECT_EQ(bench.a.received, 0U);
  EXPECT_EQ(record.count(observe::FrameFate::kDropped, "loopback ended"), 1U);
  ASSERT_EQ(bench.b.arrivals.size(), 1U);
  EXPECT_EQ(test::number_of(*bench.b.arrivals[0].frame), 2U);
}

TEST(EthMacLoopback, ItsOwnPauseHoldsIt) {
  LoopbackBench bench;
  bench.a.mac.set_flow_control(true, true);
  bench.a.mac.set_loopback(kGigabit);
  bench.a.mac.send_pause(2);
  bench.at(73 * kSlowOctet, [&] { bench.a.send(bench.frame(1)); });
  run_until(3 * kUs);
  EXPECT_EQ(bench.a.starts, (std::vector<std::uint64_t>{(72 + 2 * 64) * kSlowOctet}));
}

}  // namespace
}  // namespace longhaul
