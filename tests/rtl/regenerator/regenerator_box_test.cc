// SPDX-License-Identifier: Apache-2.0
// The regenerator as a box: between two stations on gigabit links.
#include "rtl/regenerator/box/regenerator_box.h"

#include <gtest/gtest.h>

#include "models/common/param_json.h"
#include "models/common/plugin.h"
#include "models/net/link/link.h"
#include "models/wan/box_type.h"
#include "tests/unit/support/ethernet.h"
#include "tests/unit/times.h"

namespace longhaul::cosim::regenerator {
namespace {

using test::make_frame;
using test::run_until;
using test::station;

Params from_json(const nlohmann::json& json) {
  Params params;
  configure(params, json, "box");
  return params;
}

/// A gigabit link without length whose far end is `ppm` off.
LinkParams gigabit(double a_ppm) {
  LinkParams params = test::cable_of_no_length("1000base-x");
  params.a_ppm.value = a_ppm;
  return params;
}

/// west station --- box --- east station
struct Fixture {
  explicit Fixture(double west_ppm = 0)
      : box("box", from_json({{"west_ppm", west_ppm}})),
        west_link("west_link", gigabit(west_ppm)),
        east_link("east_link", gigabit(0)) {
    west_link.connect(west.port(), *box.ports()[0].port);
    east_link.connect(*box.ports()[1].port, east.port());
  }
  test::Station west{"west"};
  test::Station east{"east"};
  RegeneratorBox box;
  Link west_link;
  Link east_link;
};

TEST(Regenerator, IsInTheCatalogue) {
  add_built_in_types();
  const auto box = wan::box_types().find("regenerator", "box").make({"box", nullptr, "box", 1});
  EXPECT_EQ(box->ports().size(), 2U);
  EXPECT_THROW(wan::box_types().find("regenerator", "box").make({"b", {{"west_ppm", 300}}, "b", 1}),
               ConfigError);
}

TEST(Regenerator, AFrameCrossesInSomeHundredNanoseconds) {
  Fixture b;
  b.west.send(make_frame(1000, station(2), station(1), 7), 10 * kUs);
  run_until(kMs);
  ASSERT_EQ(b.east.arrivals.size(), 1U);
  EXPECT_EQ(test::number_of(*b.east.arrivals[0].frame), 7U);
  EXPECT_TRUE(b.east.arrivals[0].frame->fcs_matches());
  const std::uint64_t on_the_wire = 1008 * 8'000ULL;
  const std::uint64_t inside = b.east.arrivals[0].at_ps - b.west.starts[0] - on_the_wire;
  EXPECT_GE(inside, 80'000U);
  EXPECT_LE(inside, 160'000U);
}

TEST(Regenerator, BothDirectionsAtLineRateWithClocksApart) {
  Fixture b(100);
  constexpr std::uint32_t kFrames = 2000;
  for (std::uint32_t i = 0; i < kFrames; ++i) {
    b.west.send(make_frame(64 + i % 1455, station(2), station(1), i));
    b.east.send(make_frame(64 + i % 777, station(1), station(2), i));
  }
  run_until(40 * kMs);
  ASSERT_EQ(b.east.arrivals.size(), kFrames);
  ASSERT_EQ(b.west.arrivals.size(), kFrames);
  for (std::uint32_t i = 0; i < kFrames; ++i) {
    ASSERT_EQ(test::number_of(*b.east.arrivals[i].frame), i);
    ASSERT_EQ(test::number_of(*b.west.arrivals[i].frame), i);
  }
  EXPECT_TRUE(b.east.refused.empty() && b.west.refused.empty());
}

TEST(Regenerator, ADamagedFrameStaysDamaged) {
  Fixture b;
  FrameRef frame = make_frame(200, station(2), station(1));
  frame.writable().flip_bit(500);
  b.west.send(frame, 10 * kUs);
  run_until(kMs);
  EXPECT_TRUE(b.east.arrivals.empty());
  ASSERT_EQ(b.east.refused.size(), 1U);
}

}  // namespace
}  // namespace longhaul::cosim::regenerator
