// SPDX-License-Identifier: Apache-2.0
#include "models/nic/terminator/mac_part.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/terminator/mac_part_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using testing::MacPartFixture;

TEST(MacPart, TheDriversInitialisationBringsTheLinkUpAndAFrameThroughBothWays) {
  MacPartFixture b;
  b.up();
  EXPECT_TRUE(b.part.link_up());
  EXPECT_TRUE(b.far.mac.carrier());
  b.arrive(b.frame(1518));
  b.run(kUs);
  ASSERT_EQ(b.taken.size(), 1U);
  EXPECT_EQ(b.taken[0].frame->size(), 1514U) << "without FCS";
  b.send(test::make_frame(1518, MacPartFixture::kFar, MacPartFixture::kMe));
  b.run(5 * kUs);
  EXPECT_EQ(b.far.received, 1U);
}

}  // namespace
}  // namespace longhaul::nic::terminator
