// SPDX-License-Identifier: Apache-2.0
#include "models/net/link/link_direction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/support/ethernet.h"

namespace longhaul {
namespace {

using observe::FrameFate;
using test::make_frame;
using test::run_until;
using test::station;
using ::testing::ElementsAre;

constexpr std::uint64_t kPropagation = 5'000'000;
constexpr std::uint64_t kSlot = (8 + 64 + 12) * 800;  // preamble, frame and gap

struct FarEnd final : EthReceiver {
  std::vector<std::uint64_t> received_ps;
  std::vector<bool> carrier;
  void receive(const FrameRef&) override { received_ps.push_back(now_ps()); }
  void carrier_changed(bool up) override { carrier.push_back(up); }
};

/// Both directions of a fibre without MACs: what a transmitter may rely on.
struct LinkDirectionTest : ::testing::Test {
  LinkDirection there{"there", phy_named("10gbase-r", "t"), kPropagation};
  LinkDirection back{"back", phy_named("10gbase-r", "t"), kPropagation};
  FarEnd far;
  FarEnd near;
  test::At at{"at"};
  test::TapRecord tap;

  LinkDirectionTest() {
    there.join(far, back);
    back.join(near, there);
    there.tap.listen(&tap);
  }
  static FrameRef frame(std::uint32_t number = 0) {
    return make_frame(64, station(2), station(1), number);
  }
};

TEST_F(LinkDirectionTest, TransmitTellsWhenTheNextFrameMayStart) {
  at(1000, [this] { EXPECT_EQ(to_ps(there.transmit(frame())), kSlot); });
  run_until(kPropagation * 2);
  EXPECT_THAT(far.received_ps, ElementsAre(1000 + (8 + 64) * 800 + kPropagation));
}

TEST_F(LinkDirectionTest, AFrameThatComesTooEarlyWaitsForTheWire) {
  std::vector<std::uint64_t> free_ps;
  at(0, [&] {
    for (std::uint32_t i = 0; i < 3; ++i) free_ps.push_back(to_ps(there.transmit(frame(i))));
  });
  run_until(kPropagation * 2);
  EXPECT_THAT(free_ps, ElementsAre(kSlot, 2 * kSlot, 3 * kSlot));
  ASSERT_EQ(tap.entries.size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(tap.entries[i].at_ps, i * kSlot + 8 * 800);
}

TEST_F(LinkDirectionTest, FramesAreInFlightUntilTheirLastBitIsThere) {
  at(0, [this] {
    there.transmit(frame());
    there.transmit(frame());
  });
  const std::uint64_t first_ps = 72 * 800 + kPropagation;
  run_until(first_ps - 1);
  EXPECT_EQ(there.in_flight(), 2U);
  run_until(first_ps + 1);
  EXPECT_EQ(there.in_flight(), 1U);
  run_until(first_ps + kSlot + 1);
  EXPECT_EQ(there.in_flight(), 0U);
}

TEST_F(LinkDirectionTest, AFrameIntoTheDarkIsLostAtTheWiresPaceAndNotCountedAsSent) {
  there.enable(false);
  at(0, [this] { EXPECT_EQ(to_ps(there.transmit(frame(7))), kSlot); });
  run_until(kPropagation * 2);
  EXPECT_EQ(there.lost.value(), 1U);
  EXPECT_EQ(there.frames.value(), 0U);
  EXPECT_EQ(there.bytes.value(), 0U);
  EXPECT_EQ(there.wire_bytes.value(), 0U);
  ASSERT_EQ(tap.entries.size(), 1U);
  EXPECT_EQ(tap.entries[0].fate, FrameFate::kDropped);
  EXPECT_EQ(tap.entries[0].why, "laser off");
  EXPECT_EQ(tap.entries[0].number, 7U);
  EXPECT_TRUE(far.received_ps.empty());
}

TEST_F(LinkDirectionTest, DarknessComesBackAsRemoteFaultAndTakesTheNearCarrier) {
  at(1'000'000, [this] { there.enable(false); });
  run_until(1'000'000 + kPropagation + 1);
  EXPECT_THAT(far.carrier, ElementsAre(false));
  EXPECT_TRUE(there.carrier());
  run_until(1'000'000 + 2 * kPropagation + 1);
  EXPECT_FALSE(there.carrier());
  EXPECT_THAT(near.carrier, ElementsAre(false));
}

/// A far end that takes frames while they arrive.
struct CutThrough final : EthReceiver {
  std::vector<std::pair<std::uint64_t, char>> calls;
  bool cuts_through() const override { return true; }
  void begin(const FrameRef&) override { calls.emplace_back(now_ps(), 'b'); }
  void receive(const FrameRef&) override { calls.emplace_back(now_ps(), 'e'); }
  void carrier_changed(bool up) override { calls.emplace_back(now_ps(), up ? 'u' : 'd'); }
};
using Calls = std::vector<std::pair<std::uint64_t, char>>;

struct CutThroughTest : ::testing::Test {
  LinkDirection there{"there", phy_named("10gbase-r", "t"), kPropagation};
  LinkDirection back{"back", phy_named("10gbase-r", "t"), kPropagation};
  CutThrough far;
  FarEnd near;
  test::At at{"at"};
  CutThroughTest() {
    there.join(far, back);
    back.join(near, there);
  }
  static FrameRef frame() { return make_frame(64, station(2), station(1)); }
};

TEST_F(CutThroughTest, HearsOfAFrameWithItsFirstBitAndWithItsLast) {
  at(1000, [this] {
    there.transmit(frame());
    there.transmit(frame());
  });
  run_until(kPropagation * 2);
  const std::uint64_t first = 1000 + kPropagation;
  EXPECT_EQ(far.calls, (Calls{{first, 'b'},
                              {first + 72 * 800, 'e'},
                              {first + kSlot, 'b'},
                              {first + kSlot + 72 * 800, 'e'}}));
}

TEST_F(CutThroughTest, LosesTheLightInsteadOfTheEndOfAFrameThatIsCutOff) {
  // The frame takes longer than the fibre is: its begin is out before it is cut off.
  at(0, [this] { there.transmit(make_frame(9018, station(2), station(1))); });
  at(7'000'000, [this] { there.enable(false); });
  run_until(kPropagation * 5);
  EXPECT_EQ(far.calls, (Calls{{kPropagation, 'b'}, {7'000'000 + kPropagation, 'd'}}));
  EXPECT_EQ(there.lost.value(), 1U);
}

TEST_F(CutThroughTest, HearsOfTheNextFrameAfterACut) {
  at(0, [this] { there.transmit(make_frame(9018, station(2), station(1))); });
  at(kPropagation + 1'000, [this] {
    there.cut();
    there.mend();
  });
  at(kPropagation * 4, [this] { there.transmit(frame()); });
  run_until(kPropagation * 8);
  ASSERT_EQ(far.calls.size(), 3U);
  EXPECT_EQ(far.calls[1], std::make_pair(kPropagation * 5, 'b'));
  EXPECT_EQ(far.calls[2], std::make_pair(kPropagation * 5 + 72 * 800, 'e'));
}

TEST_F(CutThroughTest, HearsOfAFrameThatIsOverAsSoonAsItCan) {
  // Its first bit would have arrived 57.6 ns before its last one; the wire knows of it at the far
  // end's 5 us before that.
  at(1'000'000, [this] { there.sent(frame()); });
  run_until(kPropagation * 3);
  const std::uint64_t last = 1'000'000 + kPropagation;
  EXPECT_EQ(far.calls, (Calls{{last - 72 * 800, 'b'}, {last, 'e'}}));
}

TEST_F(LinkDirectionTest, AFrameThatIsOverArrivesOneDelayLaterAndKeepsTheGap) {
  std::uint64_t free_ps = 0;
  at(1'000'000, [&] {
    there.sent(frame(3));
    free_ps = to_ps(there.transmit(frame(4)));
  });
  run_until(kPropagation * 2);
  constexpr std::uint64_t kGap = 12 * 800;
  EXPECT_THAT(far.received_ps,
              ElementsAre(1'000'000 + kPropagation, 1'000'000 + kGap + 72 * 800 + kPropagation));
  EXPECT_EQ(free_ps, kGap + kSlot);
  ASSERT_EQ(tap.entries.size(), 2U);
  EXPECT_EQ(tap.entries[0].at_ps, 1'000'000U - 64 * 800);
  EXPECT_EQ(there.wire_bytes.value(), 2U * 84);
}

TEST(LinkDirection, WithoutAnotherDirectionThereIsNoCarrier) {
  LinkDirection alone("alone", phy_named("10gbase-r", "t"), kPropagation);
  EXPECT_FALSE(alone.joined());
  EXPECT_FALSE(alone.carrier());
  EXPECT_EQ(to_ps(alone.transmit(make_frame(64, station(2), station(1)))), kSlot);
  EXPECT_EQ(alone.lost.value(), 1U);
  EXPECT_EQ(alone.in_flight(), 0U);
}

}  // namespace
}  // namespace longhaul
