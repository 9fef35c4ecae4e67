// SPDX-License-Identifier: Apache-2.0
// Parameters of a delay box that change by name while it runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/models/wan/delay_box/delay_box_fixture.h"

namespace longhaul {
namespace {

using test::make_frame;
using test::run_until;
using test::station;

struct ChangeFixture : test::DelayBoxFixture {
  ChangeFixture() : DelayBoxFixture(nlohmann::json{{"delay_west", "1ms"}}) {}
  std::string refused(const std::string& name, const nlohmann::json& value) {
    try {
      box.change(name, value, "box");
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }
  nlohmann::json shown(const std::string& name) const {
    for (const nlohmann::json& param : box.describe_params()) {
      if (param.at("name") == name) return param.at("value");
    }
    return nullptr;
  }
};

TEST(DelayBoxChange, ANewDelayHoldsForWhatArrivesFromThenOn) {
  ChangeFixture fixture;
  fixture.west.send(make_frame(64, station(2), station(1)));
  run_until(kMs / 2);
  fixture.box.change("delay_west", "4ms", "box");
  fixture.west.send(make_frame(64, station(2), station(1)));
  run_until(10 * kMs);
  ASSERT_EQ(fixture.east.received, 2U);
  const std::uint64_t first = fixture.east.arrivals[0].at_ps;
  EXPECT_LT(first, kMs + kMs / 100);
  EXPECT_EQ(fixture.east.arrivals[1].at_ps - first, kMs / 2 + 3 * kMs);
  EXPECT_EQ(fixture.shown("delay_west"), "4ms");
}

TEST(DelayBoxChange, EachPathsOwnIsChangedAndTheOthersStays) {
  ChangeFixture fixture;
  fixture.box.change("loss_east", 1.0, "box");
  fixture.west.send(make_frame(64, station(2), station(1)));
  fixture.east.send(make_frame(64, station(1), station(2)));
  run_until(10 * kMs);
  EXPECT_EQ(fixture.east.received, 1U);
  EXPECT_EQ(fixture.west.received, 0U);
  EXPECT_EQ(fixture.box.east_to_west.lost.value(), 1U);
  fixture.box.change("loss_east", 0.0, "box");
  fixture.east.send(make_frame(64, station(1), station(2)));
  run_until(20 * kMs);
  EXPECT_EQ(fixture.west.received, 1U);
}

TEST(DelayBoxChange, WrongValuesAreExplainedAndChangeNothing) {
  ChangeFixture fixture;
  EXPECT_THAT(fixture.refused("delay_west", "2s"), ::testing::HasSubstr("box.delay_west"));
  EXPECT_THAT(fixture.refused("delay_west", 5), ::testing::HasSubstr("box.delay_west"));
  EXPECT_THAT(fixture.refused("rate_mode_west", "slow"), ::testing::HasSubstr("rate_mode_west"));
  EXPECT_EQ(fixture.shown("delay_west"), "1ms");
  EXPECT_THAT(fixture.box.changeable(), ::testing::Contains("rate_queue_east"));
  EXPECT_THAT(fixture.box.changeable(), ::testing::Not(::testing::Contains("memory")));
}

}  // namespace
}  // namespace longhaul
