// SPDX-License-Identifier: Apache-2.0
// Zeros in memory that no frame stores: what leaves and what arrives is what lay there, all the
// same.
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/models/nic/ixgb/ixgb_fixture.h"

namespace longhaul::nic::ixgb {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

/// Puts stretches of zeros into a packet's payload, in the middle and mostly at its end.
void put_zeros(const PacketSpec& spec, ByteVector& packet, std::mt19937& random) {
  const std::size_t header = packet.size() - spec.payload;
  for (int i = 0; i < 3; ++i) {
    const std::size_t from = header + random() % spec.payload;
    const std::size_t to =
        i == 0 && random() % 4 != 0 ? packet.size() : from + random() % (packet.size() - from);
    std::fill(packet.begin() + static_cast<std::ptrdiff_t>(from),
              packet.begin() + static_cast<std::ptrdiff_t>(to), std::uint8_t{0});
  }
}

TEST(IxgbBlank, FramesLeaveWithTheZerosThatLieInMemory) {
  IxgbFixture b;
  b.up({9000});
  std::mt19937 random(5);
  std::uint32_t left_blank = 0;
  for (int round = 0; round < 200; ++round) {
    IxgbFixture::SendOptions options;
    options.checksum = true;
    options.spec.v6 = random() % 2 == 0;
    options.spec.tcp = random() % 2 == 0;
    options.spec.payload = 1 + random() % 8900;
    for (std::uint32_t pieces = random() % 5; pieces > 0; --pieces)
      options.pieces.push_back(1 + random() % (options.spec.payload / 2 + 1));
    ByteVector packet = make_packet(options.spec);
    put_zeros(options.spec, packet, random);
    if (!options.spec.v6) write_be16(packet, 24, plain_checksum(packet, 14, 34));
    write_be16(packet, l4_field(options.spec), pseudo_sum(options.spec, packet, true));
    b.send(packet, options);
    b.run_us(30);
    b.clean_tx();
    ASSERT_EQ(b.wire.sent.size(), static_cast<std::size_t>(round + 1));
    left_blank += b.wire.sent.back().stored < packet.size() ? 1 : 0;
    ByteVector sent = b.wire.sent.back().bytes;
    ASSERT_TRUE(checksums_right(options.spec, sent)) << round;
    sent.resize(packet.size());
    write_be16(sent, l4_field(options.spec), be16(packet, l4_field(options.spec)));
    ASSERT_EQ(sent, packet) << round;
  }
  EXPECT_GT(left_blank, 50U);
}

TEST(IxgbBlank, SegmentsOfASuperFrameDoToo) {
  IxgbFixture b;
  b.up({});
  std::mt19937 random(6);
  for (int round = 0; round < 40; ++round) {
    IxgbFixture::SendOptions options;
    options.spec.payload = 3000 + random() % 20000;
    options.mss = 1448;
    ByteVector packet = super_frame(options.spec);
    put_zeros(options.spec, packet, random);
    b.wire.sent.clear();
    b.send(packet, options);
    b.run_us(60);
    b.clean_tx();
    ByteVector payload;
    const std::size_t header = packet.size() - options.spec.payload;
    for (const FakeWire::Sent& frame : b.wire.sent) {
      PacketSpec segment = options.spec;
      segment.payload = static_cast<std::uint32_t>(frame.bytes.size() - header);
      ASSERT_TRUE(checksums_right(segment, frame.bytes)) << round;
      payload.insert(payload.end(), frame.bytes.begin() + static_cast<std::ptrdiff_t>(header),
                     frame.bytes.end());
    }
    ASSERT_EQ(payload,
              ByteVector(packet.begin() + static_cast<std::ptrdiff_t>(header), packet.end()))
        << round;
  }
}

TEST(IxgbBlank, FramesArriveWithTheZerosThatTheyDidNotStore) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.mtu = 9000;
  settings.buffer_bytes = 4096;
  b.up(settings);
  std::mt19937 random(7);
  std::fill(b.bus.memory.begin() + IxgbFixture::kRxData, b.bus.memory.end(), std::uint8_t{0xa5});
  for (int round = 0; round < 200; ++round) {
    PacketSpec spec;
    spec.payload = 400 + random() % 8500;
    ByteVector packet = make_packet(spec);
    const std::size_t from = packet.size() - spec.payload + random() % spec.payload;
    std::fill(packet.begin() + static_cast<std::ptrdiff_t>(from), packet.end(), std::uint8_t{0});
    set_checksums(spec, packet);
    FrameRef frame = IxgbFixture::frame_of(packet);
    std::fill(frame.writable().data() + from, frame.writable().data() + packet.size(),
              std::uint8_t{0x5a});
    frame.writable().leave_blank(static_cast<std::uint32_t>(from));
    b.receive(frame);
    b.run_us(20);
    const auto got = b.clean_rx();
    ASSERT_EQ(got.size(), 1U);
    ASSERT_EQ(got[0].bytes, packet) << round;
    ASSERT_EQ(got[0].errors, 0) << round;
    ASSERT_EQ(got[0].status & 0x60, 0x60) << "checksums looked at";
  }
}

}  // namespace
}  // namespace longhaul::nic::ixgb
