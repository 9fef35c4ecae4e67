// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/adapter_packets.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/unit/models/pcix/pc_fixture.h"
#include "tests/unit/platform/observe/packets/ring_bench.h"

namespace longhaul::observe {
namespace {

using S = Stage;

constexpr std::uint64_t kUs = 1'000'000;
constexpr std::uint32_t kRingAt = 0x1'0000, kDataAt = 0x2'0000;
constexpr std::uint32_t kReset = 0x28, kCauses = 0x2c;

/// A PC on PCI-X (split reads) or on conventional PCI (delayed reads).
class AdapterPacketsTest : public pcix::testing::PcTest,
                           public ::testing::WithParamInterface<bool> {
 protected:
  AdapterPacketsTest() {
    if (!GetParam()) {
      bus_params.protocol.value = "pci";
      bus_params.clock.value = {66'666'666};
    }
    build();
    RingMap map;
    map.transmit = transmit_ring();
    map.receive = receive_ring();
    // The receive ring has registers of its own, behind those of the other.
    map.receive.registers = {0x100, 0x104, 0x108, 0x110, 0x118, {0, 16}, 16};
    map.receive.size_register = 0x120;
    map.reset_register = kReset;
    map.reset = {5, 1};
    map.cause_register = kCauses;
    packets = std::make_unique<AdapterPackets>(map, *bus, DevicePlace{0, 0}, device(0).config(),
                                               book, AdapterPlaces{1, 2, 3});
  }
  void put(std::uint32_t at, const std::vector<std::uint8_t>& bytes) {
    std::copy(bytes.begin(), bytes.end(), ram + at);
  }
  /// The driver tells the adapter of a ring of eight descriptors and offers the first.
  void offer(std::uint32_t registers, std::uint32_t ring) {
    core->write32(bar(0) + registers + kBaseLow, ring);
    core->write32(bar(0) + registers + kBaseHigh, 0);
    core->write32(bar(0) + registers + kLength, kEntries * 16);
    core->write32(bar(0) + registers + kHead, 0);
    core->write32(bar(0) + registers + kTail, 1);
  }
  void read(std::uint64_t ps, std::uint32_t slot, std::uint32_t address, std::uint32_t bytes) {
    at(ps, [=] { device(slot).dma().read(address, buffer.data(), bytes, &device(slot), 1); });
  }
  PacketBook book;
  Stages stages{book};
  std::unique_ptr<AdapterPackets> packets;
};

TEST_P(AdapterPacketsTest, FollowsAPacketFromTheDoorbellToTheWire) {
  const FrameRef frame = tcp_frame(1, 1000);
  put(kRingAt, bytes_of(std::vector<Descriptor>{{kDataAt, frame->size(), kEnd}}));
  put(kDataAt, bytes_of(*frame));
  at(kUs, [this] { offer(0, kRingAt); });
  read(10 * kUs, 0, kRingAt, 16);
  read(20 * kUs, 1, kDataAt, frame->size());  // another adapter
  read(30 * kUs, 0, kDataAt, frame->size());
  sc_core::sc_start();
  packets->frame_leaves(*frame, 100 * kUs);
  EXPECT_EQ(packets->counts()["transmitted"], 1);
  EXPECT_EQ(packets->counts()["transmit_faults"], 0);
  const PacketStage& bell = *stages.find(frame->id(), S::kDoorbell);
  EXPECT_EQ(bell.address, bar(0) + kTail);
  EXPECT_GT(bell.start_ps, kUs);
  EXPECT_GT(stages.find(frame->id(), S::kFetch)->start_ps, 10 * kUs);
  std::uint32_t bytes = 0;
  for (const PacketStage& each : stages.all) {
    if (each.kind != S::kRead) continue;
    EXPECT_GT(each.start_ps, 30 * kUs);
    EXPECT_GT(each.end_ps, each.start_ps);
    bytes += each.bytes;
  }
  EXPECT_EQ(bytes, frame->size());
}

TEST_P(AdapterPacketsTest, FollowsAFrameFromTheWireToTheDriver) {
  const FrameRef frame = tcp_frame(1, 1000);
  put(kRingAt, bytes_of(std::vector<Descriptor>{{kDataAt, 0, 0}}));
  at(kUs, [this] { offer(0x100, kRingAt); });
  read(10 * kUs, 0, kRingAt, 16);
  const std::vector<std::uint8_t> bytes = bytes_of(*frame);
  const auto done = bytes_of(std::vector<Descriptor>{{kDataAt, frame->size(), kEnd}});
  at(20 * kUs, [&] {
    packets->frame_comes(*frame, 20 * kUs);
    device(0).dma().write(kDataAt, bytes.data(), frame->size(), &device(0), 1);
  });
  at(30 * kUs, [&] { device(0).dma().write(kRingAt, done.data(), 16, &device(0), 1); });
  at(40 * kUs, [this] { core->read32(bar(0) + kCauses); });
  sc_core::sc_start();
  EXPECT_EQ(packets->counts()["received"], 1);
  EXPECT_EQ(packets->counts()["receive_faults"], 0);
  EXPECT_EQ(stages.find(frame->id(), S::kBuffer)->start_ps, 20 * kUs);
  EXPECT_GT(stages.find(frame->id(), S::kWriteBack)->start_ps, 30 * kUs);
  EXPECT_GT(stages.find(frame->id(), S::kInterrupt)->end_ps, 40 * kUs);
}

TEST_P(AdapterPacketsTest, AResetEmptiesItsRings) {
  const FrameRef frame = tcp_frame(1, 1000);
  put(kRingAt, bytes_of(std::vector<Descriptor>{{kDataAt, frame->size(), kEnd}}));
  put(kDataAt, bytes_of(*frame));
  at(kUs, [this] {
    offer(0, kRingAt);
    core->write32(bar(0) + kReset, 1U << 5);
  });
  read(20 * kUs, 0, kRingAt, 16);
  read(30 * kUs, 0, kDataAt, frame->size());
  sc_core::sc_start();
  packets->frame_leaves(*frame, 100 * kUs);
  EXPECT_EQ(packets->counts()["transmitted"], 0);
}

INSTANTIATE_TEST_SUITE_P(PciXOrPci, AdapterPacketsTest, ::testing::Bool());

}  // namespace
}  // namespace longhaul::observe
