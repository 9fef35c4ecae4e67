// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/device_recorder.h"

#include <gmock/gmock.h>

#include <cstring>
#include <vector>

#include "tests/unit/models/pcix/pc_fixture.h"
#include "tests/unit/platform/observe/scratch_dir.h"

namespace longhaul::observe {
namespace {

using ::testing::ElementsAre;

struct Access {
  std::uint64_t time_ps;
  std::uint64_t address;
  std::uint8_t kind;
  std::uint8_t bar;
  std::vector<std::uint8_t> data;

  std::uint32_t value() const {
    std::uint32_t word = 0;
    for (std::size_t i = data.size(); i > 0; --i) word = word << 8 | data[i - 1];
    return word;
  }
};

class DeviceRecorderTest : public pcix::testing::PcTest {
 protected:
  /// Runs the PC with a recorder of the device in slot 0, and reads its file.
  std::vector<Access> recorded() {
    DeviceRecorder recorder(scratch.path("device.bin"), *bus, {0, 0}, device(0).config());
    sc_core::sc_start();
    recorder.close();
    const std::vector<std::uint8_t> bytes = scratch.bytes("device.bin");
    EXPECT_EQ(std::memcmp(bytes.data(), "LHDEVIC1", 8), 0);
    std::vector<Access> found;
    for (std::size_t at = 8; at < bytes.size();) {
      Access access{};
      std::uint32_t size = 0;
      std::memcpy(&access.time_ps, &bytes[at], 8);
      std::memcpy(&access.address, &bytes[at + 8], 8);
      access.kind = bytes[at + 16];
      access.bar = bytes[at + 17];
      std::memcpy(&size, &bytes[at + 20], 4);
      const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(at) + 24;
      access.data.assign(from, from + size);
      found.push_back(access);
      at += 24 + (size + 7) / 8 * 8;
    }
    return found;
  }
  ScratchDir scratch;
};

void expect(const Access& access, DeviceRecorder::Kind kind, std::uint64_t address,
            std::uint32_t value) {
  EXPECT_EQ(access.kind, kind);
  EXPECT_EQ(access.address, address);
  EXPECT_EQ(access.value(), value);
  EXPECT_EQ(access.data.size(), 4U);
}

class HowReadsAreAnswered : public DeviceRecorderTest,
                            public ::testing::WithParamInterface<bool> {};

TEST_P(HowReadsAreAnswered, RegisterAccessesHaveOffsetAndValueInTheirOrder) {
  target_params.split_reads.value = GetParam();
  build();
  at(0, [&] {
    core->write32(bar(0) + 0x10, 0xcafe'0001);
    core->read32(bar(0) + 0x20);
    core->read32(bar(1) + 0x20);
    core->read32(port_address(0, 4));
    core->write32(port_address(0, 0), 7);
  });
  const std::vector<Access> found = recorded();
  ASSERT_EQ(found.size(), 4U);
  expect(found[0], DeviceRecorder::kRegisterWrite, 0x10, 0xcafe'0001);
  expect(found[1], DeviceRecorder::kRegisterRead, 0x20, 0x1234'5678);
  expect(found[2], DeviceRecorder::kRegisterRead, 4, 0xabcd'ef04);
  expect(found[3], DeviceRecorder::kRegisterWrite, 0, 7);
  EXPECT_EQ(found[1].bar, 0);
  EXPECT_EQ(found[2].bar, DeviceRecorder::kIoBar);
  EXPECT_LT(found[0].time_ps, found[1].time_ps);
}

INSTANTIATE_TEST_SUITE_P(AtOnceOrSplit, HowReadsAreAnswered, ::testing::Bool());

TEST_F(DeviceRecorderTest, WritesToMemoryHaveTheirBytesAndReadsAreLeftOut) {
  build();
  for (std::uint8_t i = 0; i < 200; ++i) buffer[i] = i;
  at(0, [&] {
    device(0).dma().write(0x1002, buffer.data(), 5, &device(0), 1);
    device(0).dma().read(0x3000, &buffer[1000], 64, &device(0), 2);
    device(1).dma().write(0x2000, buffer.data(), 8, &device(1), 1);
  });
  const std::vector<Access> found = recorded();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, DeviceRecorder::kMemoryWrite);
  EXPECT_EQ(found[0].address, 0x1002U);
  EXPECT_THAT(found[0].data, ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(DeviceRecorderTest, ConfigurationSpaceIsLeftOut) {
  build();
  at(0, [&] { core->read32(pcix::address_map::kConfigBegin); });
  EXPECT_TRUE(recorded().empty());
}

}  // namespace
}  // namespace longhaul::observe
