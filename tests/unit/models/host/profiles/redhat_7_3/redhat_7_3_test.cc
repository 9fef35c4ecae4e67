// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/host/profiles/os_profile.h"
#include "tests/unit/models/host/profiles/differences.h"
#include "tests/unit/models/tcp/rig.h"

namespace longhaul::host {
namespace {

TEST(RedHat73, DiffersFromRedHat80InTicksAndSlices) {
  const OsProfile here = os_profile("redhat-7.3", "test");
  const OsProfile later = os_profile("linux-2.4.18", "test");
  EXPECT_THAT(differences(here.tcp, later.tcp),
              ::testing::UnorderedElementsAre("timer_tick", "rtt_tick", "timestamp_tick",
                                              "delayed_ack_tick"));
  EXPECT_THAT(differences(here.net, later.net), ::testing::IsEmpty());
  EXPECT_THAT(differences(here.kernel, later.kernel),
              ::testing::UnorderedElementsAre("tick", "slice"));
}

TEST(RedHat73, ALoneSegmentIsAcknowledgedAfterFourTicksOfTenMilliseconds) {
  tcp::rig::Lone t(os_profile("redhat-7.3", "test").tcp);
  t.establish();
  const std::uint32_t quick = t.config.quick_acks;
  for (std::uint64_t i = 0; i < quick; ++i) t.data(i * 100, 100);
  t.acks();
  t.calendar.run_until((t.calendar.now() / (10 * kMs) + 1) * 10 * kMs);
  const std::uint64_t arrived = t.calendar.now();
  t.data(quick * 100, 100);
  t.pass(kSecond);
  ASSERT_EQ(t.host.sent.size(), 1U);
  EXPECT_EQ(t.host.sent[0].at - arrived, 40 * kMs);
}

}  // namespace
}  // namespace longhaul::host
