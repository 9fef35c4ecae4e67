// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/tpi.h"

#include <gtest/gtest.h>

#include "tests/unit/times.h"

namespace longhaul::nic::terminator {
namespace {

struct TpiTest : ::testing::Test {
  RegisterBank bank{0x1000};
  RegisterBank chip{0x100};
  Reg32 data{chip, "data", 0x10, 0x1234};
  bool answers = true;
  Tpi tpi{bank, units::MHz(125), 8};
  TpiTest() {
    tpi.attach(0x10'0000, chip, [this](std::uint32_t) { return answers; });
  }
  bool ready() { return (bank.read(0x28c) & 2U) != 0; }
  static void run(std::uint64_t ps) { sc_core::sc_start(from_ps(ps)); }
  std::uint32_t read(std::uint32_t address) {
    bank.write(0x280, address);
    bank.write(0x28c, 0);
    run(kUs);
    return bank.read(0x288);
  }
};

TEST_F(TpiTest, AnAccessTakesTheBaseClocksAndThoseOfTpiPar) {
  bank.write(0x280, 0x10'0010);
  bank.write(0x29c, 0xf);
  bank.write(0x28c, 0);
  EXPECT_FALSE(ready());
  run(23 * 8 * kNs - 1);
  EXPECT_FALSE(ready());
  EXPECT_EQ(bank.read(0x288), 0U) << "not before the end";
  run(2);
  EXPECT_TRUE(ready());
  EXPECT_EQ(bank.read(0x288), 0x1234U);
}

TEST_F(TpiTest, AWriteActsAtItsEndWithWhatWasThereAtItsBegin) {
  bank.write(0x280, 0x10'0010);
  bank.write(0x284, 7);
  bank.write(0x28c, 1);
  bank.write(0x280, 0x10'0014);
  bank.write(0x284, 9);
  run(8 * 8 * kNs - 1);
  EXPECT_EQ(data.value(), 0x1234U);
  run(2);
  EXPECT_EQ(data.value(), 7U);
}

TEST_F(TpiTest, ACommandDuringAnAccessIsIgnored) {
  bank.write(0x280, 0x10'0010);
  bank.write(0x284, 7);
  bank.write(0x28c, 0);
  bank.write(0x28c, 1);
  run(kUs);
  EXPECT_EQ(data.value(), 0x1234U);
  EXPECT_TRUE(ready());
}

TEST_F(TpiTest, NobodyAnswersWithAllOnes) {
  EXPECT_EQ(read(0x20'0000), 0xffff'ffffU);
  EXPECT_EQ(read(0x0f'fffc), 0xffff'ffffU);
  EXPECT_EQ(read(0x10'0100), 0xffff'ffffU) << "behind the chip";
  EXPECT_EQ(read(0x10'0010), 0x1234U);
  answers = false;
  EXPECT_EQ(read(0x10'0010), 0xffff'ffffU);
}

TEST_F(TpiTest, ResetGivesUpTheAccess) {
  bank.write(0x280, 0x10'0010);
  bank.write(0x284, 7);
  bank.write(0x28c, 1);
  tpi.reset();
  EXPECT_TRUE(ready());
  run(kUs);
  EXPECT_EQ(data.value(), 0x1234U);
}

}  // namespace
}  // namespace longhaul::nic::terminator
