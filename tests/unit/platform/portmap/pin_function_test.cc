// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/pin_function.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "tests/unit/models/pcix/pc_fixture.h"
#include "tests/unit/platform/portmap/rtl/pcix_copy.h"

namespace longhaul::portmap {
namespace {

constexpr std::uint32_t kPinBar = 0xf020'0000;
constexpr std::uint32_t kPinFrom = 0x1'0008;
constexpr std::uint32_t kPinTo = 0x2'0010;

/// Writes each clock as a line of four numbers, for tests/system/test_pcix_pins.py. The first is
/// AD, the second C/BE#, PAR and PAR64. The third has asserted signals, FRAME# first, and GNT#. The
/// last one has the groups that agents drive, those of the device in the upper half.
class PinLog final : public cosim::PcixListener {
 public:
  explicit PinLog(const char* path) {
    if (path != nullptr) file_.open(path);
  }
  void on_clock(const cosim::PcixClock& bus, const cosim::PcixClock& device,
                const cosim::PcixClock& host, bool granted) override {
    ++clocks;
    if (bus.frame && !frame_) ++(device.frame ? by_device : by_host);
    frame_ = bus.frame;
    if (!file_.is_open()) return;
    const unsigned asserted = bus.frame | bus.irdy << 1 | bus.trdy << 2 | bus.stop << 3 |
                              bus.devsel << 4 | bus.req64 << 5 | bus.ack64 << 6 | bus.perr << 7 |
                              granted << 8;
    file_ << bus.ad << ' ' << (bus.cbe | bus.par << 8 | bus.par64 << 9) << ' ' << asserted << ' '
          << (device.drives << 16U | host.drives) << '\n';
  }
  std::uint64_t clocks = 0;
  std::uint32_t by_device = 0;
  std::uint32_t by_host = 0;

 private:
  std::ofstream file_;
  bool frame_ = false;
};

class PinFunctionTest : public pcix::testing::PcTest {
 protected:
  void add_block() {
    build(1);
    function = std::make_unique<PinFunction>("block", map, object, params);
    bus->slot(0, 1).bind(function->bus_socket);
  }
  /// Runs `body` as a program of the core, after software has set the function up.
  void run(const std::function<void()>& body) {
    add_block();
    at(0, [&] {
      function->listen(&pins);
      config_write(0x10, kPinBar);
      config_write(0x04, 0x0006);
      body();
      sc_core::sc_stop();
    });
    sc_core::sc_start();
  }
  std::uint64_t config(std::uint32_t offset) const {
    return pcix::address_map::kConfigBegin + pcix::address_map::kFunctionBytes + offset;
  }
  std::uint32_t config_read(std::uint32_t offset) { return core->read32(config(offset)); }
  void config_write(std::uint32_t offset, std::uint32_t value) {
    core->write32(config(offset), value);
  }
  void copy(std::uint32_t words) {
    const std::uint64_t before = function->interrupts.value();
    core->write32(kPinBar + 0, kPinFrom);
    core->write32(kPinBar + 4, kPinTo);
    core->write32(kPinBar + 8, words);
    for (int i = 0; i < 2000 && function->interrupts.value() == before; ++i)
      sc_core::wait(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_EQ(function->interrupts.value(), before + 1);
    core->read32(kPinBar);  // writes before it are in memory
  }
  void expect_copied(std::uint32_t bytes) {
    for (std::uint32_t i = 0; i < bytes; ++i) ASSERT_EQ(ram[kPinTo + i], ram[kPinFrom + i]) << i;
    EXPECT_EQ(ram[kPinTo + bytes],
              static_cast<std::uint8_t>((kPinTo + bytes) * 167 + ((kPinTo + bytes) >> 8) * 13));
  }
  void map_has(const char* key, int value) {
    nlohmann::json json = nlohmann::json::parse(text);
    json["pci"][key] = value;
    text = json.dump();
    map = BlockMap::parse(text.c_str(), "test");
  }
  std::string refusal() {
    try {
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }

  FunctionParams params;
  std::string text = testing::pcix_copy_map();
  BlockMap map = BlockMap::parse(text.c_str(), "test");
  cosim::RtlObject object{"", false, false, testing::make_pcix_copy};
  std::unique_ptr<PinFunction> function;
  PinLog pins{std::getenv("LONGHAUL_PIN_LOG")};
};

TEST_F(PinFunctionTest, ConfigurationSpaceIsTheBlocks) {
  run([&] {
    EXPECT_EQ(config_read(0x00), 0x5678'1234U);
    EXPECT_EQ(config_read(0x08), 0x0200'009aU);
    EXPECT_EQ(config_read(0x10), kPinBar);
    EXPECT_EQ(config_read(0x2c), 0x8765'4321U);
    EXPECT_EQ(config_read(0x40) & 0xffU, 7U);  // where the block has it, not the copy
    EXPECT_EQ(config_read(0x50) & 0xffU, 5U);
    std::uint8_t line = 11;
    core->access(tlm::TLM_WRITE_COMMAND, config(0x3c), &line, 1);
    EXPECT_EQ(config_read(0x3c), 0x0000'010bU);
    config_write(0x10, ~0U);
    EXPECT_EQ(config_read(0x10), 0xffff'f000U);
  });
  EXPECT_GE(pins.by_host, 10U);
  EXPECT_EQ(pins.by_device, 0U);
}

TEST_F(PinFunctionTest, RegistersAreBehindTheBar) {
  run([&] {
    core->write32(kPinBar + 0, 0x1234'5678);
    EXPECT_EQ(core->read32(kPinBar + 0), 0x1234'5678U);
    std::uint8_t byte = 0xab;
    core->access(tlm::TLM_WRITE_COMMAND, kPinBar + 2, &byte, 1);
    EXPECT_EQ(core->read32(kPinBar + 0), 0x12ab'5678U);
    std::uint64_t both = 0x1111'2222'3333'4444;
    core->access(tlm::TLM_WRITE_COMMAND, kPinBar + 0, &both, 8);
    both = 0;
    core->access(tlm::TLM_READ_COMMAND, kPinBar + 0, &both, 8);
    EXPECT_EQ(both, 0x1111'2222'3333'4444U);
    EXPECT_EQ(core->read32(kPinBar + 0x1c), ~0U);  // SLVERR: a Split Completion Message
  });
  EXPECT_EQ(bus->target_aborts.value(), 1U);
  EXPECT_EQ(pins.by_device, 4U);  // Split Completions
}

TEST_F(PinFunctionTest, TheBlockCopiesMemoryAndAsksByIntA) {
  run([&] {
    copy(200);
    EXPECT_EQ(config_read(0x04) >> 19U & 1U, 1U);  // the status register's bit
    core->write32(kPinBar + 8, 0);
    EXPECT_EQ(core->read32(kPinBar + 0xc), 200U);
  });
  expect_copied(1600);
  EXPECT_EQ(bus->memory_reads.value(), 4U);  // MMRBC is 512: at boundaries of 128 from kPinFrom on
  EXPECT_EQ(function->dma_failures.value(), 0U);
}

TEST_F(PinFunctionTest, MessagesReachTheHostBehindTheData) {
  run([&] {
    config_write(0x54, 0xfee0'0000);
    config_write(0x5c, 0x31);
    config_write(0x50, 0x0001'0005);
    copy(1);
  });
  expect_copied(8);
  EXPECT_EQ(bus->memory_writes.value(), 2U);
}

TEST_F(PinFunctionTest, FirmwaresLimitsReachTheBlock) {
  add_block();
  function->config().write(0x0d, 1, 0x80);
  function->config().write(0x52, 2, 0x002c);  // MMRBC 4096, three splits, no relaxed ordering
  at(0, [&] {
    EXPECT_EQ(config_read(0x0c) >> 8U & 0xffU, 0x80U);
    EXPECT_EQ(config_read(0x40) >> 16U & 0x7cU, 0x2cU);
    config_write(0x10, kPinBar);
    config_write(0x04, 0x0006);
    copy(200);
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  expect_copied(1600);
  EXPECT_EQ(bus->memory_reads.value(), 1U);
}

TEST_F(PinFunctionTest, ANarrowBusIsANarrowSlot) {
  bus_params.width_bits.value = 32;
  run([&] { copy(64); });
  expect_copied(512);
}

TEST_F(PinFunctionTest, StressChangesNoData) {
  params.stress.stalls.value = 40;
  run([&] {
    for (const std::uint32_t words : {1U, 7U, 16U, 100U, 256U}) copy(words);
  });
  expect_copied(2048);
}

TEST_F(PinFunctionTest, MissingMemoryIsToldToTheReader) {
  run([&] {
    core->write32(kPinBar + 0, 0xe000'0000);
    core->write32(kPinBar + 4, kPinTo);
    core->write32(kPinBar + 8, 1);
    for (int i = 0; i < 1000 && function->interrupts.value() == 0; ++i)
      sc_core::wait(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_NE(config_read(0x44) & 0x2000'0000U, 0U) << "a Split Completion Error Message came";
  });
  EXPECT_EQ(function->dma_failures.value(), 1U);
}

TEST_F(PinFunctionTest, GatingChangesNoResult) {
  params.block.gating.value = false;
  run([&] { copy(100); });
  expect_copied(800);
}

TEST_F(PinFunctionTest, AnotherDeviceIsRefused) {
  map_has("device", 0x5679);
  add_block();
  EXPECT_EQ(refusal(),
            "block: the device's configuration space has 0x5678; the port map has [pci] device = "
            "0x5679");
}

TEST_F(PinFunctionTest, AnotherClassIsRefused) {
  map_has("class_code", 0x020001);
  add_block();
  EXPECT_NE(refusal().find("[pci] class_code = 0x20001"), std::string::npos);
}

TEST_F(PinFunctionTest, AnotherSizeOfTheBarIsRefused) {
  nlohmann::json json = nlohmann::json::parse(text);
  json["pci"]["bars"][0]["bytes"] = 8192;
  text = json.dump();
  map = BlockMap::parse(text.c_str(), "test");
  add_block();
  EXPECT_NE(refusal().find("BAR 0 of the device is a memory BAR that reads 0xfffff000"),
            std::string::npos);
}

TEST_F(PinFunctionTest, ConventionalPciIsRefused) {
  bus_params.protocol.value = "pci";
  bus_params.clock.value = {33'333'333};
  add_block();
  EXPECT_NE(refusal().find("wants pcix.protocol 'pcix'"), std::string::npos);
}

}  // namespace
}  // namespace longhaul::portmap
