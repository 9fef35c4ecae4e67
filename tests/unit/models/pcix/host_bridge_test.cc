// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/host_bridge.h"

#include <algorithm>

#include "tests/unit/models/pcix/pc_fixture.h"

namespace longhaul::pcix {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

struct Interrupts final : MsiReceiver, IntxReceiver {
  struct Message {
    std::uint64_t ps;
    std::uint64_t address;
    std::uint16_t data;
  };
  std::vector<Message> messages;
  std::vector<std::pair<std::uint32_t, bool>> levels;
  std::function<void()> on_message;
  void msi(std::uint64_t address, std::uint16_t data) override {
    messages.push_back({now_ps(), address, data});
    if (on_message) on_message();
  }
  std::vector<std::uint64_t> level_ps;
  void intx(std::uint32_t slot, bool asserted) override {
    levels.emplace_back(slot, asserted);
    level_ps.push_back(now_ps());
  }
};

class HostBridgeTest : public testing::PcTest {
 protected:
  void build_with_interrupts() {
    build();
    bridge->set_msi_receiver(&interrupts);
    bridge->set_intx_receiver(&interrupts);
  }
  void enable_msi(std::uint32_t slot, std::uint32_t address, std::uint16_t data) {
    device(slot).config().write(0xf4, 4, address);
    device(slot).config().write(0xfc, 2, data);
    device(slot).config().write(0xf2, 2, 1);
  }
  Interrupts interrupts;
};

TEST_F(HostBridgeTest, MessagesCarryAddressAndVector) {
  build_with_interrupts();
  enable_msi(1, 0xfee0'1000, 0x4131);
  at(0, [&] { device(1).set_interrupt(true); });
  sc_core::sc_start();
  ASSERT_EQ(interrupts.messages.size(), 1U);
  EXPECT_EQ(interrupts.messages[0].address, 0xfee0'1000U);
  EXPECT_EQ(interrupts.messages[0].data, 0x4131);
  // A DWORD write: arbitration, address, attribute, response, one data phase; then up to the
  // bridge's other side.
  EXPECT_EQ(interrupts.messages[0].ps, (4 + 3 + 1) * kClock + 110'000);
  EXPECT_TRUE(interrupts.levels.empty());
  EXPECT_EQ(device(1).interrupts.value(), 1U);
}

TEST_F(HostBridgeTest, EachRiseSendsOneMessage) {
  build_with_interrupts();
  enable_msi(0, 0xfee0'0000, 7);
  at(0, [&] {
    device().set_interrupt(true);
    device().set_interrupt(true);
    device().set_interrupt(false);
    device().set_interrupt(true);
  });
  sc_core::sc_start();
  EXPECT_EQ(interrupts.messages.size(), 2U);
}

TEST_F(HostBridgeTest, AMessageComesAfterTheWritesBeforeIt) {
  memory_bytes_per_s = 200'000'000;  // slow enough that a write is still draining
  build_with_interrupts();
  enable_msi(0, 0xfee0'0000, 7);
  std::uint64_t drained_ps = 0;
  interrupts.on_message = [&] { EXPECT_EQ(std::memcmp(ram + 0x8000, buffer.data(), 4096), 0); };
  at(0, [&] {
    device().dma().write(0x8000, buffer.data(), 4096, &device(), 1);
    device().set_interrupt(true);
  });
  sc_core::sc_start();
  ASSERT_EQ(interrupts.messages.size(), 1U);
  // 4096 B at 200 MB/s take 20.48 us, of which the burst's own time has passed.
  drained_ps = device().done.at(0).ps + 110'000 + 20'480'000 - 512 * kClock;
  EXPECT_EQ(interrupts.messages[0].ps, drained_ps);
}

TEST_F(HostBridgeTest, IntaFollowsTheLevelAndTheDisableBit) {
  build_with_interrupts();
  at(0, [&] {
    device(1).set_interrupt(true);
    sc_core::wait(1, sc_core::SC_US);
    core->write32(address_map::kConfigBegin + 4096 + 0x04, 0x0406);
    sc_core::wait(1, sc_core::SC_US);
    core->write32(address_map::kConfigBegin + 4096 + 0x04, 0x0006);
    sc_core::wait(1, sc_core::SC_US);
    device(1).set_interrupt(false);
  });
  sc_core::sc_start();
  EXPECT_THAT(interrupts.levels,
              ElementsAre(Pair(1, true), Pair(1, false), Pair(1, true), Pair(1, false)));
  EXPECT_TRUE(interrupts.messages.empty());
}

TEST_F(HostBridgeTest, TheProcessorHearsOfInterruptsByMessageAndOfTheirEndAtOnce) {
  bridge_params.interrupt_latency.value = {300, sc_core::SC_NS};
  build_with_interrupts();
  at(0, [&] {
    device(0).set_interrupt(true);
    sc_core::wait(1, sc_core::SC_US);
    device(0).set_interrupt(false);
    sc_core::wait(1, sc_core::SC_US);
    device(0).set_interrupt(true);  // over before the message has arrived
    sc_core::wait(299, sc_core::SC_NS);
    device(0).set_interrupt(false);
    sc_core::wait(1, sc_core::SC_NS);
    device(0).set_interrupt(true);
  });
  sc_core::sc_start();
  EXPECT_THAT(interrupts.levels, ElementsAre(Pair(0, true), Pair(0, false), Pair(0, true)));
  EXPECT_THAT(interrupts.level_ps, ElementsAre(300'000, 1'000'000, 2'600'000));
}

TEST_F(HostBridgeTest, ARegisterReadPushesEarlierDmaWrites) {
  memory_bytes_per_s = 200'000'000;
  build();
  std::uint64_t back_ps = 0;
  at(0, [&] { device().dma().write(0x8000, buffer.data(), 2048, &device(), 1); });
  at(2'000'000, [&] {
    core->read32(kBar + 0x20);
    back_ps = now_ps();
    EXPECT_EQ(std::memcmp(ram + 0x8000, buffer.data(), 2048), 0);
  });
  sc_core::sc_start();
  EXPECT_EQ(back_ps, device().done.at(0).ps + 110'000 + 10'240'000 - 256 * kClock);
}

TEST_F(HostBridgeTest, AReadComesAfterThePostedWritesBeforeIt) {
  build();
  std::uint64_t back_ps = 0;
  at(0, [&] {
    for (std::uint32_t i = 0; i < 5; ++i) core->write32(kBar + 0x10, i);
    EXPECT_EQ(core->read32(kBar + 0x10), 4U);
    back_ps = now_ps();
  });
  sc_core::sc_start();
  ASSERT_EQ(device().written.size(), 5U);
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(device().written[i].second, i);
  EXPECT_LT(device().written[4].first, back_ps);
}

TEST_F(HostBridgeTest, PostedWritesReturnAtOnceUntilTheBufferIsFull) {
  bridge_params.posted_core_writes.value = 4;
  build();
  std::vector<std::uint64_t> returned;
  at(0, [&] {
    for (std::uint32_t i = 0; i < 6; ++i) {
      core->write32(kBar + 0x10, i);
      returned.push_back(now_ps());
    }
  });
  sc_core::sc_start();
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(returned[i], (i + 1) * 20'000);
  // The fifth waits until the first has crossed the bus: 110 ns, edge, arbitration, four clocks;
  // then is taken in 20 ns.
  EXPECT_EQ(device().written[0].first, 112'500 + 8 * kClock);
  EXPECT_EQ(returned[4], device().written[0].first + 20'000);
  EXPECT_EQ(returned[5], std::max(returned[4], device().written[1].first) + 20'000);
}

TEST_F(HostBridgeTest, ACompletionDoesNotPassPostedWritesThatCameBeforeIt) {
  build();
  // Slot 1 keeps the bus while three posted writes wait, then the data of slot 0's read arrive.
  // Were the completion free to go, the bridge would take turns and send it after the first write.
  device(1).config().write(0x0d, 1, 255);
  at(0, [&] {
    device(0).dma().read(0x1000, buffer.data(), 64, &device(0), 1);
    device(1).dma().write(0x20000, buffer.data() + 8192, 4096, &device(1), 1);
  });
  at(100'000, [&] {
    for (std::uint32_t i = 0; i < 3; ++i) core->write32(kBar + 0x10, i);
  });
  sc_core::sc_start();
  ASSERT_EQ(device(0).written.size(), 3U);
  std::vector<std::string> order;
  for (const auto& span : log.spans) order.push_back(span.label);
  const auto completion = std::find(order.begin(), order.end(), "split completion");
  EXPECT_EQ(std::count(order.begin(), completion, "mmio write"), 3);
  EXPECT_LT(device(0).written[2].first, device(0).done.at(0).ps);
}

TEST_F(HostBridgeTest, ARelaxedCompletionMayPassPostedWritesThatCameBeforeIt) {
  target_params.relaxed_ordering.value = true;
  build();
  device(1).config().write(0x0d, 1, 255);
  at(0, [&] {
    device(0).dma().read(0x1000, buffer.data(), 64, &device(0), 1);
    device(1).dma().write(0x20000, buffer.data() + 8192, 4096, &device(1), 1);
  });
  at(100'000, [&] {
    for (std::uint32_t i = 0; i < 3; ++i) core->write32(kBar + 0x10, i);
  });
  sc_core::sc_start();
  ASSERT_EQ(device(0).written.size(), 3U);
  EXPECT_GT(device(0).written[2].first, device(0).done.at(0).ps);
}

TEST_F(HostBridgeTest, TheCommandRegisterForbidsRelaxedOrdering) {
  target_params.relaxed_ordering.value = true;
  build();
  device(0).config().write(0xe6, 2, 0);
  device(1).config().write(0x0d, 1, 255);
  at(0, [&] {
    device(0).dma().read(0x1000, buffer.data(), 64, &device(0), 1);
    device(1).dma().write(0x20000, buffer.data() + 8192, 4096, &device(1), 1);
  });
  at(100'000, [&] {
    for (std::uint32_t i = 0; i < 3; ++i) core->write32(kBar + 0x10, i);
  });
  sc_core::sc_start();
  EXPECT_LT(device(0).written.at(2).first, device(0).done.at(0).ps);
}

TEST_F(HostBridgeTest, APostedWriteMayPassACompletion) {
  bridge_params.downstream_latency.value = sc_core::sc_time(10, sc_core::SC_NS);
  build();
  limit_reads(0, 3, 2);
  at(0, [&] { device(0).dma().read(0x1000, buffer.data(), 12288, &device(0), 1); });
  at(2'000'000, [&] { core->write32(kBar + 0x10, 1); });
  sc_core::sc_start();
  ASSERT_EQ(device(0).written.size(), 1U);
  EXPECT_LT(device(0).written[0].first, device(0).done.at(0).ps);
}

TEST_F(HostBridgeTest, MoreReadsThanSplitBuffersAreRetriedAndAllComplete) {
  bridge_params.split_reads.value = 2;
  build();
  limit_reads(0, 0, 7);
  at(0, [&] { device().dma().read(0x1000, buffer.data(), 16384, &device(), 1); });
  sc_core::sc_start();
  EXPECT_GT(bus->retries.value(), 0U);
  EXPECT_EQ(bus->memory_reads.value(), 32U);
  EXPECT_EQ(device().done.size(), 1U);
  EXPECT_EQ(std::memcmp(buffer.data(), ram + 0x1000, 16384), 0);
}

TEST_F(HostBridgeTest, AFullPostedBufferDisconnectsAtABoundaryAndNothingIsLost) {
  memory_bytes_per_s = 400'000'000;
  bridge_params.posted_dma_bytes.value = {1024};
  build();
  at(0, [&] { device().dma().write(0x1020, buffer.data(), 16000, &device(), 1); });
  sc_core::sc_start();
  EXPECT_GT(bus->retries.value() + bus->disconnects.value(), 0U);
  EXPECT_LE(bridge->posted_dma.highest(), 1024U);
  EXPECT_EQ(std::memcmp(ram + 0x1020, buffer.data(), 16000), 0);
  EXPECT_EQ(device().done.size(), 1U);
}

TEST_F(HostBridgeTest, ACompletionStartsAsSoonAsTheRestWillArriveInTime) {
  build();
  limit_reads(0, 3, 0);
  at(0, [&] { device().dma().read(0x1000, buffer.data(), 4096, &device(), 1); });
  sc_core::sc_start();
  // As for 512 B: memory is four times as fast as the bus, so 128 B are enough to start.
  const std::uint64_t ready_ps = 8 * kClock + 280'000 + 2 * 13'333;
  EXPECT_EQ(log.spans.at(1).start_ps, (ready_ps + kClock - 1) / kClock * kClock + 4 * kClock);
}

TEST_F(HostBridgeTest, ASlowMemoryDelaysTheCompletionUntilTheBusWillNotRunDry) {
  memory_bytes_per_s = 400'000'000;
  build();
  limit_reads(0, 3, 0);
  at(0, [&] { device().dma().read(0x1000, buffer.data(), 4096, &device(), 1); });
  sc_core::sc_start();
  const std::uint64_t all_ps = 8 * kClock + 280'000 + 4096 * 2'500ULL;  // 400 MB/s
  const std::uint64_t start_ps =
      (all_ps - 512 * kClock + kClock - 1) / kClock * kClock + 4 * kClock;
  EXPECT_EQ(log.spans.at(1).start_ps, start_ps);
}

TEST_F(HostBridgeTest, MemoryAddressesOfACoreGoToMemory) {
  build();
  at(0, [&] {
    core->write32(0x1234, 0xcafe'f00d);
    EXPECT_EQ(core->read32(0x1234), 0xcafe'f00dU);
    std::uint32_t value = 0;
    EXPECT_EQ(core->access(tlm::TLM_READ_COMMAND, 0x4000'0000, &value, 4),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
  sc_core::sc_start();
  EXPECT_TRUE(log.spans.empty());
}

TEST_F(HostBridgeTest, AccessesThatNoBusTransactionCarriesAreAnswered) {
  build();
  at(0, [&] {
    std::uint8_t bytes[64] = {};
    EXPECT_EQ(core->access(tlm::TLM_READ_COMMAND, kBar, bytes, 16), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(core->access(tlm::TLM_READ_COMMAND, kBar + 6, bytes, 4),
              tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(core->access(tlm::TLM_READ_COMMAND, kBar, bytes, 0), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(core->access(tlm::TLM_READ_COMMAND, kBar + 0x20, bytes, 8), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bytes[0], 0x78);
    EXPECT_EQ(bytes[4], 0);
  });
  sc_core::sc_start();
  EXPECT_EQ(bridge->core_reads.value(), 1U);
}

TEST_F(HostBridgeTest, APortWriteReturnsOnlyWhenTheDeviceHasIt) {
  build();
  std::uint64_t posted_ps = 0;
  std::uint64_t done_ps = 0;
  at(0, [&] {
    core->write32(kBar + 0x10, 1);
    posted_ps = now_ps();
    core->write32(port_address(0, 4), 0x0400'0000);
    done_ps = now_ps();
  });
  sc_core::sc_start();
  const std::uint64_t latency_ps = 110'000;
  EXPECT_EQ(posted_ps, 20'000U) << "core_write_time";
  ASSERT_EQ(device().port_writes.size(), 1U);
  ASSERT_EQ(device().written.size(), 1U);
  const std::uint64_t port_ps = device().port_writes[0].ps;
  EXPECT_GT(port_ps, device().written[0].first) << "in the order of the core";
  // Asked 20 ns after the register's write; no arbitration, as the bridge still asks for the bus;
  // then four clocks to data.
  EXPECT_EQ(port_ps, device().written[0].first + 6 * kClock);
  EXPECT_EQ(done_ps, port_ps + latency_ps) << "the completion comes back to the core";
  EXPECT_EQ(bus->io_accesses.value(), 1U);
}

TEST_F(HostBridgeTest, PortsAreAccessedInTheLanesOfOneDword) {
  build();
  at(0, [&] {
    std::uint32_t value = 0x1234'5678;
    EXPECT_EQ(core->access(tlm::TLM_WRITE_COMMAND, port_address(1, 5), &value, 2),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(core->access(tlm::TLM_WRITE_COMMAND, port_address(1, 3), &value, 2),
              tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(core->access(tlm::TLM_WRITE_COMMAND, port_address(1, 0), &value, 8),
              tlm::TLM_BURST_ERROR_RESPONSE);
    std::uint8_t byte = 0;
    EXPECT_EQ(core->access(tlm::TLM_READ_COMMAND, port_address(1, 6), &byte, 1),
              tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(byte, 0xcd);
  });
  sc_core::sc_start();
  EXPECT_TRUE(device(0).port_writes.empty());
  ASSERT_EQ(device(1).port_writes.size(), 1U);
  EXPECT_EQ(device(1).port_writes[0].offset, 4U);
  EXPECT_EQ(device(1).port_writes[0].value, 0x0056'7800U);
  EXPECT_EQ(device(1).port_writes[0].byte_mask, 0x00ff'ff00U);
}

TEST_F(HostBridgeTest, APortThatNobodyClaimsReadsAsOnesAndTakesNothing) {
  build();
  device(0).config().write(0x04, 2, 0x0006);  // I/O space off
  at(0, [&] {
    EXPECT_EQ(core->read32(port_address(0, 0)), 0xffff'ffffU);
    core->write32(port_address(0, 0), 1);
    EXPECT_EQ(core->read32(port_address(1, 8)), 0xffff'ffffU);
    EXPECT_EQ(core->read32(kBar + 0x20), 0x1234'5678U) << "memory is still there";
  });
  sc_core::sc_start();
  EXPECT_TRUE(device(0).port_writes.empty());
  EXPECT_EQ(bus->master_aborts.value(), 3U);
}

TEST_F(HostBridgeTest, SeveralCoresWaitForTheirOwnReads) {
  build();
  int answers = 0;
  for (int i = 0; i < 8; ++i) {
    at(static_cast<std::uint64_t>(i) * 3'000, [&, i] {
      const bool is_config = i % 2 == 1;
      EXPECT_EQ(core->read32(is_config ? address_map::kConfigBegin + 4096 : bar(0) + 0x20),
                is_config ? 0x1a48'8086U : 0x1234'5678U);
      ++answers;
    });
  }
  sc_core::sc_start();
  EXPECT_EQ(answers, 8);
}

}  // namespace
}  // namespace longhaul::pcix
