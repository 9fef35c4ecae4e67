// SPDX-License-Identifier: Apache-2.0
// Super-frames: what the driver tells the adapter becomes right segments at the far end.
#include <gtest/gtest.h>

#include "tests/unit/models/host/drivers/rig.h"

namespace longhaul::host::driver_testing {
namespace {

struct Case {
  const char* nic;
  bool ipv6;
};

class SegmentationTest : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(Adapters, SegmentationTest,
                         ::testing::Values(Case{"ixgb", false}, Case{"ixgb", true},
                                           Case{"82545em-fiber", false},
                                           Case{"82545em-fiber", true}));

TEST_P(SegmentationTest, SixtyFourKilobytesBecomeSegmentsOfAnMss) {
  RigOptions options;
  options.nic = GetParam().nic;
  Rig rig(options);
  const std::uint32_t header = GetParam().ipv6 ? 86 : 66;
  const std::uint32_t payload = 65535 - header;
  const std::uint32_t mss = 1514 - header;
  rig.when_up([&](Program& program) {
    const Bytes8 whole =
        tcp_frame(rig.b.device().mac(), rig.a.device().mac(), payload, GetParam().ipv6,
                  tcp::TcpChecksum::kComplete);  // whatever stands there: the driver mends it
    std::vector<std::uint32_t> pieces{header + 30};
    pieces.resize(17, 4096);
    TxPacket packet = rig.a.packet(whole, pieces);
    packet.ipv6 = GetParam().ipv6;
    packet.checksum = true;
    packet.l4_offset = GetParam().ipv6 ? 54 : 34;
    packet.header_bytes = static_cast<std::uint16_t>(header);
    packet.mss = static_cast<std::uint16_t>(mss);
    EXPECT_TRUE(rig.a.device().transmit(packet));
    program.sleep_ps(20 * kMs);
    sc_core::sc_stop();
  });
  sc_core::sc_start();

  ASSERT_EQ(rig.b.user().frames.size(), (payload + mss - 1) / mss);
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < rig.b.user().frames.size(); ++i) {
    const Bytes8& frame = rig.b.user().frames[i];
    EXPECT_TRUE(rig.b.user().good[i]);
    tcp::Packet packet;
    ASSERT_EQ(tcp::read_packet(frame.data() + 14, static_cast<std::uint32_t>(frame.size()) - 14,
                               false, packet),
              tcp::Refusal::kNone);
    const bool last = i + 1 == rig.b.user().frames.size();
    EXPECT_EQ(packet.segment.seq, kFirstSequence + static_cast<std::uint32_t>(offset));
    EXPECT_EQ(packet.segment.length, last ? payload - offset : mss);
    EXPECT_EQ(packet.segment.has(tcp::kPsh), last);
    for (std::uint32_t at = 0; at < packet.segment.length; ++at) {
      ASSERT_EQ(frame[14 + packet.payload_at + at], Pattern::at(offset + at));
    }
    offset += packet.segment.length;
  }
  EXPECT_EQ(offset, payload);
  EXPECT_EQ(rig.a.user().sent_packets, 1U);
}

TEST(Segmentation, APacketWhoseHeaderIsInPiecesIsDroppedAndGivenBack) {
  Rig rig((RigOptions()));
  rig.when_up([&](Program&) {
    TxPacket packet = rig.a.packet(Bytes8(9000), {40});
    packet.l4_offset = 34;
    packet.header_bytes = 66;
    packet.mss = 1448;
    EXPECT_TRUE(rig.a.device().transmit(packet));
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(rig.a.driver().tx_dropped.value(), 1U);
  EXPECT_EQ(rig.a.user().sent_packets, 1U);
  EXPECT_EQ(rig.a.driver().tx_packets.value(), 0U);
}

}  // namespace
}  // namespace longhaul::host::driver_testing
