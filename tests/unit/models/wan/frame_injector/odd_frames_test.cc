// SPDX-License-Identifier: Apache-2.0
// The bytes of odd frames, read by what is not the box's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/unit/models/wan/frame_injector/frame_injector_fixture.h"

namespace longhaul::wan::frame_injector {
namespace {

using test::station;
using testing::Each;
using testing::ElementsAre;
using testing::Truly;

constexpr MacAddress kAll{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/// Ones' complement sum of a header, checksum field included (RFC 1071): 0xffff when it is right.
std::uint32_t header_sum(const Seen& frame) {
  std::uint32_t sum = 0;
  const std::size_t header = (frame.bytes.at(14) & 15U) * 4;
  for (std::size_t i = 0; i < header; i += 2) sum += frame.be16(14 + i);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

std::vector<std::size_t> lengths(const std::vector<Seen>& frames) {
  std::vector<std::size_t> all;
  for (const Seen& frame : frames) all.push_back(frame.octets());
  return all;
}

const auto kGoodFcs = Truly([](const Seen& frame) { return frame.good_fcs(); });
const auto kBadFcs = Truly([](const Seen& frame) { return !frame.good_fcs(); });

auto says(const std::string& verdict, const std::string& kind) {
  return Truly([=](const Seen& frame) {
    const auto text = frame.text();
    return text.size() == 3 && text[1] == verdict && text[2] == kind;
  });
}

TEST(OddFrames, RuntsHaveEachLengthOnceAndARightFcs) {
  const auto frames = Fixture::round_of("runt");
  ASSERT_EQ(frames.size(), 59U);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ(frames[i].octets(), i + 5);
    if (frames[i].octets() >= 20) {
      EXPECT_EQ(frames[i].be16(12), 0x88b5);
    }
    if (frames[i].octets() >= 14 + 23 + 4) {
      EXPECT_THAT(frames[i], says("drop", "runt"));
    }
  }
  EXPECT_THAT(frames, Each(kGoodFcs));
}

TEST(OddFrames, GiantsGoFromOneOctetTooManyToTheMostThatAFrameHolds) {
  const auto frames = Fixture::round_of("giant");
  const auto sizes = lengths(frames);
  EXPECT_EQ(*std::min_element(sizes.begin(), sizes.end()), 1519U);
  EXPECT_EQ(*std::max_element(sizes.begin(), sizes.end()), 16388U);
  EXPECT_THAT(sizes, testing::IsSupersetOf({1522U, 1523U, 2000U, 2001U, 9018U, 9019U}));
  EXPECT_THAT(frames, Each(says("either", "giant")));
  EXPECT_THAT(frames, Each(kGoodFcs));
}

TEST(OddFrames, EachClassOfLengthHasThreeDamages) {
  const auto frames = Fixture::round_of("bad_fcs");
  std::map<std::size_t, int> count;
  for (const Seen& frame : frames) ++count[frame.octets()];
  EXPECT_EQ(count,
            (std::map<std::size_t, int>{
                {63, 3}, {64, 3}, {127, 3}, {255, 3}, {511, 3}, {1023, 3}, {1518, 3}, {1600, 3}}));
  EXPECT_THAT(frames, Each(kBadFcs));
  EXPECT_THAT(frames, Each(Truly([](const Seen& f) { return f.be16(12) == 0x88b5; })));
}

TEST(OddFrames, ALateCollisionEndsInItsJam) {
  const auto frames = Fixture::round_of("late_fragment");
  EXPECT_THAT(lengths(frames), ElementsAre(64, 128, 512, 1000));
  EXPECT_THAT(frames, Each(kBadFcs));
  EXPECT_THAT(frames, Each(says("drop", "late_fragment")));
  for (const Seen& frame : frames)
    EXPECT_THAT(std::vector(frame.bytes.end() - 4, frame.bytes.end()), Each(0x55));
}

TEST(OddFrames, TagsAreStackedInFrontOfTheType) {
  const auto frames = Fixture::round_of("vlan_stack");
  std::set<std::vector<int>> stacks;
  for (const Seen& frame : frames) {
    std::vector<int> stack;
    std::size_t at = 12;
    for (; frame.be16(at) != 0x88b6; at += 4) {
      stack.push_back(frame.be16(at));
      EXPECT_THAT(frame.be16(at + 2) & 0xfff, testing::AllOf(testing::Ge(1), testing::Le(4094)));
    }
    EXPECT_EQ(frame.text_at(), at + 2);
    EXPECT_THAT(stack, Each(testing::AnyOf(0x8100, 0x88a8)));
    EXPECT_THAT(stack.size(), testing::AnyOf(2U, 3U));
    stacks.insert(stack);
  }
  EXPECT_EQ(stacks.size(), frames.size()) << "all differ";
  EXPECT_TRUE(stacks.count({0x88a8, 0x8100}) == 1 && stacks.count({0x8100, 0x8100}) == 1);
  EXPECT_THAT(frames, Each(kGoodFcs));
}

TEST(OddFrames, PriorityTagsNameNoVlan) {
  const auto frames = Fixture::round_of("priority_tag");
  ASSERT_EQ(frames.size(), 3U);
  for (const Seen& frame : frames) {
    EXPECT_EQ(frame.be16(12), 0x8100);
    EXPECT_EQ(frame.be16(14) & 0xfff, 0);
    EXPECT_EQ(frame.be16(16), 0x88b6);
  }
}

TEST(OddFrames, PacketsWithOptionsHaveRightSumsAndLengths) {
  const auto frames = Fixture::round_of("ip_options");
  ASSERT_EQ(frames.size(), 7U);
  std::size_t longest = 0;
  for (const Seen& frame : frames) {
    EXPECT_EQ(frame.be16(12), 0x0800);
    const std::size_t header = (frame.bytes[14] & 15U) * 4;
    EXPECT_GT(header, 20U);
    longest = std::max(longest, header);
    EXPECT_EQ(header_sum(frame), 0xffffU);
    EXPECT_EQ(frame.be16(16), frame.octets() - 18);
    EXPECT_EQ(frame.text_at(), 14 + header);
  }
  EXPECT_EQ(longest, 60U);
  EXPECT_THAT(frames, Each(says("take", "ip_options")));
  EXPECT_THAT(frames, Each(kGoodFcs));
}

TEST(OddFrames, WrongTotalLengthsHaveARightChecksum) {
  const auto frames = Fixture::round_of("bad_ip_length");
  std::vector<std::uint32_t> totals;
  for (const Seen& frame : frames) {
    EXPECT_EQ(header_sum(frame), 0xffffU);
    totals.push_back(frame.be16(16));
    EXPECT_TRUE(frame.be16(16) > frame.octets() - 18 || frame.be16(16) < 20);
  }
  EXPECT_THAT(totals, ElementsAre(61, 64, 1500, 65535, 19, 0));
}

TEST(OddFrames, WrongChecksumsHaveARightTotalLength) {
  const auto frames = Fixture::round_of("bad_ip_checksum");
  ASSERT_EQ(frames.size(), 3U);
  for (const Seen& frame : frames) {
    EXPECT_NE(header_sum(frame), 0xffffU);
    EXPECT_EQ(frame.be16(16), frame.octets() - 18);
  }
}

TEST(OddFrames, LengthFieldsAreUndefinedOrTellAnotherLength) {
  const auto frames = Fixture::round_of("length_field");
  int longer = 0;
  int shorter = 0;
  int undefined = 0;
  for (const Seen& frame : frames) {
    const std::size_t data = frame.octets() - 18;
    const std::size_t field = frame.be16(12);
    EXPECT_LT(field, 1536U) << "a type from there on (IEEE 802.3, 3.2.6)";
    undefined += field > 1500 ? 1 : 0;
    longer += field > data && field <= 1500 ? 1 : 0;
    shorter += field < data ? 1 : 0;
    EXPECT_GE(data, 46U);
  }
  EXPECT_EQ(frames.size(), static_cast<std::size_t>(longer + shorter + undefined));
  EXPECT_TRUE(longer > 0 && shorter > 0 && undefined > 0);
}

TEST(OddFrames, ALongPauseIsEndedByTheNextFrame) {
  const auto frames = Fixture::round_of("pause");
  std::vector<std::uint32_t> quanta;
  for (const Seen& frame : frames) {
    EXPECT_EQ(frame.to(), ethernet::kPauseAddress);
    EXPECT_EQ(frame.be16(12), 0x8808);
    EXPECT_EQ(frame.be16(14), 1);
    quanta.push_back(frame.be16(16));
  }
  EXPECT_THAT(quanta, ElementsAre(1, 16, 0, 0xffff, 0));
  EXPECT_EQ(frames[4].at_ps - frames[3].at_ps, kSlot64);
}

TEST(OddFrames, MacControlHasReservedOpcodesOnly) {
  const auto frames = Fixture::round_of("mac_control");
  EXPECT_EQ(frames.size(), 6U);
  for (const Seen& frame : frames) {
    EXPECT_EQ(frame.be16(12), 0x8808);
    // Table 31A-1: PAUSE, gate to register ack, PFC, extension.
    const int opcode = frame.be16(14);
    EXPECT_FALSE((opcode >= 1 && opcode <= 6) || opcode == 0x101 || opcode == 0xfffe) << opcode;
  }
}

TEST(OddFrames, ForeignAddressesAreEachOneBitOff) {
  const auto frames = Fixture::round_of("foreign");
  const MacAddress own = station(1);
  std::set<MacAddress> all;
  for (const Seen& frame : frames) {
    int bits = 0;
    for (std::size_t i = 0; i < 6; ++i)
      bits += __builtin_popcount(static_cast<unsigned>(frame.to().at(i) ^ own.at(i)));
    EXPECT_EQ(bits, 1);
    EXPECT_FALSE(ethernet::is_group(frame.to()));
    all.insert(frame.to());
  }
  EXPECT_EQ(all.size(), 47U);
  EXPECT_THAT(frames, Each(says("drop", "foreign")));
}

TEST(OddFrames, GroupsBeginWithEverybody) {
  const auto frames = Fixture::round_of("group");
  ASSERT_EQ(frames.size(), 7U);
  EXPECT_EQ(frames[0].to(), kAll);
  EXPECT_THAT(frames[0], says("take", "group"));
  for (const Seen& frame : frames) {
    EXPECT_TRUE(ethernet::is_group(frame.to()));
    EXPECT_EQ(frame.be16(12), 0x88b6);
  }
}

TEST(OddFrames, SourcesAreAGroupTheStationAndNone) {
  const auto frames = Fixture::round_of("odd_source");
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_TRUE(ethernet::is_group(frames[0].from()));
  EXPECT_EQ(frames[1].from(), station(1));
  EXPECT_EQ(frames[2].from(), MacAddress{});
  EXPECT_THAT(frames, Each(Truly([](const Seen& f) { return f.to() == station(1); })));
}

TEST(OddFrames, ABurstIsAtTheWiresRate) {
  const auto frames = Fixture::round_of("smallest_burst");
  ASSERT_EQ(frames.size(), 32U);
  for (std::size_t i = 1; i < frames.size(); ++i)
    EXPECT_EQ(frames[i].at_ps - frames[i - 1].at_ps, kSlot64);
  EXPECT_THAT(frames, Each(says("take", "smallest_burst")));
  EXPECT_THAT(frames, Each(Truly([](const Seen& f) { return f.octets() == 64; })));
}

TEST(OddFrames, SerialNumbersCountAllOfThem) {
  const auto frames = Fixture::round_of("all");
  std::set<std::string> kinds;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto text = frames[i].text();
    if (text.empty()) {
      EXPECT_LT(frames[i].octets(), 41U) << "only a runt has no room";
      continue;
    }
    EXPECT_EQ(std::stoul(text[0], nullptr, 16), i);
    kinds.insert(text[2]);
  }
  EXPECT_EQ(kinds.size(), kOddKinds);
}

TEST(OddFrames, TheTypeIsThatOfBadFramesWhereTheyAreToBeDropped) {
  for (const Seen& frame : Fixture::round_of("all")) {
    const auto text = frame.text();
    if (text.empty()) continue;
    const std::size_t at = frame.text_at() - 2;
    const int type = frame.be16(at);
    if (type != 0x88b5 && type != 0x88b6) continue;  // of IPv4 and MAC control
    if (text[1] == "drop") {
      EXPECT_EQ(type, 0x88b5) << text[2];
    } else if (text[1] == "take") {
      EXPECT_EQ(type, 0x88b6) << text[2];
    }
  }
}

}  // namespace
}  // namespace longhaul::wan::frame_injector
