// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/wishbone_target.h"

#include <gmock/gmock.h>

#include "tests/unit/platform/cosim/bus/bus_fixture.h"
#include "tests/unit/platform/cosim/bus/rtl/bus_blocks.h"

namespace longhaul::cosim {
namespace {

using bus_test::run_until;
using ::testing::IsEmpty;

/// Resets the block, then starts one copy.
class Starter final : public Transactor {
 public:
  Starter(ClockDomain& clock, bus_test::WishboneCopy& copy) : copy_(copy) {
    copy.pins.reset.pin.set(1);
    clock.watch(*this, false);
  }
  void clocked(std::uint64_t) override {
    ++edges_;
    if (edges_ == 4) copy_.pins.reset.pin.set(0);
    copy_.start.set(edges_ == 6 ? 1 : 0);
  }

 private:
  bus_test::WishboneCopy& copy_;
  std::uint32_t edges_ = 0;
};

/// Pipelined or not, and whether the target stalls at random.
struct WishboneTargetTest : ::testing::TestWithParam<std::tuple<bool, bool>> {
  bus_test::WishboneCopy copy = bus_test::make_wishbone_copy(std::get<0>(GetParam()));
  RtlBlock block{"block"};
  bus_test::TestMemory memory;
  bus_test::Violations violations;
  ClockDomain& clock = make_clock();
  Starter starter{clock, copy};
  WishboneTarget target{block, clock, copy.pins, memory, params(), &violations};

  ClockDomain& make_clock() {
    block.set_model(*copy.model);
    memory.spread_ps = 100'000;
    for (std::size_t i = 0; i < memory.bytes.size(); ++i)
      memory.bytes[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
    return block.add_clock(copy.clock, {{100'000'000}});
  }
  static WishboneTargetParams params() {
    WishboneTargetParams params;
    params.prefix = "m_";
    if (std::get<1>(GetParam())) params.stalls = Stalls(9, 90);
    return params;
  }
  void command(std::uint64_t from, std::uint64_t to, std::uint64_t words, std::uint64_t sel) {
    copy.from.set(from / 4);
    copy.to.set(to / 4);
    copy.words.set(words);
    copy.sel.set(sel);
  }
};

TEST_P(WishboneTargetTest, WordsAreReadAndWritten) {
  command(0x100, 0x2000, 16, 0xf);
  std::vector<std::uint8_t> expected = memory.bytes;
  std::copy_n(expected.begin() + 0x100, 64, expected.begin() + 0x2000);
  run_until(40'000'000);
  EXPECT_FALSE(copy.busy.high());
  EXPECT_FALSE(copy.error.high());
  EXPECT_EQ(memory.bytes, expected);
  EXPECT_EQ(memory.accesses.size(), 32U);
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_P(WishboneTargetTest, OnlySelectedBytesAreWritten) {
  command(0x100, 0x2000, 2, 0xb);
  std::vector<std::uint8_t> expected = memory.bytes;
  for (std::size_t i = 0; i < 8; ++i)
    if (i % 4 != 2) expected[0x2000 + i] = expected[0x100 + i];
  run_until(40'000'000);
  EXPECT_EQ(memory.bytes, expected);
  EXPECT_EQ(memory.accesses.size(), 2U + 4U);
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_P(WishboneTargetTest, MemorysErrorsAreErr) {
  command(0x1'0000, 0x2000, 1, 0xf);
  run_until(40'000'000);
  EXPECT_FALSE(copy.busy.high());
  EXPECT_TRUE(copy.error.high());
  EXPECT_THAT(violations.told, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(ClassicAndPipelined, WishboneTargetTest,
                         ::testing::Combine(::testing::Bool(), ::testing::Bool()));

}  // namespace
}  // namespace longhaul::cosim
