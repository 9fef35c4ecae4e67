// SPDX-License-Identifier: Apache-2.0
#include "models/nic/genesis/ram_port.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace longhaul::nic::genesis {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

/// 50 MHz: a clock is 20 ns.
class RamPortTest : public ::testing::Test {
 protected:
  RamPortTest() {
    for (const RamPort::User user :
         {RamPort::kRxWrite, RamPort::kRxRead, RamPort::kTxWrite, RamPort::kTxRead}) {
      port.attach(user, [this, user] {
        ended.emplace_back(user, now_ps() / 1000);
        if (then) then(user);
      });
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static void run_ns(std::uint64_t ns) { sc_core::sc_start(from_ps(ns * 1000)); }

  RamPort port{"port", units::MHz(50), 8};
  std::vector<std::pair<int, std::uint64_t>> ended;  // who, and when in ns
  std::function<void(RamPort::User)> then;
};

TEST_F(RamPortTest, OneUserHasAllOfIt) {
  port.start(RamPort::kRxWrite, 1514);  // 190 clocks
  EXPECT_TRUE(port.busy(RamPort::kRxWrite));
  EXPECT_FALSE(port.busy(RamPort::kRxRead));
  run_ns(10'000);
  EXPECT_THAT(ended, ElementsAre(Pair(RamPort::kRxWrite, 3800)));
  EXPECT_EQ(port.moved.value(), 1514U);
  EXPECT_EQ(port.state.spent_ps(1), 3'800'000U);
}

TEST_F(RamPortTest, FourUsersHaveAQuarterEach) {
  port.start(RamPort::kRxWrite, 80);
  port.start(RamPort::kRxRead, 80);
  port.start(RamPort::kTxWrite, 80);
  port.start(RamPort::kTxRead, 160);
  run_ns(10'000);
  // Forty clocks for three of them and a quarter of the fourth, then ten clocks for what that has
  // left.
  EXPECT_THAT(ended, ElementsAre(Pair(RamPort::kRxWrite, 800), Pair(RamPort::kRxRead, 800),
                                 Pair(RamPort::kTxWrite, 800), Pair(RamPort::kTxRead, 1000)));
}

TEST_F(RamPortTest, WhoComesLaterSharesWhatIsLeft) {
  port.start(RamPort::kRxWrite, 800);  // 2 us alone
  run_ns(1000);
  port.start(RamPort::kTxRead, 80);  // 200 ns alone, 400 shared; the first one loses as much
  run_ns(10'000);
  EXPECT_THAT(ended, ElementsAre(Pair(RamPort::kTxRead, 1400), Pair(RamPort::kRxWrite, 2200)));
}

TEST_F(RamPortTest, CancelledTransferGivesItsShareBack) {
  port.start(RamPort::kRxWrite, 800);
  port.start(RamPort::kTxRead, 800);
  run_ns(1000);  // 500 ns each
  port.cancel(RamPort::kTxRead);
  port.cancel(RamPort::kTxRead);
  run_ns(10'000);
  EXPECT_THAT(ended, ElementsAre(Pair(RamPort::kRxWrite, 2500)));
}

TEST_F(RamPortTest, WhoIsToldMayStartAgain) {
  then = [this](RamPort::User user) {
    if (ended.size() < 3) port.start(user, 8);
  };
  port.start(RamPort::kTxWrite, 8);
  run_ns(1000);
  EXPECT_THAT(ended, ElementsAre(Pair(RamPort::kTxWrite, 20), Pair(RamPort::kTxWrite, 40),
                                 Pair(RamPort::kTxWrite, 60)));
}

TEST_F(RamPortTest, WhoIsToldMayCancelOneThatEndsWithIt) {
  then = [this](RamPort::User) { port.cancel(RamPort::kTxRead); };
  port.start(RamPort::kRxRead, 80);
  port.start(RamPort::kTxRead, 80);
  run_ns(1000);
  EXPECT_THAT(ended, ElementsAre(Pair(RamPort::kRxRead, 400)));
}

TEST_F(RamPortTest, AloneTimeIsWholeClocks) {
  EXPECT_EQ(port.alone_ps(1), 20'000U);
  EXPECT_EQ(port.alone_ps(8), 20'000U);
  EXPECT_EQ(port.alone_ps(9), 40'000U);
}

}  // namespace
}  // namespace longhaul::nic::genesis
