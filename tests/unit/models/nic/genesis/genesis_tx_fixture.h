// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "models/nic/genesis/genesis_tx.h"
#include "tests/unit/models/nic/genesis/data_path_fixture.h"

namespace longhaul::nic::genesis {

constexpr std::uint32_t kDone = 0x6955'0000;  // a control word given back

class GenesisTxTest : public ::testing::Test, public DataPathFixture {
 protected:
  std::uint64_t sent_at(std::size_t i) const { return wire.sent.at(i).at_ps; }
  void transmitter(bool on) { xm16(xm::kMmuCmd, on ? 3 : 2); }
};

}  // namespace longhaul::nic::genesis
