// SPDX-License-Identifier: Apache-2.0
// A device with two functions: two configuration spaces, base addresses and interrupt pins, one
// REQ# and GNT#.
#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

class FunctionsTest : public testing::PcTest, public IntxReceiver {
 protected:
  static constexpr std::uint64_t kSecondBar = 0xf008'0000;
  static constexpr std::uint64_t kSecondConfig =
      address_map::kConfigBegin + address_map::kFunctionBytes;

  /// Slot 0 with two functions, slot 1 with one.
  void build_both() {
    build();
    second = std::make_unique<testing::TestDevice>("second", target_params, DmaParams{}, 2);
    bus->slot(0, 1).bind(second->bus_socket);
    second->config().write(0x10, 4, static_cast<std::uint32_t>(kSecondBar));
    second->config().write(0x04, 2, 0x0007);
    bridge->set_intx_receiver(this);
  }
  void intx(std::uint32_t line, bool asserted) override { lines.emplace_back(line, asserted); }

  std::unique_ptr<testing::TestDevice> second;
  std::vector<std::pair<std::uint32_t, bool>> lines;
};

TEST_F(FunctionsTest, EachHasItsConfigurationSpaceAndSaysThatItIsNotAlone) {
  build_both();
  at(0, [&] {
    core->write32(kSecondConfig + 0x10, 0xf00c'0000);
    EXPECT_EQ(core->read32(kSecondConfig), 0x1a48'8086U);
    EXPECT_EQ(core->read32(kSecondConfig + 0x10), 0xf00c'0000U);
    EXPECT_EQ(core->read32(address_map::kConfigBegin + 0x10), static_cast<std::uint32_t>(bar(0)));
    EXPECT_EQ(core->read32(address_map::kConfigBegin + 0x0c) >> 16 & 0xff, 0x80U);
    EXPECT_EQ(core->read32(kSecondConfig + 0x0c) >> 16 & 0xff, 0x80U);
    EXPECT_EQ(core->read32(kSecondConfig + 0x3c) >> 8 & 0xff, 2U);
    EXPECT_EQ(core->read32(address_map::kConfigBegin + 4096 + 0x0c) >> 16 & 0xff, 0U)
        << "slot 1 is alone";
    EXPECT_EQ(core->read32(kSecondConfig + 4096), 0xffff'ffffU);
    EXPECT_EQ(core->read32(kSecondConfig + address_map::kFunctionBytes), 0xffff'ffffU);
    EXPECT_EQ(core->read32(0xf00c'0020), 0x1234'5678U);
  });
  sc_core::sc_start();
  EXPECT_EQ(bus->master_aborts.value(), 2U);
}

TEST_F(FunctionsTest, BothTogetherGetTheShareOfOneSlot) {
  build_both();
  at(0, [&] {
    for (std::uint64_t i = 0; i < 4; ++i) {
      device(0).dma().write(0x10000 + i * 512, buffer.data(), 512, &device(0), i);
      second->dma().write(0x20000 + i * 512, buffer.data(), 512, second.get(), i);
    }
    for (std::uint64_t i = 0; i < 8; ++i)
      device(1).dma().write(0x30000 + i * 512, buffer.data(), 512, &device(1), i);
  });
  sc_core::sc_start();
  std::string order;
  for (const auto& span : log.spans) order += static_cast<char>('0' + (span.address >> 16));
  EXPECT_EQ(order, "1323132313231323") << "1, 2: the functions of slot 0; 3: slot 1";
}

class FunctionReadsTest : public FunctionsTest,
                          public ::testing::WithParamInterface<const char*> {};

TEST_P(FunctionReadsTest, ComeBackToTheFunctionThatAsked) {
  bus_params.protocol.value = GetParam();
  bus_params.clock.value = {66'666'667};
  build_both();
  at(0, [&] {
    device(0).dma().read(0x10000, buffer.data(), 512, &device(0), 1);
    second->dma().read(0x20000, buffer.data() + 4096, 512, second.get(), 2);
  });
  sc_core::sc_start();
  EXPECT_EQ(std::memcmp(buffer.data(), ram + 0x10000, 512), 0);
  EXPECT_EQ(std::memcmp(buffer.data() + 4096, ram + 0x20000, 512), 0);
  ASSERT_EQ(device(0).done.size(), 1U);
  ASSERT_EQ(second->done.size(), 1U);
  EXPECT_EQ(device(0).done[0].tag, 1U);
  EXPECT_EQ(second->done[0].tag, 2U);
}

INSTANTIATE_TEST_SUITE_P(Both, FunctionReadsTest, ::testing::Values("pcix", "pci"));

TEST_F(FunctionsTest, IntbSharesTheLineOfTheNextSlotsInta) {
  build_both();
  at(0, [&] {
    const auto settle = [] { sc_core::wait(1, sc_core::SC_US); };
    device(0).set_interrupt(true);
    settle();
    second->set_interrupt(true);
    settle();
    device(1).set_interrupt(true);  // the line is low already
    settle();
    second->set_interrupt(false);  // and stays so
    settle();
    device(1).set_interrupt(false);
    settle();
    device(0).set_interrupt(false);
  });
  sc_core::sc_start();
  EXPECT_THAT(lines, ElementsAre(Pair(0, true), Pair(1, true), Pair(1, false), Pair(0, false)));
}

TEST_F(FunctionsTest, AFunctionThatCannotBeIsRefused) {
  build(1);
  PcixBus empty("empty", bus_params, 2);
  testing::TestDevice lone("lone");
  EXPECT_THROW(empty.slot(1, 1).bind(lone.bus_socket), ConfigError) << "no function 0";
  EXPECT_THROW(empty.slot(1, 2), ConfigError);
}

}  // namespace
}  // namespace longhaul::pcix
