// SPDX-License-Identifier: Apache-2.0
// Zeros that reads do not store and writes do not carry, over bus, bridge and memory; who watches
// the bus sees them.
#include <gtest/gtest.h>

#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

using testing::PcTest;

struct DataLog final : BusListener {
  std::vector<std::uint8_t> read;
  std::vector<std::uint8_t> written;
  void on_tenure(const TenureRecord& record) override {
    if (record.data == nullptr) return;
    auto& list = record.is_completion ? read : written;
    list.insert(list.end(), record.data, record.data + record.bytes);
  }
};

struct BlankTest : PcTest {
  void SetUp() override {
    build();
    limit_reads(0, 0, 0);  // 512 bytes, one at a time: in order
    memory->mapping().clear(0x10000, 0x1000);
    *memory->mapping().to_write(0x10000 + 700, 1) = 9;
    bus->listen(&data);
  }
  DataLog data;
};

TEST_F(BlankTest, ReadsBringZerosToWhoDoesNotAskForMore) {
  at(0, [&] { device().dma().read(0x10000, buffer.data(), 4096, &device(), 1); });
  sc_core::sc_start();
  ASSERT_EQ(device().done.size(), 1U);
  EXPECT_EQ(std::memcmp(buffer.data(), ram + 0x10000, 4096), 0);
  EXPECT_EQ(buffer[4096], 0xee);
  EXPECT_EQ(data.read, std::vector<std::uint8_t>(ram + 0x10000, ram + 0x11000));
}

TEST_F(BlankTest, OnlyTheStoredBytesOfAWriteCount) {
  at(0, [&] { device().dma().write(0x20040, buffer.data(), 9000, &device(), 1, 5000); });
  const std::vector<std::uint8_t> before(ram + 0x20000, ram + 0x20040);
  const std::vector<std::uint8_t> behind(ram + 0x20040 + 9000, ram + 0x20040 + 9100);
  sc_core::sc_start();
  ASSERT_EQ(device().done.size(), 1U);
  std::vector<std::uint8_t> wanted(9000);
  std::fill_n(wanted.begin(), 5000, std::uint8_t{0xee});
  EXPECT_EQ(std::vector<std::uint8_t>(ram + 0x20040, ram + 0x20040 + 9000), wanted);
  EXPECT_EQ(data.written, wanted);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), ram + 0x20000));
  EXPECT_TRUE(std::equal(behind.begin(), behind.end(), ram + 0x20040 + 9000));
}

}  // namespace
}  // namespace longhaul::pcix
