// SPDX-License-Identifier: Apache-2.0
#include "models/net/link/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/support/ethernet.h"
#include "tests/unit/times.h"

namespace longhaul {
namespace {

using observe::FrameFate;
using test::make_frame;
using test::run_until;
using test::Station;
using test::station;

LinkParams link_of(const char* phy, sc_core::sc_time propagation = sc_core::SC_ZERO_TIME) {
  LinkParams params;
  params.phy.value = phy;
  params.length_m.value = 0;
  params.propagation.value = propagation;
  return params;
}

/// Two stations on one link.
struct LinkBench {
  explicit LinkBench(LinkParams params = link_of("10gbase-r")) : link("link", std::move(params)) {
    link.connect(a.port(), b.port());
  }
  Station a{"a"};
  Station b{"b"};
  Link link;
  test::At at{"at"};
};

TEST(Link, FrameArrivesWithItsLastBit) {
  LinkBench bench(link_of("10gbase-r", sc_core::sc_time(1, sc_core::SC_US)));
  bench.a.send(make_frame(64, station(2), station(1)));
  run_until(10 * kUs);
  ASSERT_EQ(bench.b.arrivals.size(), 1U);
  EXPECT_EQ(bench.b.arrivals[0].at_ps, 1 * kUs + (8 + 64) * 800);
}

TEST(Link, SmallestFramesOn10GbaseRStartEvery67200Picoseconds) {
  LinkBench bench;
  for (int i = 0; i < 1000; ++i) bench.a.send(make_frame(64, station(2), station(1)));
  run_until(kMs);
  ASSERT_EQ(bench.a.starts.size(), 1000U);
  for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(bench.a.starts[i], i * (8 + 64 + 12) * 800);
  EXPECT_EQ(bench.b.arrivals[999].at_ps, 999U * 67200 + 72 * 800);
}

TEST(Link, GigabitFrameTakesTwelveMicroseconds) {
  // GNET-1 paper: a 1526 B frame (1518 and preamble) takes 12 us.
  LinkBench bench(link_of("1000base-x"));
  bench.a.send(make_frame(1518, station(2), station(1)));
  run_until(kMs);
  EXPECT_EQ(bench.b.arrivals.at(0).at_ps, 1526U * 8 * kNs);
}

TEST(Link, LengthGivesThePropagationDelay) {
  LinkParams params;
  params.length_m.value = 2000;
  LinkBench bench(params);
  EXPECT_EQ(to_ps(bench.link.propagation()), 10 * kUs);
  bench.a.send(make_frame(64, station(2), station(1)));
  run_until(20 * kUs);
  EXPECT_EQ(bench.b.arrivals.at(0).at_ps, 10 * kUs + 72 * 800);
}

TEST(Link, WanPhySerialisesAtTheSonetPayloadRate) {
  LinkBench bench(link_of("10gbase-w"));
  bench.a.send(make_frame(1518, station(2), station(1)));
  run_until(kMs);
  // 1526 octets of 860.752... ps, rounded up to the picosecond.
  EXPECT_EQ(bench.b.arrivals.at(0).at_ps, 1526ULL * 4'296'875 / 4992 + 1);
}

TEST(Link, WanPhyStretchesGapsByOneOctetIn104Bits) {
  // 64 B: slots of 84 octets = 672 bits; 672 / 104 = 6.46: gaps grow by 6 or 7 octets, 84 octets in
  // 13 frames.
  LinkBench bench(link_of("10gbase-w"));
  for (int i = 0; i < 1301; ++i) bench.a.send(make_frame(64, station(2), station(1)));
  run_until(kMs);
  ASSERT_EQ(bench.a.starts.size(), 1301U);
  EXPECT_EQ(bench.a.starts[1] - bench.a.starts[0], (84 + 6) * 800U);
  EXPECT_EQ(bench.a.starts[2] - bench.a.starts[1], (84 + 6) * 800U);
  EXPECT_EQ(bench.a.starts[3] - bench.a.starts[2], (84 + 7) * 800U);
  EXPECT_EQ(bench.a.starts[13], (13 * 84 + 84) * 800U);
  EXPECT_EQ(bench.a.starts[1300], 1300U / 13 * (13 * 84 + 84) * 800U);
}

TEST(Link, WanPhyNeverRunsAheadOfItsLine) {
  LinkBench bench(link_of("10gbase-w"));
  bench.b.keep_frames = false;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bench.b.on_receive = [&](const FrameRef&) {
    if (first == 0) first = now_ps();
    last = now_ps();
  };
  bench.a.generate([] { return make_frame(1518, station(2), station(1)); });
  run_until(10 * kMs);
  const double octets = static_cast<double>(bench.b.received - 1) * (1518 + 20);
  const double rate = octets * 8 / (static_cast<double>(last - first) * 1e-12);
  EXPECT_LT(rate, 9'584'640'000.0 * 64 / 66);
  EXPECT_NEAR(rate, 10e9 * 13 / 14,
              10e9 * 1e-6);  // the stretch ratio: 104 bits and 8 bits of stretch
}

TEST(Link, NoRateDriftsOverAMillionFrames) {
  // At 3/7 of an octet time per picosecond grid the fraction never vanishes; a million frames end
  // on the exact instant.
  OctetClock clock(OctetTime{4'296'875, 4992});
  for (int i = 0; i < 1'000'000; ++i) {
    clock.begin(clock.ceil_ps());  // as a MAC does: it starts at the rounded time
    clock.advance(1538);
  }
  const unsigned __int128 exact = static_cast<unsigned __int128>(1'538'000'000ULL) * 4'296'875;
  EXPECT_EQ(clock.ceil_ps(), static_cast<std::uint64_t>((exact + 4991) / 4992));
}

TEST(Link, CountsFramesBytesAndWireBytes) {
  LinkBench bench;
  bench.a.send(make_frame(64, station(2), station(1)));
  bench.a.send(make_frame(1518, station(2), station(1)));
  bench.b.send(make_frame(9216, station(1), station(2)));
  run_until(kMs);
  EXPECT_EQ(bench.link.a_to_b.frames.value(), 2U);
  EXPECT_EQ(bench.link.a_to_b.bytes.value(), 64U + 1518);
  EXPECT_EQ(bench.link.a_to_b.wire_bytes.value(), 64U + 1518 + 2 * 20);
  EXPECT_EQ(bench.link.b_to_a.frames.value(), 1U);
  EXPECT_EQ(bench.link.b_to_a.wire_bytes.value(), 9236U);
  EXPECT_EQ(bench.link.a_to_b.lost.value(), 0U);
}

TEST(Link, TapGivesTheFirstBitAfterThePreamble) {
  LinkBench bench;
  test::TapRecord record;
  bench.link.a_to_b.tap.listen(&record);
  bench.a.send(make_frame(64, station(2), station(1), 1), 500 * kNs);
  bench.a.send(make_frame(64, station(2), station(1), 2), 500 * kNs);
  run_until(kMs);
  ASSERT_EQ(record.entries.size(), 2U);
  EXPECT_EQ(record.entries[0].at_ps, 500 * kNs + 8 * 800);
  EXPECT_EQ(record.entries[1].at_ps, 500 * kNs + 84 * 800 + 8 * 800);
  EXPECT_EQ(record.entries[1].fate, FrameFate::kSent);
}

TEST(Link, ManyFramesAreOnALongFibreInOrder) {
  LinkBench bench(link_of("10gbase-r", sc_core::sc_time(1, sc_core::SC_MS)));
  for (std::uint32_t i = 0; i < 5000; ++i) bench.a.send(make_frame(64, station(2), station(1), i));
  run_until(kMs - 1);
  EXPECT_EQ(bench.link.a_to_b.in_flight(), 5000U);
  EXPECT_EQ(bench.b.received, 0U);
  run_until(2 * kMs);
  ASSERT_EQ(bench.b.arrivals.size(), 5000U);
  for (std::uint32_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(test::number_of(*bench.b.arrivals[i].frame), i);
    ASSERT_EQ(bench.b.arrivals[i].at_ps, kMs + i * 67200ULL + 72 * 800);
  }
}

TEST(Link, BothDirectionsRunAtFullRateAtOnce) {
  LinkBench bench;
  for (auto* s : {&bench.a, &bench.b}) {
    s->keep_frames = false;
    s->generate([] { return make_frame(1518, station(2), station(1)); });
  }
  run_until(1538 * 800 * 1000ULL);
  EXPECT_EQ(bench.a.received, 1000U);
  EXPECT_EQ(bench.b.received, 1000U);
}

TEST(Link, CarrierIsUpFromTheStart) {
  LinkBench bench;
  run_until(kUs);
  EXPECT_TRUE(bench.a.mac.carrier());
  EXPECT_TRUE(bench.b.mac.carrier());
  EXPECT_TRUE(bench.a.carrier_changes.empty());
}

TEST(Link, LaserOffTakesTheFarCarrierAfterOneDelayAndTheNearAfterTwo) {
  LinkBench bench(link_of("10gbase-r", sc_core::sc_time(5, sc_core::SC_US)));
  bench.at(100 * kUs, [&] { bench.a.mac.enable_laser(false); });
  bench.at(200 * kUs, [&] { bench.a.mac.enable_laser(true); });
  run_until(kMs);
  using Changes = std::vector<std::pair<std::uint64_t, bool>>;
  EXPECT_EQ(bench.b.carrier_changes, (Changes{{105 * kUs, false}, {205 * kUs, true}}));
  EXPECT_EQ(bench.a.carrier_changes, (Changes{{110 * kUs, false}, {210 * kUs, true}}));
}

TEST(Link, LaserOffBeforeTheStartMeansNoCarrierAtAll) {
  LinkBench bench;
  bench.a.mac.enable_laser(false);
  bool at_start = true;
  bench.at(0, [&] { at_start = bench.b.mac.carrier(); });
  bench.at(50 * kUs, [&] { bench.a.mac.enable_laser(true); });
  run_until(60 * kUs);
  EXPECT_FALSE(at_start);
  EXPECT_TRUE(bench.a.mac.carrier());
  EXPECT_TRUE(bench.b.mac.carrier());
}

TEST(Link, FrameCutOffByTheLaserIsLostAndReported) {
  LinkBench bench(link_of("10gbase-r", sc_core::sc_time(5, sc_core::SC_US)));
  test::TapRecord record;
  bench.link.a_to_b.tap.listen(&record);
  bench.a.send(make_frame(1518, station(2), station(1), 1));           // 1220.8 ns long
  bench.a.send(make_frame(1518, station(2), station(1), 2), 2 * kUs);  // cut in its middle
  bench.at(2500 * kNs, [&] { bench.a.mac.enable_laser(false); });
  run_until(kMs);
  ASSERT_EQ(bench.b.arrivals.size(), 1U);
  EXPECT_EQ(test::number_of(*bench.b.arrivals[0].frame), 1U);
  EXPECT_EQ(bench.link.a_to_b.lost.value(), 1U);
  EXPECT_EQ(record.entries.back().number, 2U);
  EXPECT_EQ(record.entries.back().why, "laser off");
  EXPECT_EQ(record.entries.back().at_ps, 2500 * kNs);
}

TEST(Link, CutLosesWhatIsOnTheFibreAndMendingTakesTwoDelays) {
  LinkBench bench(link_of("10gbase-r", sc_core::sc_time(5, sc_core::SC_US)));
  test::TapRecord record;
  bench.link.a_to_b.tap.listen(&record);
  bench.a.send(make_frame(64, station(2), station(1), 1));
  bench.at(3 * kUs, [&] { bench.link.set_up(false); });
  bench.at(4 * kUs,
           [&] { bench.a.send(make_frame(64, station(2), station(1), 2)); });  // waits for carrier
  bench.at(50 * kUs, [&] { bench.link.set_up(true); });
  run_until(kMs);
  using Changes = std::vector<std::pair<std::uint64_t, bool>>;
  EXPECT_EQ(bench.a.carrier_changes, (Changes{{3 * kUs, false}, {60 * kUs, true}}));
  EXPECT_EQ(bench.b.carrier_changes, (Changes{{3 * kUs, false}, {60 * kUs, true}}));
  ASSERT_EQ(bench.b.arrivals.size(), 1U);
  EXPECT_EQ(test::number_of(*bench.b.arrivals[0].frame), 2U);
  EXPECT_EQ(bench.b.arrivals[0].at_ps, 60 * kUs + 72 * 800 + 5 * kUs);
  EXPECT_EQ(record.count(FrameFate::kDropped, "fibre cut"), 1U);
}

TEST(Link, FramesSentIntoTheDarkAreLostAtTheWiresPace) {
  EthMacParams params;
  params.hold_without_carrier.value = false;
  Station a("a", params);
  Station b("b");
  Link link("link", link_of("10gbase-r"));
  link.connect(a.port(), b.port());
  b.mac.enable_laser(false);
  for (int i = 0; i < 10; ++i) a.send(make_frame(64, station(2), station(1)));
  run_until(kMs);
  EXPECT_EQ(b.received, 0U);
  EXPECT_EQ(link.a_to_b.lost.value(), 10U);
  EXPECT_EQ(link.a_to_b.frames.value(), 0U);
  EXPECT_EQ(a.starts.back(), 9U * 67200);
}

TEST(Link, AClockThatIsOffPacesItsOwnDirectionOnly) {
  LinkParams params = link_of("1000base-x");
  params.a_ppm.value = 100;
  LinkBench bench(params);
  // 10001 frames of 84 octets at 8 ns / 1.0001 take what 10000 take at 8 ns.
  for (int i = 0; i < 10'002; ++i) bench.a.send(make_frame(64, station(2), station(1)));
  for (int i = 0; i < 3; ++i) bench.b.send(make_frame(64, station(1), station(2)));
  run_until(8 * kMs);
  ASSERT_EQ(bench.a.starts.size(), 10'002U);
  EXPECT_EQ(bench.a.starts[10'001], 10'000ULL * 84 * 8 * kNs);
  EXPECT_EQ(bench.b.starts.back(), 2U * 84 * 8 * kNs);
}

TEST(Link, TheWanPhysMacRunsOnTheSameClock) {
  LinkParams params = link_of("10gbase-w");
  params.a_ppm.value = -100;
  LinkBench bench(params);
  for (int i = 0; i < 10'000; ++i) bench.a.send(make_frame(64, station(2), station(1)));
  run_until(kMs);
  // Slots of 84 octets and 1 of gap for each 104 bits: 9999 slots at 0.8 ns / 0.9999 take what
  // 10000 take at 0.8 ns.
  ASSERT_EQ(bench.a.starts.size(), 10'000U);
  const std::uint64_t octets = 9'999ULL * 84 + 9'999ULL * 84 * 8 / 104;
  EXPECT_NEAR(static_cast<double>(bench.a.starts[9'999]),
              static_cast<double>(octets) * 800 / 0.9999, 10'000);
}

TEST(Link, AnUnknownPhyIsAConfigErrorWithItsPlace) {
  try {
    Link link("wire", link_of("10gbase-l"));
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), ::testing::StartsWith("wire.phy: unknown PHY \"10gbase-l\""));
  }
}

TEST(Link, RefusesAPortThatHasALink) {
  LinkBench bench;
  Station c("c");
  Link second("second", link_of("10gbase-r"));
  EXPECT_THROW(second.connect(bench.a.port(), c.port()), ConfigError);
  EXPECT_THROW(second.connect(c.port(), c.port()), ConfigError);
  EXPECT_THROW(bench.link.connect(c.port(), c.port()), ConfigError);
}

}  // namespace
}  // namespace longhaul
