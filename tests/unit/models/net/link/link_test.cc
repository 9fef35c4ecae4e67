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
struct LinkFixture {
  explicit LinkFixture(LinkParams params = link_of("10gbase-r")) : link("link", std::move(params)) {
    link.connect(a.port(), b.port());
  }
  Station a{"a"};
  Station b{"b"};
  Link link;
  test::At at{"at"};
};

TEST(Link, FrameArrivesWithItsLastBit) {
  LinkFixture fixture(link_of("10gbase-r", sc_core::sc_time(1, sc_core::SC_US)));
  fixture.a.send(make_frame(64, station(2), station(1)));
  run_until(10 * kUs);
  ASSERT_EQ(fixture.b.arrivals.size(), 1U);
  EXPECT_EQ(fixture.b.arrivals[0].at_ps, 1 * kUs + (8 + 64) * 800);
}

TEST(Link, SmallestFramesOn10GbaseRStartEvery67200Picoseconds) {
  LinkFixture fixture;
  for (int i = 0; i < 1000; ++i) fixture.a.send(make_frame(64, station(2), station(1)));
  run_until(kMs);
  ASSERT_EQ(fixture.a.starts.size(), 1000U);
  for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(fixture.a.starts[i], i * (8 + 64 + 12) * 800);
  EXPECT_EQ(fixture.b.arrivals[999].at_ps, 999U * 67200 + 72 * 800);
}

TEST(Link, GigabitFrameTakesTwelveMicroseconds) {
  // GNET-1 paper: a 1526 B frame (1518 and preamble) takes 12 us.
  LinkFixture fixture(link_of("1000base-x"));
  fixture.a.send(make_frame(1518, station(2), station(1)));
  run_until(kMs);
  EXPECT_EQ(fixture.b.arrivals.at(0).at_ps, 1526U * 8 * kNs);
}

TEST(Link, LengthGivesThePropagationDelay) {
  LinkParams params;
  params.length_m.value = 2000;
  LinkFixture fixture(params);
  EXPECT_EQ(to_ps(fixture.link.propagation()), 10 * kUs);
  fixture.a.send(make_frame(64, station(2), station(1)));
  run_until(20 * kUs);
  EXPECT_EQ(fixture.b.arrivals.at(0).at_ps, 10 * kUs + 72 * 800);
}

TEST(Link, WanPhySerialisesAtTheSonetPayloadRate) {
  LinkFixture fixture(link_of("10gbase-w"));
  fixture.a.send(make_frame(1518, station(2), station(1)));
  run_until(kMs);
  // 1526 octets of 860.752... ps, rounded up to the picosecond.
  EXPECT_EQ(fixture.b.arrivals.at(0).at_ps, 1526ULL * 4'296'875 / 4992 + 1);
}

TEST(Link, WanPhyStretchesGapsByOneOctetIn104Bits) {
  // 64 B: slots of 84 octets = 672 bits; 672 / 104 = 6.46: gaps grow by 6 or 7 octets, 84 octets in
  // 13 frames.
  LinkFixture fixture(link_of("10gbase-w"));
  for (int i = 0; i < 1301; ++i) fixture.a.send(make_frame(64, station(2), station(1)));
  run_until(kMs);
  ASSERT_EQ(fixture.a.starts.size(), 1301U);
  EXPECT_EQ(fixture.a.starts[1] - fixture.a.starts[0], (84 + 6) * 800U);
  EXPECT_EQ(fixture.a.starts[2] - fixture.a.starts[1], (84 + 6) * 800U);
  EXPECT_EQ(fixture.a.starts[3] - fixture.a.starts[2], (84 + 7) * 800U);
  EXPECT_EQ(fixture.a.starts[13], (13 * 84 + 84) * 800U);
  EXPECT_EQ(fixture.a.starts[1300], 1300U / 13 * (13 * 84 + 84) * 800U);
}

TEST(Link, WanPhyNeverRunsAheadOfItsLine) {
  LinkFixture fixture(link_of("10gbase-w"));
  fixture.b.keep_frames = false;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  fixture.b.on_receive = [&](const FrameRef&) {
    if (first == 0) first = now_ps();
    last = now_ps();
  };
  fixture.a.generate([] { return make_frame(1518, station(2), station(1)); });
  run_until(10 * kMs);
  const double octets = static_cast<double>(fixture.b.received - 1) * (1518 + 20);
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
  LinkFixture fixture;
  fixture.a.send(make_frame(64, station(2), station(1)));
  fixture.a.send(make_frame(1518, station(2), station(1)));
  fixture.b.send(make_frame(9216, station(1), station(2)));
  run_until(kMs);
  EXPECT_EQ(fixture.link.a_to_b.frames.value(), 2U);
  EXPECT_EQ(fixture.link.a_to_b.bytes.value(), 64U + 1518);
  EXPECT_EQ(fixture.link.a_to_b.wire_bytes.value(), 64U + 1518 + 2 * 20);
  EXPECT_EQ(fixture.link.b_to_a.frames.value(), 1U);
  EXPECT_EQ(fixture.link.b_to_a.wire_bytes.value(), 9236U);
  EXPECT_EQ(fixture.link.a_to_b.lost.value(), 0U);
}

TEST(Link, TapGivesTheFirstBitAfterThePreamble) {
  LinkFixture fixture;
  test::TapRecord record;
  fixture.link.a_to_b.tap.listen(&record);
  fixture.a.send(make_frame(64, station(2), station(1), 1), 500 * kNs);
  fixture.a.send(make_frame(64, station(2), station(1), 2), 500 * kNs);
  run_until(kMs);
  ASSERT_EQ(record.entries.size(), 2U);
  EXPECT_EQ(record.entries[0].at_ps, 500 * kNs + 8 * 800);
  EXPECT_EQ(record.entries[1].at_ps, 500 * kNs + 84 * 800 + 8 * 800);
  EXPECT_EQ(record.entries[1].fate, FrameFate::kSent);
}

TEST(Link, ManyFramesAreOnALongFibreInOrder) {
  LinkFixture fixture(link_of("10gbase-r", sc_core::sc_time(1, sc_core::SC_MS)));
  for (std::uint32_t i = 0; i < 5000; ++i)
    fixture.a.send(make_frame(64, station(2), station(1), i));
  run_until(kMs - 1);
  EXPECT_EQ(fixture.link.a_to_b.in_flight(), 5000U);
  EXPECT_EQ(fixture.b.received, 0U);
  run_until(2 * kMs);
  ASSERT_EQ(fixture.b.arrivals.size(), 5000U);
  for (std::uint32_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(test::number_of(*fixture.b.arrivals[i].frame), i);
    ASSERT_EQ(fixture.b.arrivals[i].at_ps, kMs + i * 67200ULL + 72 * 800);
  }
}

TEST(Link, BothDirectionsRunAtFullRateAtOnce) {
  LinkFixture fixture;
  for (auto* s : {&fixture.a, &fixture.b}) {
    s->keep_frames = false;
    s->generate([] { return make_frame(1518, station(2), station(1)); });
  }
  run_until(1538 * 800 * 1000ULL);
  EXPECT_EQ(fixture.a.received, 1000U);
  EXPECT_EQ(fixture.b.received, 1000U);
}

TEST(Link, CarrierIsUpFromTheStart) {
  LinkFixture fixture;
  run_until(kUs);
  EXPECT_TRUE(fixture.a.mac.carrier());
  EXPECT_TRUE(fixture.b.mac.carrier());
  EXPECT_TRUE(fixture.a.carrier_changes.empty());
}

TEST(Link, LaserOffTakesTheFarCarrierAfterOneDelayAndTheNearAfterTwo) {
  LinkFixture fixture(link_of("10gbase-r", sc_core::sc_time(5, sc_core::SC_US)));
  fixture.at(100 * kUs, [&] { fixture.a.mac.enable_laser(false); });
  fixture.at(200 * kUs, [&] { fixture.a.mac.enable_laser(true); });
  run_until(kMs);
  using Changes = std::vector<std::pair<std::uint64_t, bool>>;
  EXPECT_EQ(fixture.b.carrier_changes, (Changes{{105 * kUs, false}, {205 * kUs, true}}));
  EXPECT_EQ(fixture.a.carrier_changes, (Changes{{110 * kUs, false}, {210 * kUs, true}}));
}

TEST(Link, LaserOffBeforeTheStartMeansNoCarrierAtAll) {
  LinkFixture fixture;
  fixture.a.mac.enable_laser(false);
  bool at_start = true;
  fixture.at(0, [&] { at_start = fixture.b.mac.carrier(); });
  fixture.at(50 * kUs, [&] { fixture.a.mac.enable_laser(true); });
  run_until(60 * kUs);
  EXPECT_FALSE(at_start);
  EXPECT_TRUE(fixture.a.mac.carrier());
  EXPECT_TRUE(fixture.b.mac.carrier());
}

TEST(Link, FrameCutOffByTheLaserIsLostAndReported) {
  LinkFixture fixture(link_of("10gbase-r", sc_core::sc_time(5, sc_core::SC_US)));
  test::TapRecord record;
  fixture.link.a_to_b.tap.listen(&record);
  fixture.a.send(make_frame(1518, station(2), station(1), 1));           // 1220.8 ns long
  fixture.a.send(make_frame(1518, station(2), station(1), 2), 2 * kUs);  // cut in its middle
  fixture.at(2500 * kNs, [&] { fixture.a.mac.enable_laser(false); });
  run_until(kMs);
  ASSERT_EQ(fixture.b.arrivals.size(), 1U);
  EXPECT_EQ(test::number_of(*fixture.b.arrivals[0].frame), 1U);
  EXPECT_EQ(fixture.link.a_to_b.lost.value(), 1U);
  EXPECT_EQ(record.entries.back().number, 2U);
  EXPECT_EQ(record.entries.back().why, "laser off");
  EXPECT_EQ(record.entries.back().at_ps, 2500 * kNs);
}

TEST(Link, CutLosesWhatIsOnTheFibreAndMendingTakesTwoDelays) {
  LinkFixture fixture(link_of("10gbase-r", sc_core::sc_time(5, sc_core::SC_US)));
  test::TapRecord record;
  fixture.link.a_to_b.tap.listen(&record);
  fixture.a.send(make_frame(64, station(2), station(1), 1));
  fixture.at(3 * kUs, [&] { fixture.link.set_up(false); });
  fixture.at(4 * kUs, [&] {
    fixture.a.send(make_frame(64, station(2), station(1), 2));
  });  // waits for carrier
  fixture.at(50 * kUs, [&] { fixture.link.set_up(true); });
  run_until(kMs);
  using Changes = std::vector<std::pair<std::uint64_t, bool>>;
  EXPECT_EQ(fixture.a.carrier_changes, (Changes{{3 * kUs, false}, {60 * kUs, true}}));
  EXPECT_EQ(fixture.b.carrier_changes, (Changes{{3 * kUs, false}, {60 * kUs, true}}));
  ASSERT_EQ(fixture.b.arrivals.size(), 1U);
  EXPECT_EQ(test::number_of(*fixture.b.arrivals[0].frame), 2U);
  EXPECT_EQ(fixture.b.arrivals[0].at_ps, 60 * kUs + 72 * 800 + 5 * kUs);
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
  LinkFixture fixture(params);
  // 10001 frames of 84 octets at 8 ns / 1.0001 take what 10000 take at 8 ns.
  for (int i = 0; i < 10'002; ++i) fixture.a.send(make_frame(64, station(2), station(1)));
  for (int i = 0; i < 3; ++i) fixture.b.send(make_frame(64, station(1), station(2)));
  run_until(8 * kMs);
  ASSERT_EQ(fixture.a.starts.size(), 10'002U);
  EXPECT_EQ(fixture.a.starts[10'001], 10'000ULL * 84 * 8 * kNs);
  EXPECT_EQ(fixture.b.starts.back(), 2U * 84 * 8 * kNs);
}

TEST(Link, TheWanPhysMacRunsOnTheSameClock) {
  LinkParams params = link_of("10gbase-w");
  params.a_ppm.value = -100;
  LinkFixture fixture(params);
  for (int i = 0; i < 10'000; ++i) fixture.a.send(make_frame(64, station(2), station(1)));
  run_until(kMs);
  // Slots of 84 octets and 1 of gap for each 104 bits: 9999 slots at 0.8 ns / 0.9999 take what
  // 10000 take at 0.8 ns.
  ASSERT_EQ(fixture.a.starts.size(), 10'000U);
  const std::uint64_t octets = 9'999ULL * 84 + 9'999ULL * 84 * 8 / 104;
  EXPECT_NEAR(static_cast<double>(fixture.a.starts[9'999]),
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
  LinkFixture fixture;
  Station c("c");
  Link second("second", link_of("10gbase-r"));
  EXPECT_THROW(second.connect(fixture.a.port(), c.port()), ConfigError);
  EXPECT_THROW(second.connect(c.port(), c.port()), ConfigError);
  EXPECT_THROW(fixture.link.connect(c.port(), c.port()), ConfigError);
}

}  // namespace
}  // namespace longhaul
