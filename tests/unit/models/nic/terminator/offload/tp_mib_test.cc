// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/offload/tp_mib.h"

#include <gmock/gmock.h>

#include "tests/unit/models/nic/terminator/offload_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using ::testing::ElementsAre;

TEST(TpMib, StatisticsOfTcpAreReadWordByWordAndStartAgainWithTp) {
  OffloadFixture b;
  b.connect();
  b.post_pieces({b.tx_data(0, 1000), b.pattern(0, 1000)});
  b.run_us(20);
  b.arrive(tcp::kAck, 1, 1001);
  b.run_us(20);
  const auto statistics = [&] {
    b.write(regs::kTpMibIndex, mib::kActiveOpens);
    std::vector<std::uint32_t> words;
    for (std::uint32_t i = mib::kActiveOpens; i < mib::kWords; ++i)
      words.push_back(b.read(regs::kTpMibData));
    return words;
  };
  // Opens (active, passive), failed ones, resets, RSTs, established. Then received, sent, resent
  // and damaged segments, two words each. Then the least and the largest RTO.
  EXPECT_THAT(statistics(), ElementsAre(1, 0, 0, 0, 0, 1, 0, 2, 0, 3, 0, 0, 0, 0, 250, 64'000));
  EXPECT_EQ(b.read(regs::kTpMibData), 0U) << "behind the end";
  b.write(regs::kTpReset, regs::kTpResetFields.tp_reset);
  EXPECT_THAT(statistics(), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 250, 64'000));
}

}  // namespace
}  // namespace longhaul::nic::terminator
