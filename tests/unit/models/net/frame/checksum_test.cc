// SPDX-License-Identifier: Apache-2.0
#include "models/net/frame/checksum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/unit/models/net/frame/packets.h"

namespace longhaul {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

TEST(Checksum, SumMatchesTheExampleOfRfc1071) {
  const std::uint8_t bytes[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
  OnesSum sum;
  sum.add(bytes, sizeof bytes);
  EXPECT_EQ(sum.folded(), 0xddf2);
  EXPECT_EQ(sum.checksum(), 0x220d);
}

TEST(Checksum, SumAgreesWithTheDefinitionForEveryLengthAndAlignment) {
  ByteVector bytes(400);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(i * 197 + 0xf1);
  for (std::size_t from = 0; from < 9; ++from) {
    for (std::size_t length = 0; length < 380; ++length) {
      OnesSum sum;
      sum.add(bytes.data() + from, static_cast<std::uint32_t>(length));
      ASSERT_EQ(sum.checksum(), plain_checksum(bytes, from, from + length))
          << from << " " << length;
    }
  }
}

TEST(Checksum, InsertionCompletesASeededPseudoHeader) {
  for (bool v6 : {false, true}) {
    for (std::uint32_t payload : {0U, 1U, 99U, 1448U}) {
      const PacketSpec spec{v6, true, payload};
      ByteVector frame = make_packet(spec);
      if (!v6) write_be16(frame, 24, plain_checksum(frame, 14, 34));
      write_be16(frame, l4_field(spec), pseudo_sum(spec, frame, true));
      const ChecksumSpan span{static_cast<std::uint16_t>(l4_at(spec)),
                              static_cast<std::uint16_t>(l4_field(spec)), 0};
      ASSERT_TRUE(insert_checksum(frame.data(), static_cast<std::uint32_t>(frame.size()), span));
      EXPECT_TRUE(checksums_right(spec, frame)) << v6 << " " << payload;
    }
  }
}

TEST(Checksum, ZeroBecomesOnesOnlyWhereAsked) {
  ByteVector frame(20, 0);
  frame[0] = 0xff;
  frame[1] = 0xff;
  const ChecksumSpan span{0, 10, 0};
  ASSERT_TRUE(insert_checksum(frame.data(), 20, span));
  EXPECT_EQ(be16(frame, 10), 0U);
  ASSERT_TRUE(insert_checksum(frame.data(), 20, span, 0, true));
  EXPECT_EQ(be16(frame, 10), 0xffffU);
}

TEST(Checksum, SpanOutsideTheFrameChangesNothing) {
  ByteVector frame(64, 0x5a);
  const ByteVector before = frame;
  EXPECT_FALSE(insert_checksum(frame.data(), 64, {64, 10, 0}));
  EXPECT_FALSE(insert_checksum(frame.data(), 64, {14, 63, 0}));
  EXPECT_FALSE(insert_checksum(frame.data(), 64, {14, 24, 64}));
  EXPECT_EQ(frame, before);
}

TEST(Checksum, EndOfTheSpanIsInclusive) {
  ByteVector frame = make_packet({});
  ASSERT_TRUE(
      insert_checksum(frame.data(), static_cast<std::uint32_t>(frame.size()), {14, 24, 33}));
  EXPECT_EQ(plain_checksum(frame, 14, 34), 0);
}

struct Verdict {
  bool ip_checked, ip_good, l4_checked, l4_good;
};
Verdict verdict(const ByteVector& frame, bool ipv6 = true) {
  const ReceivedChecksums r =
      verify_checksums(frame.data(), static_cast<std::uint32_t>(frame.size()), ipv6);
  return {r.ip_checked, r.ip_good, r.l4_checked, r.l4_good};
}

class ReceivedChecksum : public ::testing::TestWithParam<std::tuple<bool, bool, int>> {};

TEST_P(ReceivedChecksum, RightOnesPassAndEveryFlippedBitOfPayloadOrHeaderIsFound) {
  PacketSpec spec;
  spec.v6 = std::get<0>(GetParam());
  spec.tcp = std::get<1>(GetParam());
  spec.vlan = std::get<2>(GetParam());
  spec.payload = 61;
  ByteVector frame = make_packet(spec);
  set_checksums(spec, frame);
  const Verdict good = verdict(frame);
  EXPECT_EQ(good.ip_checked, !spec.v6);
  EXPECT_TRUE(good.l4_checked && good.l4_good);
  for (std::size_t at = l4_at(spec); at < frame.size(); ++at) {
    if (!spec.tcp && at < l4_at(spec) + 8) continue;  // UDP's length field decides what is summed
    frame[at] ^= 0x10;
    const Verdict bad = verdict(frame);
    EXPECT_TRUE(bad.l4_checked && !bad.l4_good) << at;
    frame[at] ^= 0x10;
  }
  if (!spec.v6) {
    frame[ip_at(spec) + 8] ^= 1;  // time to live: header checksum only
    const Verdict bad = verdict(frame);
    EXPECT_TRUE(bad.ip_checked && !bad.ip_good && bad.l4_good);
  }
}
INSTANTIATE_TEST_SUITE_P(All, ReceivedChecksum,
                         ::testing::Combine(::testing::Bool(), ::testing::Bool(),
                                            ::testing::Values(-1, 5)));

TEST(ReceivedChecksums, PaddingBehindTheIpPacketIsLeftOut) {
  const PacketSpec spec{false, true, 0, 0x10, 1, 1, 0};
  ByteVector frame = make_packet(spec);
  set_checksums(spec, frame);
  frame.resize(60, 0xee);
  EXPECT_TRUE(verdict(frame).l4_good);
}

TEST(ReceivedChecksums, FragmentsAndUdpWithoutChecksumAreNotJudged) {
  PacketSpec spec;
  ByteVector frame = make_packet(spec);
  frame[20] = 0x20;  // more fragments
  set_checksums(spec, frame);
  EXPECT_TRUE(verdict(frame).ip_good);
  EXPECT_FALSE(verdict(frame).l4_checked);
  frame[20] = 0;
  frame[21] = 3;  // an offset
  set_checksums(spec, frame);
  EXPECT_FALSE(verdict(frame).l4_checked);

  spec.tcp = false;
  frame = make_packet(spec);
  set_checksums(spec, frame);
  EXPECT_TRUE(verdict(frame).l4_checked);
  write_be16(frame, l4_field(spec), 0);
  EXPECT_FALSE(verdict(frame).l4_checked);
}

TEST(ReceivedChecksums, Ipv6ExtensionHeadersAreSkipped) {
  PacketSpec spec;
  spec.v6 = true;
  ByteVector frame = make_packet(spec);
  set_checksums(spec, frame);
  // Hop-by-hop, then destination options (16 bytes), in front of TCP: the pseudo header has no use
  // for them.
  const ByteVector extension = {60, 0, 1, 4, 0, 0, 0, 0, 6, 1, 1, 12,
                                0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  frame.insert(frame.begin() + 54, extension.begin(), extension.end());
  frame[20] = 0;
  write_be16(frame, 18, be16(frame, 18) + static_cast<std::uint32_t>(extension.size()));
  EXPECT_TRUE(verdict(frame).l4_good);
  EXPECT_FALSE(verdict(frame, false).l4_checked);
  frame[100] ^= 4;
  EXPECT_TRUE(verdict(frame).l4_checked);
  EXPECT_FALSE(verdict(frame).l4_good);
  frame[62] = 44;  // a fragment header
  EXPECT_FALSE(verdict(frame).l4_checked);
}

TEST(ReceivedChecksums, NoLengthLeadsOutsideTheFrame) {
  PacketSpec spec;
  for (bool v6 : {false, true}) {
    spec.v6 = v6;
    const ByteVector whole = make_packet(spec);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const ByteVector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_FALSE(verdict(cut).l4_checked) << size;  // the sanitizer watches the reads
    }
  }
}

/// What is left out of the stored bytes is taken for zeros: both ways agree on frames that end in
/// zeros, wherever they begin.
TEST(Checksum, ABlankTailSumsAsZeros) {
  std::mt19937 random(11);
  for (int round = 0; round < 400; ++round) {
    const std::uint32_t size = 100 + random() % 9000;
    const std::uint32_t stored = 60 + random() % (size - 60);
    std::vector<std::uint8_t> whole(size);
    for (std::uint32_t i = 0; i < stored; ++i) whole[i] = static_cast<std::uint8_t>(random());
    std::vector<std::uint8_t> part = whole;
    for (std::uint32_t i = stored; i < size; ++i) part[i] = static_cast<std::uint8_t>(random());
    const ChecksumSpan span{static_cast<std::uint16_t>(random() % size),
                            static_cast<std::uint16_t>(random() % 58),
                            static_cast<std::uint16_t>(random() % 3 == 0 ? 0 : random() % size)};
    ASSERT_EQ(insert_checksum(whole.data(), size, span, round, round % 2 == 0),
              insert_checksum(part.data(), size, span, round, round % 2 == 0, stored));
    EXPECT_TRUE(std::equal(whole.begin(), whole.begin() + stored, part.begin())) << round;
  }
}

TEST(Checksum, ABlankTailVerifiesAsZeros) {
  for (const bool v6 : {false, true}) {
    for (const bool tcp : {false, true}) {
      for (const std::uint32_t data : {0U, 1U, 600U, 3999U}) {
        PacketSpec spec;
        spec.v6 = v6;
        spec.tcp = tcp;
        spec.payload = 4000;
        ByteVector packet = make_packet(spec);
        const std::size_t stored = packet.size() - 4000 + data;
        std::fill(packet.begin() + static_cast<std::ptrdiff_t>(stored), packet.end(),
                  std::uint8_t{0});
        set_checksums(spec, packet);
        const auto size = static_cast<std::uint32_t>(packet.size());
        const ReceivedChecksums whole = verify_checksums(packet.data(), size, true);
        EXPECT_TRUE(whole.l4_checked && whole.l4_good);
        std::fill(packet.begin() + static_cast<std::ptrdiff_t>(stored), packet.end(),
                  std::uint8_t{0xa5});
        const ReceivedChecksums part =
            verify_checksums(packet.data(), size, true, static_cast<std::uint32_t>(stored));
        EXPECT_TRUE(part.l4_checked && part.l4_good) << v6 << tcp << data;
        EXPECT_EQ(part.ip_checked, whole.ip_checked);
        EXPECT_EQ(part.ip_good, whole.ip_good);
      }
    }
  }
}

}  // namespace
}  // namespace longhaul
