// SPDX-License-Identifier: Apache-2.0
#include "models/common/ring_buffer.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <random>

namespace longhaul {
namespace {

TEST(RingQueue, DoesWhatADequeDoes) {
  std::mt19937 random(5);
  RingBuffer<int> ring;
  std::deque<int> deque;
  for (int i = 0; i < 20'000; ++i) {
    // More come than go for a while, and then more go than come.
    const bool grows = random() % 100 < (i / 1000 % 2 == 0 ? 60U : 40U);
    const bool at_front = random() % 2 == 0;
    if (grows) {
      at_front ? ring.push_front(i) : ring.push_back(i);
      at_front ? deque.push_front(i) : deque.push_back(i);
    } else if (!deque.empty()) {
      ASSERT_EQ(at_front ? ring.front() : ring.back(), at_front ? deque.front() : deque.back());
      ASSERT_EQ(at_front ? ring.pop_front() : ring.pop_back(),
                at_front ? deque.front() : deque.back());
      at_front ? deque.pop_front() : deque.pop_back();
    }
    ASSERT_EQ(ring.size(), deque.size());
    if (!deque.empty()) {
      const std::size_t place = random() % deque.size();
      ASSERT_EQ(ring[place], deque[place]);
    }
  }
  ring.clear();
  EXPECT_TRUE(ring.empty());
}

TEST(RingQueue, WhatIsTakenOutIsNotHeldAnyMore) {
  RingBuffer<std::shared_ptr<int>> ring;
  for (int i = 0; i < 3; ++i) ring.push_back(std::make_shared<int>(i));
  const std::weak_ptr<int> first = ring.front();
  const std::weak_ptr<int> last = ring.back();
  const std::weak_ptr<int> middle = ring[1];
  ring.pop_front();
  EXPECT_TRUE(first.expired());
  ring.pop_back();
  EXPECT_TRUE(last.expired());
  ring.clear();
  EXPECT_TRUE(middle.expired());
}

}  // namespace
}  // namespace longhaul
