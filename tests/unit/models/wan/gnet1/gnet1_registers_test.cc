// SPDX-License-Identifier: Apache-2.0
// The twin's registers against their description, rtl/gnet1/gnet1.rdl: every bit of every address.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "models/wan/gnet1/gnet1_regs_info.h"
#include "models/wan/gnet1/gnet1_twin.h"
#include "tests/unit/models/wan/gnet1/gnet1_fixture.h"

namespace longhaul::wan {
namespace {

namespace regs = gnet1_regs;
namespace info = regs::info;

/// All registers by their address on the bus.
std::map<std::uint32_t, RegisterInfo> described() {
  std::map<std::uint32_t, RegisterInfo> all;
  for (const RegisterInfo& each : info::kBoxRegisters) all.emplace(each.offset, each);
  for (std::size_t port = 0; port < regs::kPortCount; ++port) {
    for (RegisterInfo each : info::kPortRegisters) {
      if (each.offset == regs::kRoute) each.reset = regs::kRouteReset.at(port);
      all.emplace(regs::port_base(port) + each.offset, each);
    }
  }
  return all;
}

/// The word that a register shows after `word` was written, with `before` in it.
std::uint32_t shows(const RegisterInfo& reg, std::uint32_t word, std::uint32_t before) {
  if (reg.shown == 0) return 0;
  const std::uint32_t kept = word & reg.kept;
  const std::string_view name = reg.name;
  if (name == "ATM_OVERHEAD") return std::min(kept, regs::kAtmOverheadMost);
  if (name == "DISCARD_CTRL" && (word & regs::kDiscardArm) != 0) return kept | regs::kDiscardArmed;
  if (name == "DISCARD_CTRL" && (word & regs::kDiscardCancel) != 0) return kept;
  return kept | (before & ~reg.kept);
}

struct Gnet1RegistersTest : ::testing::Test {
  void SetUp() override { sc_core::sc_start(sc_core::SC_ZERO_TIME); }

  Gnet1Twin box{"box"};
  gnet1_test::BoxFixture fixture{box, "fixture"};
};

TEST_F(Gnet1RegistersTest, EveryBitIsWrittenAndReadAsDescribed) {
  std::size_t bits = 0;
  for (const auto& [address, reg] : described()) {
    if (!reg.reset_known) continue;
    std::uint32_t before = fixture.read(address);
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
      for (const std::uint32_t word : {1U << bit, ~(1U << bit)}) {
        fixture.write(address, word);
        const std::uint32_t expected = shows(reg, word, before);
        ASSERT_EQ(fixture.read(address), expected) << reg.name << " after " << std::hex << word;
        before = expected;
      }
      ++bits;
    }
  }
  EXPECT_EQ(bits, 32 * (described().size() - 4))
      << "all but TIME, GPS_TENTHS and the two of a sample";
}

TEST_F(Gnet1RegistersTest, AddressesWithoutARegisterReadZeroAndChangeNothing) {
  const auto listed = described();
  EXPECT_EQ(listed.size(),
            info::kBoxRegisters.size() + regs::kPortCount * info::kPortRegisters.size());
  std::map<std::uint32_t, std::uint32_t> before;
  for (const auto& [address, reg] : listed) {
    if (reg.reset_known) before[address] = fixture.read(address);
  }
  for (std::uint32_t address = 0; address < regs::kMapBytes; address += 4) {
    if (listed.count(address) != 0) continue;
    fixture.write(address, 0xffff'ffff);
    EXPECT_EQ(fixture.read(address), 0U) << std::hex << address;
  }
  for (const auto& [address, word] : before)
    EXPECT_EQ(fixture.read(address), word) << std::hex << address;
}

}  // namespace
}  // namespace longhaul::wan
