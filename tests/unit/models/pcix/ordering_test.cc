// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/ordering.h"

#include <gtest/gtest.h>

namespace longhaul::pcix {
namespace {

constexpr OrderClass kAll[] = {OrderClass::kPostedWrite, OrderClass::kReadRequest,
                               OrderClass::kWriteRequest, OrderClass::kReadCompletion,
                               OrderClass::kWriteCompletion};

TEST(Ordering, NothingWithDataOrARequestPassesAPostedWrite) {
  for (const OrderClass later : kAll) {
    EXPECT_EQ(passing(later, OrderClass::kPostedWrite, false),
              later == OrderClass::kWriteCompletion ? Passing::kMay : Passing::kMustNot);
  }
}

TEST(Ordering, APostedWriteMustBeAbleToPassAllButItsLike) {
  for (const OrderClass earlier : kAll) {
    EXPECT_EQ(passing(OrderClass::kPostedWrite, earlier, false),
              earlier == OrderClass::kPostedWrite ? Passing::kMustNot : Passing::kMust);
  }
}

TEST(Ordering, CompletionsMustBeAbleToPassRequests) {
  for (const OrderClass later : {OrderClass::kReadCompletion, OrderClass::kWriteCompletion}) {
    EXPECT_EQ(passing(later, OrderClass::kReadRequest, false), Passing::kMust);
    EXPECT_EQ(passing(later, OrderClass::kWriteRequest, false), Passing::kMust);
    EXPECT_EQ(passing(later, OrderClass::kReadCompletion, false), Passing::kMay);
  }
}

TEST(Ordering, RelaxedOrderingLetsWritesAndReadDataPassPostedWritesButNoRequest) {
  EXPECT_EQ(passing(OrderClass::kPostedWrite, OrderClass::kPostedWrite, true), Passing::kMay);
  EXPECT_EQ(passing(OrderClass::kReadCompletion, OrderClass::kPostedWrite, true), Passing::kMay);
  EXPECT_EQ(passing(OrderClass::kReadRequest, OrderClass::kPostedWrite, true), Passing::kMustNot);
  EXPECT_EQ(passing(OrderClass::kWriteRequest, OrderClass::kPostedWrite, true), Passing::kMustNot);
}

}  // namespace
}  // namespace longhaul::pcix
