// SPDX-License-Identifier: Apache-2.0
#include "models/net/mac/pause_watermark.h"

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

/// A station whose buffer a watermark watches, and the station that it pauses.
struct PauseFixture {
  PauseFixture() : link("link", test::cable_of_no_length()) {
    link.connect(a.port(), b.port());
    a.mac.set_address(station(1));
    b.mac.set_address(station(2));
    a.mac.set_flow_control(true, true);
    b.mac.set_flow_control(true, true);
  }
  std::uint64_t xoffs() const { return b.mac.rx_xoff.value(); }
  std::uint64_t xons() const { return b.mac.rx_xon.value(); }
  Station a{"a"};
  Station b{"b"};
  Link link;
  PauseWatermark mark{"mark", a.mac};
  test::At at{"at"};
};

TEST(PauseWatermark, SendsXoffAtTheHighMarkAndXonAtTheLow) {
  PauseFixture fixture;
  fixture.mark.set(10'000, 4'000, 0xffff);
  fixture.at(kUs, [&] { fixture.mark.update(9'999); });
  fixture.at(2 * kUs, [&] { fixture.mark.update(10'000); });
  fixture.at(3 * kUs, [&] { fixture.mark.update(12'000); });
  fixture.at(4 * kUs, [&] { fixture.mark.update(4'001); });
  fixture.at(5 * kUs, [&] { fixture.mark.update(4'000); });
  run_until(4500 * kNs);
  EXPECT_EQ(fixture.xoffs(), 1U);
  EXPECT_EQ(fixture.xons(), 0U);
  EXPECT_TRUE(fixture.mark.holding());
  run_until(6 * kUs);
  EXPECT_EQ(fixture.xons(), 1U);
  EXPECT_FALSE(fixture.mark.holding());
}

TEST(PauseWatermark, RepeatsXoffBeforeThePauseRunsOut) {
  PauseFixture fixture;
  fixture.mark.set(10'000, 4'000, 1000);  // 51.2 us
  fixture.at(0, [&] { fixture.mark.update(20'000); });
  fixture.b.send(make_frame(64, station(1), station(2)), kUs);
  fixture.at(200 * kUs, [&] { fixture.mark.update(0); });
  run_until(kMs);
  // XOFF at 0, 25.6, ..., 179.2 us; XON at 200 us.
  EXPECT_EQ(fixture.xoffs(), 8U);
  EXPECT_EQ(fixture.b.starts, (std::vector<std::uint64_t>{200 * kUs + 72 * 800}));
}

TEST(PauseWatermark, WithoutXonThePauseRunsOutByItself) {
  PauseFixture fixture;
  fixture.mark.set(10'000, 4'000, 100, false);  // 5.12 us
  fixture.at(0, [&] { fixture.mark.update(10'000); });
  fixture.b.send(make_frame(64, station(1), station(2)), 100 * kNs);
  fixture.at(kUs, [&] { fixture.mark.update(0); });
  run_until(kMs);
  EXPECT_EQ(fixture.xoffs(), 1U);
  EXPECT_EQ(fixture.xons(), 0U);
  // From the XOFF's last bit on, for 100 quanta of 512 bits.
  EXPECT_EQ(fixture.b.starts, (std::vector<std::uint64_t>{72 * 800 + 100 * 51'200}));
}

TEST(PauseWatermark, AnIntervalSetsWhenXoffIsRepeated) {
  PauseFixture fixture;
  fixture.mark.set(10'000, 4'000, 1000, false, 200);  // repeated after 10.24 us
  fixture.at(0, [&] { fixture.mark.update(10'000); });
  fixture.at(35 * kUs, [&] { fixture.mark.update(0); });
  run_until(kMs);
  EXPECT_EQ(fixture.xoffs(), 4U) << "at 0, 10.24, 20.48 and 30.72 us";
}

TEST(PauseWatermark, OneMarkForBothDoesNotToggleWhileTheFillStaysThere) {
  PauseFixture fixture;
  fixture.mark.set(8'000, 8'000, 0xffff);
  for (int i = 1; i <= 4; ++i) fixture.at(i * kUs, [&] { fixture.mark.update(8'000); });
  fixture.at(5 * kUs, [&] { fixture.mark.update(7'999); });
  run_until(10 * kUs);
  EXPECT_EQ(fixture.xoffs(), 1U);
  EXPECT_EQ(fixture.xons(), 1U);
}

TEST(PauseWatermark, ResetForgetsThePauseAndSendsNothing) {
  PauseFixture fixture;
  fixture.mark.set(10'000, 4'000, 1000);
  fixture.at(0, [&] { fixture.mark.update(20'000); });
  fixture.at(kUs, [&] { fixture.mark.reset(); });
  run_until(kMs);
  EXPECT_FALSE(fixture.mark.holding());
  EXPECT_EQ(fixture.xoffs(), 1U) << "no repetition after 25.6 us";
  EXPECT_EQ(fixture.xons(), 0U);
}

TEST(PauseWatermark, WithoutMarksNothingIsEverSent) {
  PauseFixture fixture;
  fixture.at(0, [&] { fixture.mark.update(1ULL << 40); });
  run_until(kMs);
  EXPECT_FALSE(fixture.mark.holding());
  EXPECT_EQ(fixture.xoffs(), 0U);
}

}  // namespace
}  // namespace longhaul
