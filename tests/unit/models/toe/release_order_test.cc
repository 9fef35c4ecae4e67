// SPDX-License-Identifier: Apache-2.0
#include "models/toe/release_order.h"

#include <gtest/gtest.h>

namespace longhaul::toe {
namespace {

TEST(ReleaseOrder, WithoutEventsEverythingMayLeave) {
  const ReleaseOrder order;
  EXPECT_EQ(order.limit(7), 7U);
}

TEST(ReleaseOrder, EntriesWaitForTheirEventAndForThoseBeforeThem) {
  ReleaseOrder order;
  order.begins(1, 0);
  order.filled(2);  // entries 0 and 1
  order.begins(2, 2);
  order.filled(3);  // entry 2
  EXPECT_EQ(order.limit(3), 0U);
  order.over(2);
  EXPECT_EQ(order.limit(3), 0U);
  order.over(1);
  EXPECT_EQ(order.limit(3), 3U);
}

TEST(ReleaseOrder, AnEventWithoutEntriesHoldsNothing) {
  ReleaseOrder order;
  order.begins(1, 4);
  EXPECT_EQ(order.limit(4), 4U);
  order.filled(4);
  order.begins(2, 4);
  order.filled(5);
  order.over(1);
  EXPECT_EQ(order.limit(5), 4U);
  order.over(2);
  EXPECT_EQ(order.limit(5), 5U);
}

TEST(ReleaseOrder, AnEventOfTheTimeBeforeClearIsOverWithoutEffect) {
  ReleaseOrder order;
  order.begins(1, 0);
  order.filled(1);
  order.clear();
  order.begins(2, 1);
  order.filled(2);
  order.over(1);
  EXPECT_EQ(order.limit(2), 1U);
}

}  // namespace
}  // namespace longhaul::toe
