// SPDX-License-Identifier: Apache-2.0
// Each rule of XGMII, GMII and MII, broken by a sequence of pins.
#include <gmock/gmock.h>

#include "platform/cosim/wire/gmii_checker.h"
#include "platform/cosim/wire/mii_checker.h"
#include "platform/cosim/wire/xgmii_checker.h"
#include "tests/unit/platform/cosim/bus/bus_fixture.h"

namespace longhaul::cosim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct XgmiiCheckerTest : ::testing::Test {
  bus_test::Violations violations;
  std::uint64_t ps = 0;
  XgmiiChecker checker{"x", violations};

  /// A column of 32 bits, lane 0 first; control characters above 255.
  void column(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    std::uint64_t data = 0;
    std::uint32_t control = 0;
    std::uint32_t lane = 0;
    for (const std::uint32_t character : {a, b, c, d}) {
      data |= std::uint64_t{character & 0xffU} << 8 * lane;
      control |= (character >> 8U) << lane++;
    }
    checker.check(data, control, 4, ps += 3'200);
  }
  static constexpr std::uint32_t kI = 0x107, kS = 0x1fb, kT = 0x1fd, kE = 0x1fe, kQ = 0x19c;
  void idle(int columns = 3) {
    for (; columns > 0; --columns) column(kI, kI, kI, kI);
  }
  void preamble() {
    column(kS, 0x55, 0x55, 0x55);
    column(0x55, 0x55, 0x55, 0xd5);
  }
};

TEST_F(XgmiiCheckerTest, RightTrafficBreaksNoRule) {
  idle();
  preamble();
  column(1, 2, 3, 4);
  column(kE, 6, 7, kT);
  idle(2);  // nine bytes with terminate
  preamble();
  column(kT, kI, kI, kI);
  column(kQ, 0, 0, 1);  // local fault
  idle();
  preamble();
  column(kT, kI, kI, kI);
  column(kQ, 0, 0, 2);  // remote fault, in a gap of twelve bytes
  column(kQ, 0, 0, 3);
  preamble();
  column(kT, kI, kI, kI);
  idle();
  column(0x106, 0x106, 0x106, 0x106);
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_F(XgmiiCheckerTest, ACodeThatIsNone) {
  column(0x1ab, kI, kI, kI);
  EXPECT_THAT(violations.told, ElementsAre("xgmii.control_code x"));
  EXPECT_EQ(violations.details[0], "control 0xab");
}

TEST_F(XgmiiCheckerTest, AStartInAnotherLane) {
  idle();
  column(kI, kS, 0x55, 0x55);
  column(0x55, 0x55, 0x55, 0x55);
  column(0xd5, 0, 0, kT);
  EXPECT_THAT(violations.told, ElementsAre("xgmii.start_lane x"));
}

TEST_F(XgmiiCheckerTest, APreambleThatIsNone) {
  column(kS, 0x55, 0xaa, 0xaa);
  column(0x55, 0x55, 0x55, 0xd5);
  column(kT, kI, kI, kI);
  EXPECT_THAT(violations.told, ElementsAre("xgmii.preamble x"));
}

TEST_F(XgmiiCheckerTest, AFrameWithoutTerminateAndTerminateWithoutAFrame) {
  preamble();
  idle();
  EXPECT_THAT(violations.told, ElementsAre("xgmii.frame_end x"));
  column(kT, kI, kI, kI);
  EXPECT_THAT(violations.told, ElementsAre("xgmii.frame_end x", "xgmii.frame_end x"));
}

TEST_F(XgmiiCheckerTest, DataBehindTerminate) {
  preamble();
  column(1, kT, 5, kI);
  EXPECT_THAT(violations.told, ElementsAre("xgmii.behind_terminate x"));
}

TEST_F(XgmiiCheckerTest, DataBetweenFrames) {
  idle();
  column(kI, kI, 5, 6);
  EXPECT_THAT(violations.told, ElementsAre("xgmii.data_in_idle x"));
}

TEST_F(XgmiiCheckerTest, AGapThatIsTooShort) {
  preamble();
  column(kT, kI, kI, kI);
  column(kI, kI, kI, kI);
  preamble();
  EXPECT_THAT(violations.told, ElementsAre("xgmii.gap x"));
}

TEST_F(XgmiiCheckerTest, AFaultMessageThatIsNone) {
  for (const std::uint32_t last : {0U, 4U, 0x107U}) {
    column(kQ, 0, 0, last);
    EXPECT_THAT(violations.told, ElementsAre("xgmii.sequence x")) << last;
    violations.told.clear();
  }
  column(kQ, 0, 1, 1);
  EXPECT_THAT(violations.told, ElementsAre("xgmii.sequence x"));
  violations.told.clear();
  column(kI, kQ, kI, kI);
  EXPECT_THAT(violations.told, ElementsAre("xgmii.sequence x"));
}

struct MiiCheckerTest : ::testing::Test {
  bus_test::Violations violations;
  std::uint64_t ps = 0;
  MiiChecker checker{"m", violations};
  void clocks(bool enable, bool error, std::uint32_t nibble, int count = 1) {
    for (; count > 0; --count) checker.check(enable, error, nibble, ps += 40'000);
  }
  void frame(int nibbles) {
    clocks(true, false, 5, 15);
    clocks(true, false, 0xd);
    clocks(true, false, 3, nibbles);
    clocks(false, false, 0);
  }
};

TEST_F(MiiCheckerTest, RightTrafficBreaksNoRule) {
  frame(128);
  clocks(false, false, 0, 23);
  frame(10);
  clocks(false, true, 1, 30);
  frame(10);
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_F(MiiCheckerTest, APreambleOfAnotherLengthIsToldOnce) {
  for (const int nibbles : {13, 17, 0}) {
    clocks(true, false, 5, nibbles);
    clocks(true, false, 0xd);
    clocks(true, false, 3, 128);
    clocks(false, false, 0, 24);
    EXPECT_THAT(violations.told, ElementsAre("mii.preamble m")) << nibbles;
    violations.told.clear();
  }
}

TEST_F(MiiCheckerTest, WhatBreaksARule) {
  clocks(false, true, 7, 3);
  EXPECT_THAT(violations.told, ElementsAre("mii.control_code m"));
  violations.told.clear();
  clocks(true, false, 9, 2);
  clocks(true, false, 0xd);
  clocks(false, false, 0, 30);
  EXPECT_THAT(violations.told, ElementsAre("mii.preamble m"));
  violations.told.clear();
  frame(5);
  EXPECT_THAT(violations.told, ElementsAre("mii.whole_bytes m"));
  violations.told.clear();
  clocks(false, false, 0, 22);
  frame(4);
  EXPECT_THAT(violations.told, ElementsAre("mii.gap m"));
}

struct GmiiCheckerTest : ::testing::Test {
  bus_test::Violations violations;
  GmiiChecker checker{"g", violations};
  std::uint64_t ps = 0;
  void clocks(bool tx_en, bool tx_er, std::uint8_t byte, int count = 1) {
    for (; count > 0; --count) checker.check(tx_en, tx_er, byte, ps += 8'000);
  }
  void frame() {
    clocks(true, false, 0x55, 7);
    clocks(true, false, 0xd5);
    clocks(true, false, 3, 64);
    clocks(false, false, 0);
  }
};

TEST_F(GmiiCheckerTest, RightTrafficBreaksNoRule) {
  frame();
  clocks(false, false, 0, 11);
  frame();
  clocks(false, true, 0x0f, 3);
  clocks(false, true, 0x1f, 3);
  clocks(false, true, 0x01, 13);
  frame();
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_F(GmiiCheckerTest, APreambleOfAnotherLengthIsToldOnce) {
  for (const int bytes : {6, 8, 0}) {
    clocks(true, false, 0x55, bytes);
    clocks(true, false, 0xd5);
    clocks(true, false, 3, 64);
    clocks(false, false, 0, 12);
    EXPECT_THAT(violations.told, ElementsAre("gmii.preamble g")) << bytes;
    violations.told.clear();
  }
}

TEST_F(GmiiCheckerTest, WhatBreaksARule) {
  clocks(false, true, 0x33, 3);
  EXPECT_THAT(violations.told, ElementsAre("gmii.control_code g"));
  violations.told.clear();
  clocks(true, false, 0x77, 2);
  clocks(true, false, 0xd5);
  clocks(false, false, 0, 20);
  EXPECT_THAT(violations.told, ElementsAre("gmii.preamble g"));
  violations.told.clear();
  frame();
  clocks(false, false, 0, 10);
  frame();
  EXPECT_THAT(violations.told, ElementsAre("gmii.gap g"));
}

}  // namespace
}  // namespace longhaul::cosim
