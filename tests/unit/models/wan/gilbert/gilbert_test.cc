// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/common/param_json.h"
#include "models/net/link/link.h"
#include "models/wan/box_type.h"
#include "models/wan/gilbert/gilbert.h"
#include "tests/unit/support/ethernet.h"
#include "tests/unit/times.h"

namespace longhaul::wan::gilbert {
namespace {

using test::make_frame;
using test::run_until;
using test::station;

constexpr std::uint64_t kFrame64 = 72 * 800ULL;  // preamble to last bit
constexpr std::uint64_t kSlot64 = 84 * 800ULL;

GilbertParams from_json(const nlohmann::json& json) {
  GilbertParams params;
  configure(params, json, "line");
  return params;
}

/// west station --- box --- east station
struct Fixture {
  explicit Fixture(const nlohmann::json& json = nullptr)
      : box("line", from_json(json)),
        west_link("west_link", test::cable_of_no_length()),
        east_link("east_link", test::cable_of_no_length()) {
    west_link.connect(west.port(), box.west_mac.port);
    east_link.connect(box.east_mac.port, east.port());
  }
  /// Sends frames one after the other, runs until all are there, and tells which were lost.
  std::vector<bool> losses(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) west.send(make_frame(64, station(2), station(1), i));
    run_until(now_ps() + count * kSlot64 + kMs);
    std::vector<bool> lost(count, true);
    for (const auto& arrival : east.arrivals) lost[test::number_of(*arrival.frame)] = false;
    return lost;
  }
  test::Station west{"west"};
  test::Station east{"east"};
  GilbertBox box;
  Link west_link;
  Link east_link;
};

/// `seen` of `trials` is what `p` explains.
void expect_share(double seen, double p, double trials, double factor = 1) {
  EXPECT_NEAR(seen, p, 5 * factor * std::sqrt(p * (1 - p) / trials));
}

TEST(Gilbert, IsInTheCatalogueWithTheRunsSeed) {
  const auto box = box_types().find("gilbert", "line").make({"line", nullptr, "line", 77});
  for (const nlohmann::json& param : box->describe_params()) {
    if (param["name"] == "seed") {
      EXPECT_EQ(param["value"], 77);
    }
  }
  EXPECT_EQ(box->ports().size(), 2U);
}

TEST(Gilbert, ByItselfItIsALineWithoutLossAndDelay) {
  Fixture b;
  b.west.send(make_frame(64, station(2), station(1), 5));
  run_until(kMs);
  ASSERT_EQ(b.east.arrivals.size(), 1U);
  EXPECT_EQ(b.east.arrivals[0].at_ps, b.west.starts[0] + 2 * kFrame64);
}

TEST(Gilbert, TheDelayIsExactAndOfOneDirection) {
  Fixture b(nlohmann::json{{"delay_west", "3ms"}});
  b.west.send(make_frame(64, station(2), station(1)));
  b.east.send(make_frame(64, station(1), station(2)));
  run_until(10 * kMs);
  EXPECT_EQ(b.east.arrivals.at(0).at_ps, b.west.starts[0] + 2 * kFrame64 + 3 * kMs);
  EXPECT_EQ(b.west.arrivals.at(0).at_ps, b.east.starts[0] + 2 * kFrame64);
}

TEST(Gilbert, EachDecisionIsTheStreamsOwn) {
  constexpr std::uint32_t kFrames = 2000;
  Fixture b(nlohmann::json{{"to_bad_west", 0.05},
                           {"to_good_west", 0.2},
                           {"loss_in_good_west", 0.01},
                           {"loss_in_bad_west", 0.7}});
  const std::vector<bool> lost = b.losses(kFrames);
  RandomStream states(1, "line.west_to_east.state");
  RandomStream losses(1, "line.west_to_east.loss");
  bool bad = false;
  std::uint64_t bursts = 0;
  for (std::uint32_t i = 0; i < kFrames; ++i) {
    if (states.chance({bad ? 0.2 : 0.05})) {
      bad = !bad;
      bursts += bad ? 1 : 0;
    }
    ASSERT_EQ(lost[i], losses.chance({bad ? 0.7 : 0.01})) << i;
  }
  EXPECT_EQ(b.box.west_to_east.bursts.value(), bursts);
  EXPECT_EQ(b.box.west_to_east.lost.value() + b.box.west_to_east.passed.value(), kFrames);
  EXPECT_EQ(b.box.west_to_east.bad.value(), bad ? 1U : 0U);
}

TEST(Gilbert, BurstsHaveTheLengthAndTheShareOfTheFormulas) {
  constexpr std::uint32_t kFrames = 100'000;
  constexpr double kToBad = 0.01;
  constexpr double kToGood = 0.25;
  Fixture b(nlohmann::json{{"to_bad_west", kToBad}, {"to_good_west", kToGood}});
  const std::vector<bool> lost = b.losses(kFrames);
  double count = 0;
  double bursts = 0;
  for (std::uint32_t i = 0; i < kFrames; ++i) {
    count += lost[i] ? 1 : 0;
    bursts += lost[i] && (i == 0 || !lost[i - 1]) ? 1 : 0;
  }
  // Frames of a burst depend on each other: fewer trials than frames.
  const double together = std::sqrt((2 - kToBad - kToGood) / (kToBad + kToGood));
  expect_share(count / kFrames, kToBad / (kToBad + kToGood), kFrames, together);
  expect_share(bursts / (kFrames - count), kToBad, kFrames - count);
  const double deviation = std::sqrt(1 - kToGood) / kToGood / std::sqrt(bursts);
  EXPECT_NEAR(count / bursts, 1 / kToGood, 5 * deviation);
}

TEST(Gilbert, TheOtherDirectionIsItsOwn) {
  Fixture b(nlohmann::json{{"to_bad_west", 1}, {"to_good_west", 0}});
  EXPECT_THAT(b.losses(50), testing::Each(true));
  b.east.send(make_frame(64, station(1), station(2)));
  run_until(now_ps() + kMs);
  EXPECT_EQ(b.west.received, 1U);
}

TEST(Gilbert, ParametersChangeWhileItRuns) {
  Fixture b(nlohmann::json{{"delay_west", "2ms"}});
  EXPECT_THAT(b.box.changeable(), testing::SizeIs(10));
  EXPECT_THAT(b.box.changeable(), testing::Not(testing::Contains("seed")));
  b.west.send(make_frame(64, station(2), station(1), 0));
  run_until(kMs);
  b.box.change("delay_west", "0s", "line");
  b.west.send(make_frame(64, station(2), station(1), 1));
  run_until(10 * kMs);
  ASSERT_EQ(b.east.arrivals.size(), 2U);
  EXPECT_EQ(test::number_of(*b.east.arrivals[0].frame), 0U) << "nothing is overtaken";
  b.box.change("to_bad_west", 1.0, "line");
  b.west.send(make_frame(64, station(2), station(1), 2));
  run_until(20 * kMs);
  EXPECT_EQ(b.east.received, 2U);
  EXPECT_THROW(b.box.change("to_bad_west", 1.5, "line"), ConfigError);
}

TEST(Gilbert, PauseFramesCrossIt) {
  Fixture b;
  b.west.mac.set_flow_control(true, false);
  b.east.mac.set_flow_control(false, true);
  run_until(kMs);
  b.west.mac.send_pause(0xffff);
  run_until(2 * kMs);
  EXPECT_TRUE(b.east.mac.paused());
}

}  // namespace
}  // namespace longhaul::wan::gilbert
