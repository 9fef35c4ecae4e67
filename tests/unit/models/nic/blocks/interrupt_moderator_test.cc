// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/interrupt_moderator.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/nic/blocks/delay_timer.h"

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

TEST_F(Moderator, SpanReachesFromTheRiseToTheReading) {
  struct Listener final : observe::SpanListener {
    std::vector<std::uint64_t> seen;
    void on_span(const observe::SpanTap&, std::uint64_t start, std::uint64_t end, const char*, std::uint64_t causes,
                 std::uint64_t) override {
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

struct Timer : ::testing::Test {
  std::vector<std::uint64_t> expired;
  DelayTimer timer{"timer", [this] { expired.push_back(sc_core::sc_time_stamp().value() / 1000); }};
};

TEST_F(Timer, EachRestartPutsTheEndOff) {
  timer.restart(sc_time(100, SC_NS));
  for (int i = 0; i < 5; ++i) {
    sc_core::sc_start(sc_time(60, SC_NS));
    timer.restart(sc_time(100, SC_NS));
  }
  sc_core::sc_start(sc_time(1000, SC_NS));
  EXPECT_EQ(expired, std::vector<std::uint64_t>({400}));
}

TEST_F(Timer, AnAbsoluteTimerKeepsItsDeadline) {
  timer.start_if_idle(sc_time(100, SC_NS));
  sc_core::sc_start(sc_time(60, SC_NS));
  timer.start_if_idle(sc_time(100, SC_NS));
  sc_core::sc_start(sc_time(1000, SC_NS));
  EXPECT_EQ(expired, std::vector<std::uint64_t>({100}));
}

TEST_F(Timer, AShorterRestartBringsTheEndForward) {
  timer.restart(sc_time(1000, SC_NS));
  sc_core::sc_start(sc_time(10, SC_NS));
  timer.restart(sc_time(50, SC_NS));
  sc_core::sc_start(sc_time(5000, SC_NS));
  EXPECT_EQ(expired, std::vector<std::uint64_t>({60}));
}

TEST_F(Timer, CancelledTimersDoNotExpireAndCanRunAgain) {
  timer.restart(sc_time(100, SC_NS));
  timer.cancel();
  sc_core::sc_start(sc_time(50, SC_NS));
  timer.restart(sc_time(100, SC_NS));
  sc_core::sc_start(sc_time(5000, SC_NS));
  EXPECT_EQ(expired, std::vector<std::uint64_t>({150}));
}

TEST_F(Timer, NoDelayExpiresAtOnce) {
  sc_core::sc_start(sc_time(7, SC_NS));
  timer.restart(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(expired, std::vector<std::uint64_t>({7}));
  EXPECT_FALSE(timer.running());
}

}  // namespace
}  // namespace longhaul::nic
