// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/tso.h"

#include <gtest/gtest.h>

#include "tests/unit/models/net/frame/packets.h"

namespace longhaul::nic {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

constexpr std::uint8_t kFin = 0x01;
constexpr std::uint8_t kPsh = 0x08;
constexpr std::uint8_t kAck = 0x10;
constexpr std::uint8_t kCwr = 0x80;

TsoContext context_for(const PacketSpec& spec, std::uint32_t mss) {
  TsoContext c;
  c.ip = {static_cast<std::uint16_t>(ip_at(spec)), static_cast<std::uint16_t>(ip_at(spec) + 10),
          static_cast<std::uint16_t>(l4_at(spec) - 1)};
  c.l4 = {static_cast<std::uint16_t>(l4_at(spec)), static_cast<std::uint16_t>(l4_field(spec)), 0};
  c.header_bytes = static_cast<std::uint32_t>(l4_at(spec) + (spec.tcp ? 20 + spec.options : 8));
  c.mss = mss;
  c.payload_bytes = spec.payload;
  c.ipv4 = !spec.v6;
  c.tcp = spec.tcp;
  return c;
}

std::vector<ByteVector> cut(const TsoContext& c, const ByteVector& whole) {
  std::vector<ByteVector> frames;
  for (TsoSegment s = segment_at(c, 0, 0); s.payload != 0;
       s = segment_at(c, s.index + 1, s.offset + s.payload)) {
    ByteVector frame(c.header_bytes + s.payload, 0xcc);
    std::copy_n(whole.begin() + c.header_bytes + s.offset, s.payload,
                frame.begin() + c.header_bytes);
    write_segment_header(c, whole.data(), s, frame.data());
    frames.push_back(frame);
  }
  return frames;
}

class Tso : public ::testing::TestWithParam<std::tuple<bool, std::uint32_t, std::uint32_t>> {};

TEST_P(Tso, SegmentsAreWhatASenderWithoutOffloadWouldSend) {
  PacketSpec spec;
  spec.v6 = std::get<0>(GetParam());
  spec.payload = std::get<1>(GetParam());
  const std::uint32_t mss = std::get<2>(GetParam());
  spec.flags = kFin | kPsh | kAck | kCwr;
  spec.sequence = 0xffff'fc00;  // wraps
  spec.id = 0xffff;             // wraps
  const ByteVector whole = super_frame(spec);
  const TsoContext c = context_for(spec, mss);
  ASSERT_TRUE(is_valid(c));
  const std::vector<ByteVector> frames = cut(c, whole);
  ASSERT_EQ(frames.size(), (spec.payload + mss - 1) / mss);
  EXPECT_EQ(frames.size(), segment_count(c));

  std::uint32_t offset = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    // The same segment built from scratch, by the test's own packet builder and checksum.
    PacketSpec wanted = spec;
    wanted.payload = std::min(mss, spec.payload - offset);
    wanted.sequence = spec.sequence + offset;
    wanted.id = (spec.id + static_cast<std::uint32_t>(i)) & 0xffff;
    wanted.flags = kAck;
    if (i == 0) wanted.flags |= kCwr;
    if (i + 1 == frames.size()) wanted.flags |= kFin | kPsh;
    ByteVector expected = make_packet(wanted);
    std::copy_n(whole.begin() + c.header_bytes + offset, wanted.payload,
                expected.begin() + c.header_bytes);
    set_checksums(wanted, expected);
    EXPECT_EQ(frames[i], expected) << "segment " << i;
    offset += wanted.payload;
  }
  EXPECT_EQ(offset, spec.payload);
}
INSTANTIATE_TEST_SUITE_P(Sizes, Tso,
                         ::testing::Combine(::testing::Bool(),
                                            ::testing::Values(1U, 1448U, 1449U, 8960U, 65000U),
                                            ::testing::Values(536U, 1448U, 8948U)));

TEST(TsoSegmentation, CwrIsRepeatedByAnAdapterWithoutEcn) {
  PacketSpec spec;
  spec.payload = 3000;
  spec.flags = kAck | kCwr;
  TsoContext c = context_for(spec, 1000);
  c.cwr_first_only = false;
  for (const ByteVector& frame : cut(c, super_frame(spec))) EXPECT_EQ(frame[47], kAck | kCwr);
}

TEST(TsoSegmentation, UdpPiecesCarryTheirOwnLength) {
  PacketSpec spec;
  spec.tcp = false;
  spec.payload = 2500;
  const std::vector<ByteVector> frames = cut(context_for(spec, 1000), super_frame(spec));
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(be16(frames[0], 38), 1008U);
  EXPECT_EQ(be16(frames[2], 38), 508U);
  for (const ByteVector& frame : frames) EXPECT_TRUE(checksums_right(spec, frame));
}

TEST(TsoSegmentation, ContextsThatCannotBeCarriedOutAreRefused) {
  const PacketSpec spec;
  const TsoContext good = context_for(spec, 1000);
  ASSERT_TRUE(is_valid(good));
  TsoContext bad = good;
  bad.mss = 0;
  EXPECT_FALSE(is_valid(bad));
  bad = good;
  bad.header_bytes = good.l4.start + 19U;
  EXPECT_FALSE(is_valid(bad));
  bad = good;
  bad.l4.field = static_cast<std::uint16_t>(good.header_bytes - 1);
  EXPECT_FALSE(is_valid(bad));
  bad = good;
  bad.ip.start = 30;
  EXPECT_FALSE(is_valid(bad));
}

}  // namespace
}  // namespace longhaul::nic
