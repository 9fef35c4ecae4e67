// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/board/microwire_eeprom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/platform/cosim/board/scripted_block.h"
#include "tests/unit/support/ethernet.h"

namespace longhaul::cosim {
namespace {

using test::run_until;
using testing::BrokenRules;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::ScriptedBlock;

constexpr unsigned kSk = 1;
constexpr unsigned kCs = 2;
constexpr unsigned kDi = 4;
constexpr std::uint64_t kMicrowirePeriodPs = 500'000;

nic::Eeprom93c46::Words numbered() {
  nic::Eeprom93c46::Words words;
  for (std::uint32_t i = 0; i < words.size(); ++i)
    words[i] = static_cast<std::uint16_t>(0x8001 + 0x111 * i);
  return words;
}

struct MicrowireTest : ::testing::Test {
  ScriptedBlock model;
  RtlBlock block{"block"};
  MicrowireEeprom eeprom{"eeprom", numbered(), {}};
  BrokenRules broken;

  void connect(std::uint64_t hertz = 2'000'000) {
    block.set_model(model);
    const ClockParams clock{{hertz}, 0, 0, {true, 4, {&model.wanted, 1}}};
    eeprom.connect(block, block.add_clock({&model.clock, 1}, clock),
                   {model.output(1), model.output(0), model.output(2), Pin(&model.input, 0, 1)},
                   "eeprom", &broken);
    block.power_up(1'000'000'000'000 / hertz, [] { return true; });
  }
  void bit(bool di) {
    const unsigned data = kCs | (di ? kDi : 0);
    model.step(data);
    model.step(data | kSk);
  }
  void command(std::uint32_t opcode, std::uint32_t address) {
    model.step(0, 2);
    model.step(kCs);
    const std::uint32_t bits = 4U << 6 | opcode << 6 | address;
    for (int i = 8; i >= 0; --i) bit((bits >> i & 1U) != 0);
  }
  /// Clocks words out. The levels of DO are in model.seen, from the returned index on, each two
  /// clocks after its SK has risen.
  std::size_t read(std::uint32_t address, int words) {
    command(2, address);
    const std::size_t first = model.seen.size() + model.script.size();
    for (int i = 0; i < 16 * words; ++i) bit(false);
    model.step(0, 3);
    return first;
  }
  std::uint16_t word_at(std::size_t first, std::uint32_t word) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 16; ++i)
      value = value << 1 | (model.seen.at(first + 2 * (16 * word + i) + 2) ? 1U : 0U);
    return static_cast<std::uint16_t>(value);
  }
};

TEST_F(MicrowireTest, WordsAreReadAtThePinsOneBehindTheOther) {
  connect();
  const std::size_t first = read(7, 3);
  run_until(1'000 * kMicrowirePeriodPs);
  EXPECT_EQ(word_at(first, 0), numbered()[7]);
  EXPECT_EQ(word_at(first, 1), numbered()[8]);
  EXPECT_EQ(word_at(first, 2), numbered()[9]);
  EXPECT_EQ(eeprom.selections.value(), 1U);
  EXPECT_THAT(broken.count, IsEmpty());
}

TEST_F(MicrowireTest, AWriteTakesItsTimeAndDataOutTellsItsEnd) {
  connect();
  command(0, 0x30);  // EWEN
  command(1, 9);
  for (int i = 15; i >= 0; --i) bit((0xbeefU >> i & 1U) != 0);
  model.step(0, 2);
  model.step(kCs);
  run_until(1'000'000'000);  // the write takes 5 ms
  EXPECT_EQ(eeprom.eeprom().word(9), 0xbeef);
  EXPECT_EQ(model.input, 0) << "busy";
  const std::uint64_t evaluations = block.evaluations();
  run_until(4'000'000'000);
  EXPECT_EQ(block.evaluations(), evaluations) << "nothing happens meanwhile";
  run_until(6'000'000'000);
  EXPECT_EQ(model.input, 1) << "ready";
  EXPECT_GT(block.evaluations(), evaluations) << "the block sees it";
  EXPECT_THAT(broken.count, IsEmpty());
}

TEST_F(MicrowireTest, WithoutWriteEnableNothingIsWritten) {
  connect();
  command(1, 9);
  for (int i = 0; i < 16; ++i) bit(false);
  model.step(0, 2);
  run_until(1'000 * kMicrowirePeriodPs);
  EXPECT_EQ(eeprom.eeprom().words(), numbered());
}

TEST_F(MicrowireTest, AClockThatStandsStillCostsNothing) {
  connect();
  static_cast<void>(read(0, 1));
  run_until(1'000 * kMicrowirePeriodPs);
  const std::uint64_t evaluations = block.evaluations();
  EXPECT_LT(evaluations, 400U);
  run_until(1'000'000 * kMicrowirePeriodPs);
  EXPECT_EQ(block.evaluations(), evaluations);
}

TEST_F(MicrowireTest, TimesOfTheDataSheetAreChecked) {
  connect(10'000'000);  // 100 ns
  command(2, 0);
  model.step(0, 1);
  model.step(kCs, 1);
  model.step(0, 8);
  run_until(100'000'000);
  EXPECT_GT(broken.count["microwire.clock"], 10);
  EXPECT_EQ(broken.count["microwire.deselect"], 1);
  EXPECT_EQ(broken.count["microwire.data"], 0) << "100 ns are enough";
  EXPECT_THAT(broken.details, ::testing::Contains("eeprom.cs 100 ns"));
}

TEST_F(MicrowireTest, DataThatChangeWithTheClockAreABrokenRule) {
  connect();
  model.step(kCs, 2);
  model.step(kCs | kSk | kDi, 2);
  model.step(0, 4);
  run_until(100 * kMicrowirePeriodPs);
  EXPECT_THAT(broken.count, ElementsAre(Pair("microwire.data", 1)));
}

}  // namespace
}  // namespace longhaul::cosim
