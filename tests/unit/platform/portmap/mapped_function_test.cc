// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/mapped_function.h"

#include <gtest/gtest.h>

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
    function = std::make_unique<MappedFunction>("block", map, object, FunctionParams{});
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
    map = BlockMap::parse(text.c_str(), "test");
    bus_params.protocol.value = "pci";
    bus_params.clock.value = {33'333'333};
  }
  std::string text = testing::copying_map();
  BlockMap map = BlockMap::parse(text.c_str(), "test");
  const cosim::RtlObject object{text.c_str(), false, make};
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

}  // namespace
}  // namespace longhaul::portmap
