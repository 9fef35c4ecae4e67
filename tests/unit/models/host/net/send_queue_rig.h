// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "models/host/net/send_queue.h"
#include "models/memory/backing_store.h"

namespace longhaul::host::testing {

struct SendQueueFixture : ::testing::Test {
  memory::BackingStore store{units::MiB(16), "test"};
  MemoryPool pool{store.mapping(), 4096, 1};
  NetParams params;
  std::mt19937_64 random{7};

  std::uint64_t upto(std::uint64_t most) { return random() % (most + 1); }
};

/// Appends `bytes`, each the low byte of its offset.
inline void append(SendQueue& queue, MemoryPool& pool, std::uint64_t bytes, std::uint64_t sent) {
  while (bytes > 0) {
    const SendQueue::Space space = queue.space(sent);
    const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(space.bytes, bytes));
    for (std::uint32_t i = 0; i < n; ++i)
      pool.to_write(space.address, n)[i] = static_cast<std::uint8_t>(queue.end() + i);
    queue.append(n);
    bytes -= n;
  }
}

}  // namespace longhaul::host::testing
