// SPDX-License-Identifier: Apache-2.0
// Register reads whose data a device does not have when it is asked, as RTL has it.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr std::uint64_t kLateBar = 0xf020'0000;

/// Answers each read `takes` after it was asked for: the address with the top bit set.
class LateDevice final : public PcixDevice {
 public:
  LateDevice(const sc_core::sc_module_name& name, const TargetParams& target)
      : PcixDevice(name, 4096, testing::test_identity(2), {}, target) {}
  sc_core::sc_time takes{500, sc_core::SC_NS};
  tlm::tlm_response_status response = tlm::TLM_OK_RESPONSE;
  std::uint32_t asked = 0;
  std::vector<std::uint32_t> written;

 private:
  sc_core::sc_time access_memory_bar(tlm::tlm_generic_payload& payload) override {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (payload.is_write()) {
      written.push_back(static_cast<std::uint32_t>(payload.get_address()));
      return sc_core::SC_ZERO_TIME;
    }
    ++asked;
    const auto value = static_cast<std::uint32_t>(payload.get_address()) | 0x8000'0000U;
    sc_core::sc_spawn([this, value, data = payload.get_data_ptr()] {
      sc_core::wait(takes);
      std::memcpy(data, &value, sizeof value);
      answer_read(response);
    });
    return later();
  }
};

class LateReadsTest : public testing::PcTest {
 protected:
  LateDevice& add_late(bool split = true) {
    TargetParams params;
    params.split_reads.value = split;
    build();
    late = std::make_unique<LateDevice>("late", params);
    bus->slot(1, 1).bind(late->bus_socket);
    late->config().write(0x10, 4, kLateBar);
    late->config().write(0x04, 2, 0x0006);
    return *late;
  }
  void conventional() {
    bus_params.protocol.value = "pci";
    bus_params.clock.value = {33'333'333};
  }
  std::unique_ptr<LateDevice> late;
};

TEST_F(LateReadsTest, TheSplitCompletionComesWhenTheDataAreThere) {
  LateDevice& device = add_late();
  std::vector<std::uint64_t> took_ps;
  at(0, [&] {
    for (std::uint64_t i = 0; i < 2; ++i) {
      sc_core::wait(from_ps((i + 1) * 1000 * kClock - now_ps()));
      device.takes = from_ps(100 * kClock * (i + 1));
      const std::uint64_t begin_ps = now_ps();
      EXPECT_EQ(core->read32(kLateBar + 0x10), 0x8000'0010U);
      took_ps.push_back(now_ps() - begin_ps);
    }
  });
  sc_core::sc_start();
  ASSERT_EQ(took_ps.size(), 2U);
  EXPECT_EQ(took_ps[1], took_ps[0] + 100 * kClock);
  EXPECT_THAT(clocks(), ElementsAre(Pair("mmio read", 6), Pair("mmio completion", 6),
                                    Pair("mmio read", 6), Pair("mmio completion", 6)));
}

TEST_F(LateReadsTest, TheBusIsFreeMeanwhile) {
  add_late();
  testing::TestDevice& other = this->device();
  std::uint64_t read_ps = 0;
  at(0, [&] {
    core->read32(kLateBar);
    read_ps = now_ps();
  });
  at(200'000, [&] { other.dma().write(0x1000, buffer.data(), 64, &other, 1); });
  sc_core::sc_start();
  ASSERT_EQ(other.done.size(), 1U);
  EXPECT_LT(other.done[0].ps, read_ps);
}

TEST_F(LateReadsTest, AnErrorGivesOnesAndCountsAsTargetAbort) {
  add_late().response = tlm::TLM_GENERIC_ERROR_RESPONSE;
  at(0, [&] { EXPECT_EQ(core->read32(kLateBar + 4), ~0U); });
  sc_core::sc_start();
  EXPECT_EQ(bus->target_aborts.value(), 1U);
}

TEST_F(LateReadsTest, ConventionalPciRepeatsTheReadUntilTheDataAreThere) {
  conventional();
  LateDevice& device = add_late();
  std::uint64_t back_ps = 0;
  at(0, [&] {
    EXPECT_EQ(core->read32(kLateBar + 8), 0x8000'0008U);
    back_ps = now_ps();
    core->write32(kLateBar + 12, 1);
  });
  sc_core::sc_start();
  EXPECT_EQ(device.asked, 1U);
  EXPECT_GT(bus->retries.value(), 1U);
  EXPECT_EQ(bus->mmio_reads.value(), 1U);
  EXPECT_GT(back_ps, 500'000U);
  EXPECT_THAT(device.written, ElementsAre(12U));
}

TEST_F(LateReadsTest, ConventionalPciEndsAFailedReadInTargetAbort) {
  conventional();
  add_late().response = tlm::TLM_GENERIC_ERROR_RESPONSE;
  at(0, [&] {
    EXPECT_EQ(core->read32(kLateBar), ~0U);
    EXPECT_EQ(core->read32(kBar + 0x20), 0x1234'5678U);  // of another device: the bus goes on
  });
  sc_core::sc_start();
  EXPECT_EQ(bus->target_aborts.value(), 1U);
}

TEST_F(LateReadsTest, ADeviceThatKnowsItsTimeIsADelayedReadInConventionalPciToo) {
  target_params.split_reads.value = true;
  conventional();
  build();
  at(0, [&] { EXPECT_EQ(core->read32(kBar + 0x20), 0x1234'5678U); });
  sc_core::sc_start();
  EXPECT_GE(bus->retries.value(), 1U);
  EXPECT_EQ(bus->mmio_reads.value(), 1U);
}

}  // namespace
}  // namespace longhaul::pcix
