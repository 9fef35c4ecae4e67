// SPDX-License-Identifier: Apache-2.0
// Each rule of APB and Wishbone, broken by a sequence of pins.
#include <gmock/gmock.h>

#include "platform/cosim/bus/apb_checker.h"
#include "platform/cosim/bus/wishbone_checker.h"
#include "tests/unit/platform/cosim/bus/bus_fixture.h"

namespace longhaul::cosim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct ApbCheckerTest : ::testing::Test {
  bus_test::Violations violations;
  ApbSample s;
  std::uint64_t ps = 0;
  ApbChecker checker{{}, "p_", violations};

  void edge(bool select, bool enable, bool ready = false) {
    s.select = select;
    s.enable = enable;
    s.ready = ready;
    checker.check(s, ps += 10'000);
  }
  void transfer() {
    edge(true, false);
    edge(true, true, false);
    edge(true, true, true);
  }
};

TEST_F(ApbCheckerTest, RightTrafficBreaksNoRule) {
  edge(false, false);
  transfer();
  s.request = {4, 7, 0xf, 0, true};
  transfer();
  edge(false, false, true);
  EXPECT_THAT(violations.told, IsEmpty());
  EXPECT_EQ(checker.unchecked().size(), 4U);
}

TEST_F(ApbCheckerTest, EnableWithoutSetup) {
  edge(true, true, true);
  EXPECT_THAT(violations.told, ElementsAre("apb.setup_first p_penable"));
  violations.told.clear();
  transfer();
  edge(false, true);
  EXPECT_THAT(violations.told, ElementsAre("apb.setup_first p_penable"));
}

TEST_F(ApbCheckerTest, SetupThatLastsOrIsGivenUp) {
  edge(true, false);
  edge(true, false);
  edge(true, true, true);
  EXPECT_THAT(violations.told, ElementsAre("apb.access_follows p_penable"));
  violations.told.clear();
  edge(true, false);
  edge(false, false);
  EXPECT_THAT(violations.told, ElementsAre("apb.access_follows p_psel"));
}

TEST_F(ApbCheckerTest, ATransferThatIsGivenUp) {
  edge(true, false);
  edge(true, true, false);
  edge(false, false);
  EXPECT_THAT(violations.told, ElementsAre("apb.select_held p_psel"));
}

TEST_F(ApbCheckerTest, SignalsThatChangeWithinATransfer) {
  s.request = {4, 7, 0xf, 0, true};
  edge(true, false);
  s.request.address = 8;
  edge(true, true, false);
  s.request.write_data = 9;
  edge(true, true, true);
  EXPECT_THAT(violations.told, ElementsAre("apb.stable p_paddr", "apb.stable p_pwdata"));
}

TEST_F(ApbCheckerTest, StrobesInARead) {
  s.request.strobes = 1;
  transfer();
  EXPECT_THAT(violations.told, ElementsAre("apb.read_strobes p_pstrb"));
}

struct WishboneCheckerTest : ::testing::TestWithParam<bool> {
  bus_test::Violations violations;
  WishboneSample s;
  std::uint64_t ps = 0;
  WishboneChecker checker{pins(), "w_", violations};

  static WishbonePins pins() {
    WishbonePins pins;
    pins.pipelined = GetParam();
    return pins;
  }
  void edge(bool cyc, bool stb, bool ack = false) {
    s.cyc = cyc;
    s.stb = stb;
    s.ack = ack;
    checker.check(s, ps += 10'000);
  }
};

TEST_P(WishboneCheckerTest, RightTrafficBreaksNoRule) {
  edge(false, false);
  edge(true, true, true);  // answered in its own clock
  edge(true, false);
  s.stall = GetParam();
  edge(true, true, false);
  s.stall = false;
  edge(true, true, true);
  s.request.adr = 4;
  edge(true, true, true);
  edge(false, false);
  s.reset = true;
  edge(true, true);  // a synchronous reset has not acted yet
  edge(false, false);
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_P(WishboneCheckerTest, CycleAndStrobeInReset) {
  s.reset = true;
  edge(false, false);
  edge(true, false);
  edge(true, false);
  EXPECT_THAT(violations.told, ElementsAre("wishbone.reset w_cyc"));
}

TEST_P(WishboneCheckerTest, AStrobeWithoutACycle) {
  edge(false, true);
  EXPECT_THAT(violations.told, ElementsAre("wishbone.strobe_in_cycle w_stb"));
}

TEST_P(WishboneCheckerTest, ATerminationWithoutARequest) {
  edge(true, false, true);
  EXPECT_THAT(violations.told, ElementsAre("wishbone.termination_without_request w_ack"));
}

TEST_P(WishboneCheckerTest, TwoTerminationsAtOnce) {
  s.err = true;
  edge(true, true, true);
  EXPECT_THAT(violations.told, ElementsAre("wishbone.one_termination w_ack"));
}

TEST_P(WishboneCheckerTest, AStrobeThatFallsWhileItsRequestWaits) {
  s.stall = GetParam();
  edge(true, true);
  edge(true, false);
  EXPECT_THAT(violations.told, ElementsAre("wishbone.strobe_held w_stb"));
}

TEST_P(WishboneCheckerTest, ARequestThatChangesWhileItWaits) {
  s.stall = GetParam();
  edge(true, true);
  s.request.adr = 4;
  edge(true, true);
  s.request.sel = 1;
  s.stall = false;
  edge(true, true, true);
  EXPECT_THAT(violations.told, ElementsAre("wishbone.stable w_adr", "wishbone.stable w_sel"));
}

INSTANTIATE_TEST_SUITE_P(ClassicAndPipelined, WishboneCheckerTest, ::testing::Bool());

TEST(WishboneChecker, PipelinedRequestsAreAnsweredAsOftenAsTheyWereTaken) {
  bus_test::Violations violations;
  WishbonePins pins;
  pins.pipelined = true;
  WishboneChecker checker{pins, "w_", violations};
  WishboneSample s;
  s.cyc = s.stb = true;
  checker.check(s, 1);
  checker.check(s, 2);
  s.stb = false;
  s.ack = true;
  checker.check(s, 3);
  checker.check(s, 4);
  EXPECT_THAT(violations.told, IsEmpty());
  checker.check(s, 5);
  EXPECT_THAT(violations.told, ElementsAre("wishbone.termination_without_request w_ack"));
}

}  // namespace
}  // namespace longhaul::cosim
