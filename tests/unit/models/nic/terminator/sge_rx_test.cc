// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/unit/models/nic/terminator/terminator_fixture.h"

namespace longhaul::nic::terminator {
namespace {

using namespace regs;  // NOLINT: names of the registers
using longhaul::testing::be16;
using longhaul::testing::good_packet;
using longhaul::testing::PacketSpec;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint32_t kHead = cpl::kHeadBytes;

ByteVector behind_head(const ByteVector& bytes) { return {bytes.begin() + kHead, bytes.end()}; }

TEST(SgeRx, AFrameFillsOneBufferBehindItsCplHeader) {
  TerminatorFixture b;
  b.open();
  const std::size_t before = b.bus.seen.size();
  const ByteVector packet = b.packet(600);
  ASSERT_TRUE(b.receive(packet));
  b.run_us(10);
  const auto responses = b.responses();
  ASSERT_THAT(responses, SizeIs(1));
  EXPECT_EQ(responses[0].bytes, 608U);
  EXPECT_TRUE(responses[0].has_data());
  EXPECT_EQ(responses[0].get(response::kSop), 1U);
  EXPECT_EQ(responses[0].get(response::kEop), 1U);
  EXPECT_EQ(responses[0].get(response::kOffload), 0U);
  EXPECT_EQ(responses[0].get(response::kFreelist), 0U);
  const ByteVector bytes = b.received(0, 0, 608);
  EXPECT_EQ(bytes[0], 0xad) << "CPL_RX_PKT";
  EXPECT_EQ(bytes[1], 0) << "port 0, no sum, no tag";
  EXPECT_EQ(be16(bytes, 6), 600U);
  EXPECT_EQ(behind_head(bytes), packet);
  // The packet as one write, then its response.
  ASSERT_EQ(b.bus.seen.size(), before + 2);
  EXPECT_EQ(b.bus.seen[before].bytes, 608U);
  EXPECT_EQ(b.bus.seen[before + 1].bytes, 8U);
  EXPECT_EQ(b.bus.seen[before + 1].address, b.kResponses);
  EXPECT_EQ(b.nic->rx().fill.value(), 0U);
  EXPECT_EQ(b.read(kSgFl0ptr), 0x10001U);
}

TEST(SgeRx, TheThresholdChoosesTheFreeList) {
  TerminatorFixture b;
  b.open();
  ASSERT_TRUE(b.receive(b.packet(1536)));
  ASSERT_TRUE(b.receive(b.packet(1537)));
  b.run_us(10);
  const auto responses = b.responses();
  ASSERT_THAT(responses, SizeIs(2));
  EXPECT_EQ(responses[0].get(response::kFreelist), 0U) << "1536 < 1537";
  EXPECT_EQ(responses[0].bytes, 1536U + kHead);
  EXPECT_EQ(responses[1].get(response::kFreelist), 1U);
  EXPECT_EQ(behind_head(b.received(1, 0, 1537 + kHead)), b.packet(1537));
}

TEST(SgeRx, JumboFramesPassWhole) {
  TerminatorFixture b;
  b.open();
  ASSERT_TRUE(b.receive(b.packet(9596)));
  b.run_us(20);
  EXPECT_EQ(b.responses().at(0).bytes, 9596U + kHead);
  EXPECT_EQ(behind_head(b.received(1, 0, 9596 + kHead)), b.packet(9596));
}

TEST(SgeRx, TheSumOfTcpAndUdpIsInTheCplHeader) {
  TerminatorFixture b;
  b.open();
  PacketSpec udp;
  udp.tcp = false;
  PacketSpec odd;
  odd.payload = 101;
  PacketSpec tagged;
  tagged.vlan = 5;
  ByteVector wrong = good_packet();
  wrong.back() ^= 1;
  ByteVector fragment = good_packet();
  fragment.at(longhaul::testing::ip_at(PacketSpec()) + 6) = 0x20;
  PacketSpec six;
  six.v6 = true;
  for (const ByteVector& packet : {good_packet(), good_packet(udp), good_packet(odd),
                                   good_packet(tagged), wrong, fragment, good_packet(six)})
    ASSERT_TRUE(b.receive(packet));
  b.run_us(20);
  const auto responses = b.responses();
  ASSERT_THAT(responses, SizeIs(7));
  const auto sum = [&](std::uint32_t i) { return be16(b.received(0, i, kHead), 2); };
  const auto valid = [&](std::uint32_t i) { return (b.received(0, i, kHead)[1] & 0x10U) != 0; };
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(sum(i), 0xffffU) << i;
    EXPECT_TRUE(valid(i)) << i;
  }
  EXPECT_TRUE(valid(4));
  // The last byte is the high half of a word, or the low half: the sum is one bit off.
  EXPECT_THAT(sum(4), ::testing::AnyOf(1U, 0xfffeU, 0x100U, 0xfeffU));
  EXPECT_FALSE(valid(5)) << "a fragment";
  EXPECT_FALSE(valid(6)) << "IPv6";
  EXPECT_EQ(sum(5), 0U);
}

TEST(SgeRx, TagsStayUnlessTheyAreExtracted) {
  TerminatorFixture b;
  b.open();
  PacketSpec spec;
  const ByteVector plain = good_packet(spec);
  spec.vlan = 0x6123;
  const ByteVector tagged = good_packet(spec);
  ASSERT_TRUE(b.receive(tagged));
  b.run_us(10);
  EXPECT_EQ(behind_head(b.received(0, 0, b.responses().at(0).bytes)), tagged);
  b.write(kSgControl, b.control | kSgControlFields.vlan_xtract);
  ASSERT_TRUE(b.receive(tagged));
  ASSERT_TRUE(b.receive(plain));
  b.run_us(10);
  const auto responses = b.responses();
  const ByteVector bytes = b.received(0, 1, responses.at(0).bytes);
  EXPECT_EQ(behind_head(bytes), plain);
  EXPECT_EQ(bytes[1] & 0x40, 0x40);
  EXPECT_EQ(be16(bytes, 4), 0x6123U);
  EXPECT_EQ(be16(bytes, 6), plain.size());
  EXPECT_EQ(b.received(0, 2, kHead)[1] & 0x40, 0);
}

TEST(SgeRx, PaddingComesBeforeTheHeader) {
  TerminatorFixture b;
  b.configure();
  b.start(kSgControlFields.rx_pkt_offset.put(2));
  b.run_us(2);
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(10);
  EXPECT_EQ(b.responses().at(0).bytes, 110U);
  const ByteVector bytes = b.received(0, 0, 110);
  EXPECT_EQ(bytes[2], 0xad);
  EXPECT_EQ(ByteVector(bytes.begin() + 10, bytes.end()), b.packet(100));
}

TEST(SgeRx, AFrameLargerThanItsBufferIsDiscardedAndTheBufferStays) {
  TerminatorFixture b;
  b.configure(0, 1);
  b.give(0, 500);
  b.start();
  b.run_us(2);
  ASSERT_TRUE(b.receive(b.packet(493)));  // with its header 501 B
  ASSERT_TRUE(b.receive(b.packet(492)));
  b.run_us(10);
  const auto responses = b.responses();
  ASSERT_THAT(responses, SizeIs(2)) << "the packet, and the sleep of the empty list";
  EXPECT_EQ(responses[0].bytes, 500U);
  EXPECT_EQ(behind_head(b.received(0, 0, 500)), b.packet(492));
  EXPECT_EQ(b.nic->rx().too_big.value(), 1U);
  EXPECT_NE(b.read(kSgIntCause) & kSgIntFields.packet_too_big, 0U);
}

TEST(SgeRx, WithoutBuffersPacketsWaitAndTheDriverIsTold) {
  TerminatorFixture b(nlohmann::json{{"rx_buffer", "20KiB"}});
  b.configure(2, 2);
  b.start();
  b.run_us(2);
  for (std::uint8_t i = 0; i < 5; ++i) ASSERT_TRUE(b.receive(b.packet(1000, i)));
  b.run_us(20);
  auto responses = b.responses();
  std::uint32_t data = 0;
  std::uint32_t sleeping = 0;
  for (const auto& response : responses) {
    data += response.has_data() ? 1 : 0;
    sleeping |= response.sleeping();
  }
  EXPECT_EQ(data, 2U);
  EXPECT_EQ(sleeping, kSgDoorbellFields.fl0_enable.mask());
  EXPECT_EQ(b.read(kSgIntCause), kSgIntFields.fl_exhausted.mask());
  EXPECT_EQ(b.nic->rx().fill.value(), 3000U);
  EXPECT_EQ(b.nic->rx().engine().state.state(), Engine::kBlockedState);
  ASSERT_TRUE(b.receive(b.packet(16'000)));
  EXPECT_FALSE(b.receive(b.packet(2000))) << "the packet memory is full: ESPI keeps it";
  for (std::uint32_t i = 0; i < 3; ++i) b.give(0);
  b.run_us(20);
  EXPECT_THAT(b.responses(), IsEmpty()) << "the list sleeps until the doorbell";
  b.ring(kSgDoorbellFields.fl0_enable);
  b.run_us(20);
  responses = b.responses();
  EXPECT_GE(responses.size(), 3U);
  EXPECT_EQ(behind_head(b.received(0, 4, 1008)), b.packet(1000, 4));
}

TEST(SgeRx, BuffersAreUsedInTheirOrderAroundTheList) {
  TerminatorFixture b;
  b.open(b.kSmallEntries, 4);
  for (std::uint32_t i = 0; i < b.kSmallEntries + 100; i += 10) {
    for (std::uint32_t j = 0; j < 10; ++j)
      ASSERT_TRUE(b.receive(b.packet(60 + j, static_cast<std::uint8_t>(i))));
    b.run_us(6);
    const auto responses = b.responses();
    ASSERT_THAT(responses, SizeIs(10)) << i;
    for (std::uint32_t j = 0; j < 10; ++j) {
      ASSERT_EQ(behind_head(b.received(0, i + j, 68 + j)),
                b.packet(60 + j, static_cast<std::uint8_t>(i)));
      b.give(0);
    }
    b.write(kSgRspqueuecredit, 10);
  }
}

TEST(SgeRx, WithoutResponseCreditsPacketsWait) {
  TerminatorFixture b;
  b.configure();
  b.write(kSgRspsize, b.kResponseEntries);  // back to entry 0: no credits
  b.write(kSgRspqueuecredit, 2);
  b.start();
  b.run_us(2);
  for (std::uint32_t i = 0; i < 4; ++i) ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(20);
  EXPECT_THAT(b.responses(), SizeIs(2));
  EXPECT_EQ(b.read(kSgRspqueuecredit), 0U);
  EXPECT_EQ(b.read(kSgIntCause), kSgIntFields.respq_exhausted.mask());
  b.write(kSgRspqueuecredit, 1);
  b.run_us(20);
  EXPECT_THAT(b.responses(), SizeIs(1));
  b.write(kSgRspqueuecredit, 10);
  b.run_us(20);
  EXPECT_THAT(b.responses(), SizeIs(1));
  EXPECT_EQ(b.read(kSgRspqueuecredit), 9U);
}

TEST(SgeRx, CreditsRideOnReceivedPackets) {
  TerminatorFixture b(nlohmann::json{{"credit_return", 31}});
  b.open();
  b.write(kSgControl, b.control | kSgControlFields.disable_cmdq0_gts);
  b.queue_pieces({b.with_cpl(b.packet(100))});
  b.ring();
  b.run_us(10);
  EXPECT_THAT(b.responses(), IsEmpty());
  ASSERT_TRUE(b.receive(b.packet(100)));
  b.run_us(10);
  const auto responses = b.responses();
  ASSERT_THAT(responses, SizeIs(1));
  EXPECT_TRUE(responses[0].has_data());
  EXPECT_EQ(responses[0].credits(0), 1U);
  EXPECT_EQ(responses[0].get(response::kCreditValid), 1U);
}

TEST(SgeRx, AStoppedSgeKeepsFramesForTheNextStart) {
  TerminatorFixture b;
  b.open();
  b.write(kSgControl, 0);
  ASSERT_TRUE(b.receive(b.packet(300)));
  b.run_us(10);
  EXPECT_THAT(b.responses(), IsEmpty());
  b.write(kSgControl, b.control);
  b.run_us(10);
  EXPECT_THAT(b.responses(), SizeIs(1));
}

}  // namespace
}  // namespace longhaul::nic::terminator
