// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/models/nic/ixgb/ixgb_fixture.h"

namespace longhaul::nic::ixgb {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

TEST(IxgbTxErrors, DataThatCannotBeReadLosesThePacketAndNothingElse) {
  IxgbFixture b;
  b.up({});
  b.send(make_packet({}));
  b.bus.hole_begin = 0x1000000 - 16;  // the memory's end is nobody's
  const std::uint64_t at = IxgbFixture::kTxRing + 16ULL * b.tx_next;
  b.send(make_packet({}));
  b.put_word(at, 0x0ffffff8);
  b.send(make_packet({}));
  b.run_us(20);
  EXPECT_EQ(b.wire.sent.size(), 2U);
  EXPECT_EQ(b.clean_tx(), 3U);
  EXPECT_EQ(b.nic->tx().discarded.value(), 1U);
}

TEST(IxgbTxErrors, ABadPacketBehindAFrameThatWaitsForTheWireIsDiscarded) {
  IxgbFixture b;
  b.up({9000});
  b.send(ByteVector(9000, 0x11));  // the wire is busy
  b.send(ByteVector(100, 0x22));
  b.send(ByteVector(5, 0x33));  // too short for a header
  b.send(ByteVector(100, 0x44));
  b.run_us(30);
  ASSERT_EQ(b.wire.sent.size(), 3U);
  EXPECT_EQ(b.wire.sent[1].bytes[0], 0x22);
  EXPECT_EQ(b.wire.sent[2].bytes[0], 0x44);
  EXPECT_EQ(b.clean_tx(), 4U);
  EXPECT_EQ(b.nic->tx().discarded.value(), 1U);
}

TEST(IxgbTxErrors, SegmentsWhoseHeaderCannotBeReadAreDiscarded) {
  IxgbFixture b;
  b.up({});
  b.bus.hole_begin = 0x1000000 - 16;
  IxgbFixture::SendOptions options;
  options.mss = 1000;
  options.spec.payload = 2500;
  options.pieces = {66};
  const std::uint64_t header_descriptor = IxgbFixture::kTxRing + 16ULL * (b.tx_next + 1);
  b.send(super_frame(options.spec), options);
  b.put_word(header_descriptor, 0x0ffffff8);
  b.send(make_packet({}));
  b.run_us(20);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.wire.sent[0].bytes, make_packet({}));
  EXPECT_EQ(b.clean_tx(), 2U);
  EXPECT_EQ(b.nic->tx().discarded.value(), 3U);
}

TEST(IxgbTxErrors, DescriptorsThatMakeNoFrameAreDiscarded) {
  IxgbFixture b;
  b.up({});
  ByteVector huge(17'000, 0x5a);
  b.send(huge);  // longer than any frame
  IxgbFixture::SendOptions tso;
  tso.mss = 1000;
  tso.zero_mss = true;
  b.send(ByteVector(3000, 1), tso);
  IxgbFixture::SendOptions short_data;  // promises more payload than it brings
  short_data.mss = 1000;
  short_data.spec.payload = 1500;
  short_data.payload_override = 5000;
  b.send(super_frame(short_data.spec), short_data);
  b.send(make_packet({}));
  b.run_us(50);
  EXPECT_EQ(b.clean_tx(), 4U);
  ASSERT_GE(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.wire.sent.back().bytes, make_packet({}));
  EXPECT_EQ(b.read(kTsctfc), 2U);
  EXPECT_EQ(b.read(kTsctc), 0U);
}

}  // namespace
}  // namespace longhaul::nic::ixgb
