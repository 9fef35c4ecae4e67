// SPDX-License-Identifier: Apache-2.0
// Functions with several memory BARs, 64-bit ones among them, and with several vectors.
#include <gtest/gtest.h>

#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t kWide = address_map::kHighMmioBegin + 0x1000'0000;
constexpr std::uint64_t kNarrow = 0xf030'0000;
constexpr std::uint64_t kTable = 0xf040'0000;
constexpr std::uint32_t kMessageAddress = 0xfee0'0000;

ConfigIdentity identity() {
  ConfigIdentity identity = testing::test_identity();
  identity.msi_capability_offset = 0x58;
  identity.pcix_capability_offset = 0x50;
  identity.io_size = 0;
  identity.bars = {MemoryBar{0, 256U << 20U, true, true}, MemoryBar{2, 4096, false, false},
                   MemoryBar{3, MsixTable::kBarBytes, false, false}};
  identity.msi_vectors = 4;
  identity.msix_capability_offset = 0x68;
  identity.msix_vectors = 2;
  identity.msix_bar = 3;
  return identity;
}

TEST(MemoryBars, SoftwareFindsSizesKindsAndUpperHalves) {
  ConfigSpace config(identity());
  for (const std::uint32_t at : {0x10U, 0x14U, 0x18U, 0x1cU, 0x20U})
    config.write(at, 4, 0xffff'ffff);
  EXPECT_EQ(config.read(0x10, 4), 0xf000'000cU);  // 256 MiB, 64 bits, prefetchable
  EXPECT_EQ(config.read(0x14, 4), 0xffff'ffffU);
  EXPECT_EQ(config.read(0x18, 4), 0xffff'f000U);
  EXPECT_EQ(config.read(0x1c, 4), 0xffff'f000U);
  EXPECT_EQ(config.read(0x20, 4), 0U);
}

TEST(MemoryBars, EachClaimsItsAddresses) {
  ConfigSpace config(identity());
  config.write(0x10, 4, static_cast<std::uint32_t>(kWide));
  config.write(0x14, 4, static_cast<std::uint32_t>(kWide >> 32U));
  config.write(0x18, 4, static_cast<std::uint32_t>(kNarrow));
  EXPECT_FALSE(config.claims_memory(kWide)) << "memory is not enabled";
  config.write(0x04, 2, 2);
  EXPECT_EQ(config.claiming_bar(kWide + 0xfff'ffff), 0U);
  EXPECT_EQ(config.claiming_bar(kNarrow + 4095), 1U);
  EXPECT_EQ(config.claiming_bar(kNarrow + 4096), config.memory_bars());
  EXPECT_EQ(config.claiming_bar(kWide - 1), config.memory_bars());
}

TEST(MemoryBars, TwoInOneRegisterCannotBe) {
  ConfigIdentity wrong = identity();
  wrong.bars[1].index = 1;  // the upper half of the first
  EXPECT_THROW(ConfigSpace{wrong}, std::logic_error);
  wrong = identity();
  wrong.bars[1] = {5, 4096, true, false};
  EXPECT_THROW(ConfigSpace{wrong}, std::logic_error);
}

/// Notes which BAR is hit where; has room for writes or not.
struct Device final : PcixDevice {
  explicit Device(const sc_core::sc_module_name& name) : PcixDevice(name, 16, identity(), {}, {}) {}
  std::vector<std::pair<std::size_t, std::uint64_t>> hits;
  bool room = true;
  using PcixDevice::set_interrupts;
  bool takes_write() const override { return room; }
  sc_core::sc_time access_memory_bar(tlm::tlm_generic_payload& payload) override {
    hits.emplace_back(accessed_bar(), payload.get_address());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return sc_core::SC_ZERO_TIME;
  }
};

struct Messages final : MsiReceiver {
  std::vector<std::uint32_t> data;
  void msi(std::uint64_t, std::uint16_t message) override { data.push_back(message); }
};

struct MemoryBarsTest : testing::PcTest {
  std::unique_ptr<Device> function;
  Messages messages;
  void add() {
    build();
    function = std::make_unique<Device>("function");
    bus->slot(1, 1).bind(function->bus_socket);
    bridge->set_msi_receiver(&messages);
    ConfigSpace& config = function->config();
    config.write(0x10, 4, static_cast<std::uint32_t>(kWide));
    config.write(0x14, 4, static_cast<std::uint32_t>(kWide >> 32U));
    config.write(0x18, 4, static_cast<std::uint32_t>(kNarrow));
    config.write(0x1c, 4, static_cast<std::uint32_t>(kTable));
    config.write(0x04, 2, 6);
  }
  void settle() { sc_core::wait(sc_core::sc_time(2, sc_core::SC_US)); }
};

TEST_F(MemoryBarsTest, TheBusFindsThemAboveAndBelowFourGigabytes) {
  add();
  at(0, [&] {
    core->write32(kWide + 0x123'4568, 1);
    core->write32(kNarrow + 8, 1);
    core->read32(kNarrow + 0x10);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_THAT(function->hits,
              ElementsAre(std::pair{0U, 0x123'4568U}, std::pair{1U, 8U}, std::pair{1U, 0x10U}));
}

TEST_F(MemoryBarsTest, AWriteWithoutRoomIsRetriedAndKeepsItsPlace) {
  add();
  function->room = false;
  at(0, [&] {
    core->write32(kNarrow, 1);
    core->write32(kNarrow + 4, 2);
    settle();
    EXPECT_THAT(function->hits, IsEmpty());
    EXPECT_GT(bus->retries.value(), 1U);
    function->room = true;
    core->read32(kNarrow + 8);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_THAT(function->hits, ElementsAre(std::pair{1U, 0U}, std::pair{1U, 4U}, std::pair{1U, 8U}));
}

TEST_F(MemoryBarsTest, MsiPutsTheVectorIntoTheLowBitsOfTheData) {
  add();
  ConfigSpace& config = function->config();
  config.write(0x5c, 4, kMessageAddress);
  config.write(0x64, 2, 0x18);
  EXPECT_EQ(config.read(0x5a, 2) >> 1 & 7U, 2U) << "asks for four";
  config.write(0x5a, 2, 0x0021);  // on, four vectors
  at(0, [&] {
    function->set_interrupts(0b1011, 0b1011);
    function->set_interrupts(0b1000, 0);
    function->set_interrupts(0b1100, 0b0100);
    settle();
    EXPECT_THAT(messages.data, ElementsAre(0x18, 0x19, 0x1b, 0x1a));
    config.write(0x5a, 2, 0x0011);  // two: requests share them
    function->set_interrupts(0b1000, 0b1000);
    settle();
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(messages.data.back(), 0x19U);
  EXPECT_EQ(function->interrupts.value(), 5U);
}

TEST_F(MemoryBarsTest, MsixVectorsHaveMasksAndPendingBits) {
  add();
  at(0, [&] {
    core->write32(kTable, kMessageAddress);
    core->write32(kTable + 8, 5);
    core->write32(kTable + 16, kMessageAddress);
    core->write32(kTable + 24, 9);
    core->write32(kTable + 12, 0);  // vector 0 is not masked, vector 1 is
    std::uint16_t on = 0x8000;
    const std::uint64_t config =
        address_map::kConfigBegin + address_map::kConfigBytes + address_map::kFunctionBytes;
    core->access(tlm::TLM_WRITE_COMMAND, config + 0x6a, &on, 2);
    function->set_interrupts(0b11, 0b11);
    settle();
    EXPECT_THAT(messages.data, ElementsAre(5));
    EXPECT_EQ(core->read32(kTable + MsixTable::kPendingOffset), 2U);
    core->write32(kTable + 28, 0);
    settle();
    EXPECT_THAT(messages.data, ElementsAre(5, 9));
    EXPECT_EQ(core->read32(kTable + MsixTable::kPendingOffset), 0U);
    EXPECT_EQ(core->read32(kTable + 24), 9U);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_THAT(function->hits, IsEmpty());
}

}  // namespace
}  // namespace longhaul::pcix
