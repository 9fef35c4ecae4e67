// SPDX-License-Identifier: Apache-2.0
// How often the chip sends data again before it gives a connection up.
#include <gmock/gmock.h>

#include "tests/unit/models/nic/terminator/offload_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using ::testing::SizeIs;

/// Sends data that nobody acknowledges until the chip gives up. Returns how often they were sent.
std::size_t sent_until_given_up(OffloadFixture& b) {
  b.connect();
  b.messages();
  b.send_data(0, 100);
  std::size_t sent = 0;
  auto news = b.messages();
  for (int i = 0; i < 10'000 && news.empty(); ++i) {
    b.run_us(100'000);
    sent += b.segments().size();
    news = b.messages();
  }
  EXPECT_THAT(news, SizeIs(1));
  EXPECT_EQ(news.at(0).opcode, 0x0bU) << "CPL_ABORT_REQ";
  EXPECT_EQ(news.at(0).bytes[9], 31U) << "CPL_ERR_XMIT_TIMEDOUT";
  return sent;
}

TEST(Retransmissions, AFieldOfARegisterHasTheirNumber) {
  OffloadFixture b;
  b.write(regs::kTpShiftCnt, 2U << 16U);
  EXPECT_EQ(sent_until_given_up(b), 1U + 2U);
}

TEST(Retransmissions, WithoutANumberTheyAreAsManyAsChxgeSets) {
  OffloadFixture b;
  EXPECT_EQ(sent_until_given_up(b), 1U + 14U);
}

}  // namespace
}  // namespace longhaul::nic::terminator
