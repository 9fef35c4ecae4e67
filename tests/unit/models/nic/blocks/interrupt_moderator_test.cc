// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/interrupt_moderator.h"

#include <gtest/gtest.h>

#include <vector>

namespace longhaul::nic {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

struct Moderator : ::testing::Test {
  std::vector<bool> levels;
  InterruptModerator moderator{"moderator", [this](bool level) { levels.push_back(level); }};
};

TEST_F(Moderator, RequestIsHighWhileACauseIsLatchedAndEnabled) {
  moderator.post(1);
  EXPECT_TRUE(levels.empty());
  moderator.enable(1);
  EXPECT_EQ(levels, std::vector<bool>({true}));
  moderator.post(2);
  EXPECT_EQ(levels.size(), 1U);
  EXPECT_EQ(moderator.take(), 3U);
  EXPECT_EQ(levels, std::vector<bool>({true, false}));
  EXPECT_EQ(moderator.raised.value(), 1U);
}

TEST_F(Moderator, MaskingLowersItAndUnmaskingRaisesItAgain) {
  moderator.enable(4);
  moderator.post(4);
  moderator.disable(4);
  moderator.enable(4);
  EXPECT_EQ(levels, std::vector<bool>({true, false, true}));
  moderator.acknowledge(4);
  EXPECT_FALSE(moderator.level());
  moderator.post(4);
  moderator.reset();
  EXPECT_FALSE(moderator.level());
  EXPECT_EQ(moderator.causes(), 0U);
  EXPECT_EQ(moderator.mask(), 0U);
}

TEST_F(Moderator, ARequestThatItsMaskLowersIsWithdrawnAndOneThatIsReadIsNot) {
  moderator.enable(6);
  moderator.post(6);
  moderator.disable(2);
  EXPECT_EQ(moderator.withdrawn.value(), 0U) << "the other cause holds it high";
  moderator.disable(4);
  EXPECT_EQ(moderator.withdrawn.value(), 1U);
  moderator.disable(4);
  moderator.enable(6);
  moderator.take();
  moderator.disable(6);
  EXPECT_EQ(moderator.withdrawn.value(), 1U);
  EXPECT_EQ(moderator.raised.value(), 2U);
}

TEST_F(Moderator, SpanReachesFromTheRiseToTheReading) {
  struct Listener final : observe::SpanListener {
    std::vector<std::uint64_t> seen;
    void on_span(const observe::SpanTap&, std::uint64_t start, std::uint64_t end, const char*,
                 std::uint64_t causes, std::uint64_t) override {
      seen = {start, end, causes};
    }
  } listener;
  moderator.spans.listen(&listener);
  sc_core::sc_start(sc_time(100, SC_NS));
  moderator.enable(1);
  moderator.post(1);
  sc_core::sc_start(sc_time(250, SC_NS));
  moderator.take();
  EXPECT_EQ(listener.seen, std::vector<std::uint64_t>({100'000, 350'000, 1}));
}

TEST_F(Moderator, RisesAreAGapApartAtLeast) {
  moderator.set_gap(sc_time(1000, SC_NS));
  moderator.enable(1);
  moderator.post(1);
  EXPECT_TRUE(moderator.level()) << "the first comes at once";
  sc_core::sc_start(sc_time(300, SC_NS));
  moderator.take();
  moderator.post(1);
  EXPECT_FALSE(moderator.level());
  sc_core::sc_start(sc_time(700, SC_NS) - sc_core::sc_get_time_resolution());
  EXPECT_FALSE(moderator.level());
  sc_core::sc_start(sc_core::sc_get_time_resolution());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_TRUE(moderator.level());
  EXPECT_EQ(moderator.raised.value(), 2U);
  EXPECT_EQ(moderator.held_back.value(), 1U);
}

TEST_F(Moderator, ACauseTakenBeforeTheGapIsOverRaisesNothing) {
  moderator.set_gap(sc_time(1000, SC_NS));
  moderator.enable(1);
  moderator.post(1);
  moderator.take();
  moderator.post(1);
  moderator.take();
  sc_core::sc_start(sc_time(2, sc_core::SC_US));
  EXPECT_FALSE(moderator.level());
  EXPECT_EQ(moderator.raised.value(), 1U);
}

TEST_F(Moderator, WithoutAGapEveryRiseComesAtOnce) {
  moderator.set_gap(sc_time(1000, SC_NS));
  moderator.enable(1);
  moderator.post(1);
  moderator.take();
  moderator.post(1);
  EXPECT_FALSE(moderator.level());
  moderator.set_gap(sc_core::SC_ZERO_TIME);
  EXPECT_TRUE(moderator.level());
}

}  // namespace
}  // namespace longhaul::nic
