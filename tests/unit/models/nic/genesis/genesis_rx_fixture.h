// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "models/nic/genesis/genesis_rx.h"
#include "tests/unit/models/nic/genesis/data_path_fixture.h"

namespace longhaul::nic::genesis {

constexpr std::uint64_t kFramePs = (1514 + 24) * 8'000;  // a full frame, preamble, FCS and gap

class GenesisRxTest : public ::testing::Test, public DataPathFixture {
 protected:
  /// So many of `size` bytes, back to back.
  void flood(std::uint32_t count, std::size_t size) {
    for (std::uint32_t i = 0; i < count; ++i) {
      receive(packet(size, i));
      run_ps((size + 24) * 8'000);
    }
  }
};

}  // namespace longhaul::nic::genesis
