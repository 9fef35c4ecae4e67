// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/mapped_function.h"

#include <gtest/gtest.h>

#include "models/common/address_sanitizer.h"
#include "tests/unit/models/pcix/pc_fixture.h"
#include "tests/unit/platform/portmap/copying_block.h"

namespace longhaul::portmap {
namespace {

constexpr std::uint64_t kBlockBar = 0xf020'0000;
constexpr std::uint32_t kFrom = 0x1'0008;
constexpr std::uint32_t kTo = 0x2'0010;

cosim::RtlInstance* make(const char*, cosim::TraceSink*, cosim::RtlListener*) {
  return new testing::CopyingBlock;
}

class MappedFunctionTest : public pcix::testing::PcTest {
 protected:
  void add_block() {
    build();
    function = std::make_unique<MappedFunction>("block", map, object, params);
    bus->slot(1, 1).bind(function->bus_socket);
    function->config().write(0x10, 4, kBlockBar);
    function->config().write(0x04, 2, 0x0006);
  }
  void wait_for_interrupt() {
    for (int i = 0; i < 1000 && function->interrupts.value() == 0; ++i)
      sc_core::wait(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_EQ(function->interrupts.value(), 1U);
  }
  void conventional() {
    text.replace(text.find("pcix-133"), 8, "pci-33");
    reread();
    bus_params.protocol.value = "pci";
    bus_params.clock.value = {33'333'333};
  }
  void reread() { map = BlockMap::parse(text.c_str(), "test"); }
  FunctionParams params;
  std::string text = testing::copying_map();
  BlockMap map = BlockMap::parse(text.c_str(), "test");
  cosim::RtlObject object{text.c_str(), false, false, make};
  std::unique_ptr<MappedFunction> function;
};

TEST_F(MappedFunctionTest, RegistersAreBehindTheBarAndReadsTakeTheBlocksClocks) {
  add_block();
  std::uint64_t took_ps = 0;
  at(0, [&] {
    core->write32(kBlockBar, 0x1234'5678);
    core->write32(kBlockBar + 4, 0x9abc'def0);
    const std::uint64_t begin_ps = now_ps();
    EXPECT_EQ(core->read32(kBlockBar), 0x1234'5678U);
    took_ps = now_ps() - begin_ps;
    EXPECT_EQ(core->read32(kBlockBar + 4), 0x9abc'def0U);
    EXPECT_EQ(core->read32(kBlockBar + 16), 2U);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_GT(took_ps, testing::CopyingBlock::kReadClocks * 8'000);
  EXPECT_EQ(bus->mmio_reads.value(), 3U);
}

TEST_F(MappedFunctionTest, AClockOfTheSlotHasTheFrequencyOfTheBus) {
  // The block's clock has 125 MHz in its map, and 33 MHz in this slot.
  text.replace(text.find(R"("slot": false)"), 13, R"("slot": true)");
  conventional();
  add_block();
  std::uint64_t took_ps = 0;
  at(0, [&] {
    const std::uint64_t begin_ps = now_ps();
    core->read32(kBlockBar);
    took_ps = now_ps() - begin_ps;
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_GE(took_ps, testing::CopyingBlock::kReadClocks * 30'000);
}

TEST_F(MappedFunctionTest, AParameterOfTheTopModuleIsShownAndHasTheValueOfTheObject) {
  text.replace(
      text.find(R"("compiled": [])"), 14,
      R"("compiled": [{"name": "depth", "value": "4KiB", "values": ["1KiB", "4KiB"], "description": "d"}])");
  reread();
  params.block = BlockParams(map);
  const auto left = params.block.take({{"depth", "4KiB"}, {"other", 1}}, "own.eth0", 0);
  EXPECT_EQ(left, nlohmann::json({{"other", 1}}));
  const nlohmann::json shown = params.block.describe(nlohmann::json::array());
  EXPECT_EQ(shown.at(0).at("name"), "depth");
  EXPECT_EQ(shown.at(0).at("value"), "4KiB");
  const nlohmann::json known = BlockParams(map).describe_defaults(nlohmann::json::array());
  EXPECT_EQ(known.at(0).at("choices"), nlohmann::json({"1KiB", "4KiB"}));
  const auto refused = [&](const char* value) {
    try {
      BlockParams(map).take({{"depth", value}}, "own.eth0", 0);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused("1KiB"),
            "own.eth0.depth: this RTL object is compiled with 4KiB, not with 1KiB");
  EXPECT_NE(refused("2KiB").find("1KiB"), std::string::npos);
}

TEST_F(MappedFunctionTest, TheBlockMastersTheBusAndAsksForAnInterrupt) {
  add_block();
  std::uint64_t interrupt_ps = 0;
  at(0, [&] {
    for (std::uint32_t i = 0; i < 16; ++i) ram[kFrom + i] = static_cast<std::uint8_t>(0xa0 + i);
    core->write32(kBlockBar + 4, kFrom);
    core->write32(kBlockBar + 8, kTo);
    core->write32(kBlockBar + 12, 1);
    wait_for_interrupt();
    interrupt_ps = now_ps();
    EXPECT_EQ(core->read32(kBlockBar), 0U);  // pushes the write that is still in the bridge
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_EQ(ram[kTo + i], 0xa0 + i) << i;
  EXPECT_EQ(ram[kTo + 16], static_cast<std::uint8_t>((kTo + 16) * 167 + ((kTo + 16) >> 8) * 13));
  EXPECT_EQ(bus->memory_reads.value(), 1U);
  EXPECT_EQ(bus->memory_writes.value(), 1U);
  EXPECT_GT(interrupt_ps, 0U);
}

TEST_F(MappedFunctionTest, ItsBusesAreCountedWhereTheObjectCounts) {
  object.covered = true;
  add_block();
  at(0, [&] {
    core->write32(kBlockBar + 4, kFrom);
    core->write32(kBlockBar + 8, kTo);
    core->write32(kBlockBar + 12, 1);
    wait_for_interrupt();
    core->read32(kBlockBar + 16);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  const nlohmann::json found = function->bus_coverage();
  EXPECT_EQ(
      found.at("regs").at("registers"),
      nlohmann::json::parse(R"([["0x4", 0, 1], ["0x8", 0, 1], ["0xc", 0, 1], ["0x10", 1, 0]])"));
  std::map<std::string, std::uint64_t> bins;
  for (const auto& bin : found.at("dma").at("bins")) bins[bin[0]] = bin[1];
  EXPECT_EQ(bins.at("read of 2 beats"), 1U);
  EXPECT_EQ(bins.at("write of 2 beats"), 1U);
  EXPECT_EQ(bins.at("write of 1 beat"), 0U);
  EXPECT_EQ(bins.count("write answered OKAY"), 0U) << "the block has no BRESP";
}

TEST_F(MappedFunctionTest, AnErrorOfTheBlockEndsAReadInOnes) {
  add_block();
  at(0, [&] {
    EXPECT_EQ(core->read32(kBlockBar + 0xff0), ~0U);
    EXPECT_EQ(core->read32(kBlockBar + 16), 1U);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(bus->target_aborts.value(), 1U);
}

TEST_F(MappedFunctionTest, ReadsOfMemoryThatIsNotThereAreAnswered) {
  add_block();
  at(0, [&] {
    core->write32(kBlockBar + 4, 0xe000'0000);
    core->write32(kBlockBar + 8, kTo);
    core->write32(kBlockBar + 12, 1);
    wait_for_interrupt();
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(function->dma_failures.value(), 1U);
}

/// How the block hangs, the pin that does not move, and what is said of it.
struct Hang {
  std::uint32_t how;
  std::string pin;
  std::string said;
};

std::ostream& operator<<(std::ostream& out, const Hang& hang) { return out << hang.pin; }

struct HangTest : MappedFunctionTest, ::testing::WithParamInterface<Hang> {};

TEST_P(HangTest, ABlockThatHangsAtMemoryBreaksARule) {
  if (under_address_sanitizer()) {
    GTEST_SKIP() << "the sanitizer takes an exception out of a SystemC process for a damaged stack";
  }
  add_block();
  at(0, [&] {
    core->write32(kBlockBar + 4, kFrom);
    core->write32(kBlockBar + 8, kTo);
    core->write32(kBlockBar + 12, GetParam().how);
    sc_core::wait(sc_core::sc_time(20, sc_core::SC_US));
    sc_core::sc_stop();
  });
  std::string said;
  try {
    sc_core::sc_start();
  } catch (const std::exception& error) {
    said = error.what();
  }
  EXPECT_NE(said.find("dma." + GetParam().pin + " breaks the rule memory.taken (Longhaul)"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find(GetParam().said + " has waited for 256 clocks"), std::string::npos) << said;
  EXPECT_LT(now_ps(), 5'000'000U);  // 256 clocks of 8 ns, and the copy
}

INSTANTIATE_TEST_SUITE_P(Pins, HangTest,
                         ::testing::Values(Hang{2, "bready",
                                                "the response of the write of 0x20010"},
                                           Hang{3, "wvalid", "the rest of the write of 0x20010"},
                                           Hang{4, "rready", "data of the read of 0x10008"}),
                         [](const auto& each) { return each.param.pin; });

TEST_F(MappedFunctionTest, ItSaysWhatItWaitsFor) {
  add_block();
  std::string in_between;
  at(0, [&] {
    EXPECT_EQ(function->waiting(),
              "no register was ever accessed; it never asked for memory; its interrupt request "
              "never rose; it sent no frame; it was sent no frame");
    core->write32(kBlockBar + 4, kFrom);
    core->write32(kBlockBar + 8, kTo);
    core->write32(kBlockBar + 12, 1);
    wait_for_interrupt();
    sc_core::sc_stop();
  });
  at(600'000, [&] { in_between = function->waiting(); });
  sc_core::sc_start();
  EXPECT_NE(in_between.find("its read of 16 bytes of memory at 0x10008 has no answer since 0.000"),
            std::string::npos)
      << in_between;
  const std::string said = function->waiting();
  EXPECT_EQ(said.rfind("last register access: write of 0xc at 0.000", 0), 0U) << said;
  EXPECT_NE(said.find("ms, answered; last access to memory at 0.00"), std::string::npos) << said;
  EXPECT_NE(said.find("all answered; interrupt request high, last rise at"), std::string::npos)
      << said;
}

TEST_F(MappedFunctionTest, ConventionalPciDelaysReads) {
  conventional();
  add_block();
  at(0, [&] {
    core->write32(kBlockBar, 77);
    EXPECT_EQ(core->read32(kBlockBar), 77U);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_GT(bus->retries.value(), 0U);
}

TEST_F(MappedFunctionTest, WritesWithoutRoomAreRetriedAndArriveInTheirOrder) {
  const std::string fast = R"("hertz": 125000000)";
  text.replace(text.find(fast), fast.size(), R"("hertz": 1000000)");  // of clk, the first
  reread();
  params.posted_writes.value = 2;
  add_block();
  at(0, [&] {
    for (std::uint32_t i = 1; i <= 8; ++i) core->write32(kBlockBar + 4 * (i % 2), i);
    EXPECT_EQ(core->read32(kBlockBar), 8U);
    EXPECT_EQ(core->read32(kBlockBar + 4), 7U);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_GT(bus->retries.value(), 10U);
  EXPECT_EQ(bus->mmio_writes.value(), 8U);
}

TEST_F(MappedFunctionTest, TwoBarsLeadToOneInterfaceEachAtItsOffset) {
  const std::string one = R"("registers": "regs", "offset": 0})";
  text.replace(text.find(one), one.size(),
               one + R"(, {"index": 3, "bytes": 16, "wide": false, "prefetchable": false,
                     "registers": "regs", "offset": 4})");
  reread();
  add_block();
  constexpr std::uint64_t kSecond = 0xf030'0000;
  function->config().write(0x1c, 4, kSecond);
  at(0, [&] {
    core->write32(kBlockBar, 1);
    core->write32(kSecond, 2);
    EXPECT_EQ(core->read32(kBlockBar + 4), 2U);
    EXPECT_EQ(core->read32(kSecond), 2U);
    EXPECT_EQ(core->read32(kBlockBar), 1U);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(bus->mmio_reads.value(), 3U);
}

TEST_F(MappedFunctionTest, PulsesAreMessagesAndLostWithoutThem) {
  const std::string level = R"("trigger": "level", "pins": {"irq")";
  ASSERT_NE(text.find(level), std::string::npos);
  text.replace(text.find(level), level.size(), R"("trigger": "edge", "pins": {"irq")");
  reread();
  add_block();
  const auto copy = [&] {
    core->write32(kBlockBar + 4, kFrom);
    core->write32(kBlockBar + 8, kTo);
    core->write32(kBlockBar + 12, 1);
    sc_core::wait(sc_core::sc_time(10, sc_core::SC_US));
  };
  at(0, [&] {
    copy();
    EXPECT_EQ(function->interrupts_lost.value(), 1U);
    EXPECT_EQ(function->interrupts.value(), 0U);
    function->config().write(0x5c, 4, 0xfee0'0000);
    function->config().write(0x5a, 2, 1);
    copy();
    EXPECT_EQ(function->interrupts_lost.value(), 1U);
    EXPECT_EQ(function->interrupts.value(), 1U);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
}

}  // namespace
}  // namespace longhaul::portmap
