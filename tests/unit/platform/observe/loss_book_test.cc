// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/loss_book.h"

#include <gtest/gtest.h>

#include "models/net/frame/not_lost.h"
#include "tests/unit/platform/observe/loss_parts.h"

namespace longhaul::observe {
namespace {

struct Losses : LossParts {
  const FlowKey flow = transport_header(*tcp(0, 1))->flow;
};

TEST_F(Losses, TapsAreLeftAloneWhileNobodyListens) {
  EXPECT_FALSE(box.tap.active());
  {
    const LossBook book(watch);
    EXPECT_TRUE(box.tap.active());
  }
  EXPECT_FALSE(box.tap.active());
}

TEST_F(Losses, AFrameForOthersIsNotLost) {
  const LossBook book(watch);
  box.drop(1 * kMs, tcp(1000, 100), "RED");
  for (const char* why : {not_lost::kOtherAddress, not_lost::kOtherVlan, not_lost::kPauseEnds})
    host.drop(2 * kMs, tcp(1000, 100), why);
  EXPECT_STREQ(book.last_loss(flow, 1000, 1)->why, "RED");
}

TEST_F(Losses, SequenceNumbersWrapAndFlowsAreApart) {
  const LossBook book(watch);
  box.drop(1 * kMs, tcp(0xffff'ffc0, 100), "first");
  box.drop(2 * kMs, tcp(0x24, 100), "second");
  EXPECT_STREQ(book.last_loss(flow, 0xffff'fff0, 4)->why, "first");
  EXPECT_STREQ(book.last_loss(flow, 0x10, 4)->why, "first");
  EXPECT_STREQ(book.last_loss(flow, 0x10, 0x40)->why, "second");
  EXPECT_FALSE(book.last_loss(flow, 0x88, 100));
  test::Segment other;
  other.from_port = 40001;
  EXPECT_FALSE(book.last_loss(transport_header(*test::ip_frame(other))->flow, 0x24, 10));
}

TEST_F(Losses, ALongSegmentIsFoundBehindAShorterOneThatBeginsInIt) {
  const LossBook book(watch);
  box.drop(1 * kMs, tcp(1000, 1000), "long");
  box.drop(2 * kMs, tcp(1100, 100), "short");
  EXPECT_STREQ(book.last_loss(flow, 1500, 100)->why, "long");
  EXPECT_STREQ(book.last_loss(flow, 1150, 10)->why, "short");
  EXPECT_FALSE(book.last_loss(flow, 2000, 100));
}

TEST_F(Losses, TheOldestAreForgottenWhenThereAreTooMany) {
  const LossBook book(watch, 3);
  box.drop(1 * kMs, tcp(1000, 100), "first");
  box.drop(2 * kMs, tcp(1100, 100), "second");
  box.drop(3 * kMs, tcp(1000, 100), "first again");
  EXPECT_FALSE(book.forgets());
  host.drop(4 * kMs, tcp(1200, 100), "third");
  EXPECT_TRUE(book.forgets());
  // The loss that was forgotten is not the one that the same bytes had later.
  EXPECT_STREQ(book.last_loss(flow, 1000, 100)->why, "first again");
  host.drop(5 * kMs, tcp(1300, 100), "fourth");
  EXPECT_FALSE(book.last_loss(flow, 1100, 100));
  EXPECT_STREQ(book.last_loss(flow, 1200, 200)->why, "fourth");
}

TEST_F(Losses, AMillionMoreOfOneFlowLeaveTheNewestAndNoFlowOfOld) {
  const LossBook book(watch, 1000);
  test::Segment s;
  s.payload = 10;
  s.from_port = 40001;
  const FrameRef other = test::ip_frame(s);
  box.drop(0, other, "of old");
  for (std::uint32_t i = 0; i < 1'000'000; ++i) box.drop(i, tcp(i * 5000, 100), "lost");
  const std::uint32_t newest = 999'999U * 5000U;
  EXPECT_EQ(book.last_loss(flow, newest, 1)->ps, 999'999U);
  EXPECT_EQ(book.last_loss(flow, newest - 999 * 5000, 1)->ps, 999'000U);
  EXPECT_FALSE(book.last_loss(flow, newest - 1000 * 5000, 1));
  EXPECT_FALSE(book.last_loss(transport_header(*other)->flow, 0, 10));
}

}  // namespace
}  // namespace longhaul::observe
