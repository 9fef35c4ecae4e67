// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/frame_losses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace longhaul::cosim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

struct LossesOfABlock : ::testing::Test {
  std::vector<std::pair<std::size_t, std::uint64_t>> lost;
  FrameLosses losses{
      4, [this](std::size_t port, const FrameRef& frame) { lost.emplace_back(port, frame->id()); }};

  static FrameRef frame(std::uint8_t fill, std::uint32_t size = 100) {
    FrameRef ref = Frame::allocate(size);
    std::memset(ref.writable().data(), fill, size);
    return ref;
  }
  /// A leaving frame is made from the bytes on the pins.
  static FrameRef remade(const FrameRef& from) {
    FrameRef ref = Frame::allocate(from->size());
    std::memcpy(ref.writable().data(), from->data(), from->size());
    ref.writable().set_fcs(from->fcs());
    return ref;
  }
};

TEST_F(LossesOfABlock, WhatLeavesPassesJudgmentOnWhatCameBefore) {
  const FrameRef a = frame(1), b = frame(2), c = frame(3), d = frame(4);
  for (const FrameRef& each : {a, b, c, d}) losses.arrives(0, each);
  losses.leaves(*remade(a));
  EXPECT_THAT(lost, IsEmpty());
  losses.leaves(*remade(d));
  EXPECT_THAT(lost, ElementsAre(Pair(0, b->id()), Pair(0, c->id())));
  EXPECT_EQ(losses.inside(0), 0U);
}

TEST_F(LossesOfABlock, PortsKeepTheirOwnOrder) {
  const FrameRef a = frame(1), b = frame(2), c = frame(3);
  losses.arrives(0, a);
  losses.arrives(2, b);
  losses.arrives(0, c);
  losses.leaves(*remade(b));
  EXPECT_THAT(lost, IsEmpty());
  losses.leaves(*remade(c));
  EXPECT_THAT(lost, ElementsAre(Pair(0, a->id())));
}

TEST_F(LossesOfABlock, ADamagedFrameHasLeft) {
  const FrameRef a = frame(1), b = frame(2);
  losses.arrives(1, a);
  losses.arrives(1, b);
  FrameRef damaged = remade(a);
  damaged.writable().flip_bit(77);
  losses.leaves(*damaged);
  losses.leaves(*remade(b));
  EXPECT_THAT(lost, IsEmpty());
}

TEST_F(LossesOfABlock, AFrameThatWasWrittenIntoHasLeftInItsTurn) {
  const FrameRef a = frame(1), b = frame(2);
  losses.arrives(1, a);
  losses.arrives(1, b);
  losses.leaves(*frame(9));
  EXPECT_EQ(losses.inside(1), 1U);
  losses.leaves(*remade(b));
  EXPECT_THAT(lost, IsEmpty());
}

TEST_F(LossesOfABlock, FramesThatNeverLeaveAreHeldUpToABound) {
  const FrameRef a = frame(1), b = frame(2);
  losses.arrives(1, b);
  for (std::size_t i = 0; i < 2 * FrameLosses::kMostInside; ++i) losses.arrives(0, a);
  EXPECT_EQ(losses.inside(0), FrameLosses::kMostInside);
  EXPECT_EQ(losses.inside(1), 1U);
}

TEST_F(LossesOfABlock, AFrameForSeveralPortsLeavesAsOften) {
  const FrameRef a = frame(1), b = frame(2);
  losses.arrives(3, a);
  losses.arrives(3, b);
  for (int port = 0; port < 3; ++port) losses.leaves(*remade(a));
  EXPECT_EQ(losses.inside(3), 1U);
  losses.leaves(*frame(5, 60));  // nobody saw it come
  EXPECT_EQ(losses.inside(3), 1U);
  EXPECT_THAT(lost, IsEmpty());
}

}  // namespace
}  // namespace longhaul::cosim
