// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/host/profiles/os_profile.h"
#include "tests/unit/models/host/profiles/differences.h"
#include "tests/unit/models/tcp/rig.h"

namespace longhaul::host {
namespace {

TEST(WindowsNt40, DiffersFromWindows2000InWindowAndSack) {
  const OsProfile here = os_profile("windows-nt-4.0", "test");
  const OsProfile later = os_profile("windows-2000", "test");
  EXPECT_THAT(differences(here.tcp, later.tcp),
              ::testing::UnorderedElementsAre("sack", "receive_buffer"));
  EXPECT_THAT(differences(here.net, later.net), ::testing::ElementsAre("receive_buffer"));
  EXPECT_THAT(differences(here.kernel, later.kernel), ::testing::IsEmpty());
}

TEST(WindowsNt40, ItsSynHasNoOptionButTheSegmentSize) {
  constexpr std::uint32_t kEthernet = 1460;
  tcp::rig::Pair pair(os_profile("windows-nt-4.0", "test").tcp,
                      os_profile("freebsd-4.5", "test").tcp, kMs, 0, kEthernet);
  pair.open();
  ASSERT_FALSE(pair.a.sent.empty());
  const tcp::Segment& syn = pair.a.sent[0].segment;
  EXPECT_EQ(syn.options.mss, kEthernet);
  EXPECT_FALSE(syn.options.sack_permitted);
  EXPECT_FALSE(syn.options.timestamps);
  EXPECT_FALSE(syn.options.window_scale.has_value());
  EXPECT_EQ(syn.window, 6U * kEthernet);
}

}  // namespace
}  // namespace longhaul::host
