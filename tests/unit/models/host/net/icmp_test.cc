// SPDX-License-Identifier: Apache-2.0
// Echo of both families: what is answered, with what, and what is not.
#include "models/host/net/icmp.h"

#include "tests/unit/models/host/net/raw_frames.h"

namespace longhaul::host {
namespace {

using cpu::CoreState;
using ::testing::ElementsAreArray;
using testing::ip;
using testing::Program;
using testing::RawFrame;

TEST(Icmp, AMessageOfIpv4HasBothItsChecksums) {
  RawFrame frame = testing::icmp_frame(icmp::kEchoRequest4, ip("10.0.0.1"), ip("10.0.0.2"), 1, 1);
  const RawFrame expected{0x08, 0x00, 0x45, 0,  0, 28, 0, 7, 0, 0,    64,   1, 0x66, 0xd8, 10,
                          0,    0,    1,    10, 0, 0,  2, 8, 0, 0xf7, 0xfd, 0, 1,    0,    1};
  EXPECT_THAT(RawFrame(frame.begin() + 12, frame.end()), ElementsAreArray(expected));
  icmp::finish(frame.data(), false, ip("10.0.0.1").host, ip("10.0.0.2").host, 8, 1, 7);
  EXPECT_EQ(frame[14 + 8], 1) << "hop limit";
  EXPECT_TRUE(icmp::intact_header(frame.data()));
}

TEST(Icmp, AMessageOfIpv6SumsThePseudoHeader) {
  const RawFrame frame =
      testing::icmp_frame(icmp::kEchoRequest6, ip("fd00::1"), ip("fd00::2"), 1, 1);
  const RawFrame expected{0x86, 0xdd, 0x60, 0, 0, 0, 0, 8, 58,  64,   0xfd, 0,    0, 0, 0, 0, 0,
                          0,    0,    0,    0, 0, 0, 0, 0, 1,   0xfd, 0,    0,    0, 0, 0, 0, 0,
                          0,    0,    0,    0, 0, 0, 0, 2, 128, 0,    0x85, 0xb6, 0, 1, 0, 1};
  EXPECT_THAT(RawFrame(frame.begin() + 12, frame.end()), ElementsAreArray(expected));
}

TEST(Icmp, AnyFlippedBitOfWhatIsSummedIsFound) {
  for (const bool ipv6 : {false, true}) {
    const std::uint32_t begin = ipv6 ? icmp::kIpv6Begin : icmp::kIpv4Begin;
    RawFrame frame = ipv6 ? testing::icmp_frame(icmp::kEchoRequest6, ip("fd00::1"), ip("fd00::2"),
                                                1, 1, {1, 2, 3})
                          : testing::icmp_frame(icmp::kEchoRequest4, ip("10.0.0.1"), ip("10.0.0.2"),
                                                1, 1, {1, 2, 3});
    const auto intact = [&] { return icmp::intact(frame.data(), ipv6, frame.data() + begin, 11); };
    EXPECT_TRUE(intact());
    for (std::uint32_t i = ipv6 ? begin - 32 : begin; i < frame.size(); ++i) {
      frame[i] ^= 0x10U;
      EXPECT_FALSE(intact()) << i;
      frame[i] ^= 0x10U;
    }
  }
}

struct IcmpTest : testing::NetTest {
  /// What b sends back to these frames from a, address resolution apart.
  std::vector<RawFrame> answers(const std::vector<RawFrame>& frames) {
    if (a == nullptr) build();
    b->device.capture = true;
    testing::send_raw(*this, *a, frames);
    run_until(now_ps() + 100 * kMs);
    std::vector<RawFrame> result;
    for (const RawFrame& frame : b->device.captured) {
      const bool ipv6 = read_be16(frame.data() + 12) == 0x86dd;
      const bool discovery =
          ipv6 && (frame[54] == icmp::kSolicitation || frame[54] == icmp::kAdvertisement);
      if (read_be16(frame.data() + 12) != 0x0806 && !discovery) result.push_back(frame);
    }
    return result;
  }
  static RawFrame request(const std::string& to, const std::vector<std::uint8_t>& data = {}) {
    const Address target = ip(to);
    return testing::icmp_frame(target.ipv6 ? icmp::kEchoRequest6 : icmp::kEchoRequest4,
                               target.ipv6 ? ip("fd00::1") : ip("10.0.0.1"), target, 0x1234, 0x5678,
                               data);
  }
};

TEST_F(IcmpTest, TheAnswerIsTheRequestTurnedRound) {
  for (const RawFrame& answer : answers({request("10.0.0.2", {9, 8, 7})})) {
    RawFrame expected = testing::icmp_frame(icmp::kEchoReply4, ip("10.0.0.2"), ip("10.0.0.1"),
                                            0x1234, 0x5678, {9, 8, 7});
    std::copy_n(b->device.mac().begin(), 6, expected.begin() + 6);
    std::copy_n(a->device.mac().begin(), 6, expected.begin());
    icmp::finish(expected.data(), false, ip("10.0.0.2").host, ip("10.0.0.1").host, 11, 64, 1);
    EXPECT_THAT(answer, ElementsAreArray(expected));
  }
  EXPECT_EQ(b->stack.echo_requests.value(), 1U);
  EXPECT_EQ(b->device.captured.size(), 2U) << "and a question for the asker's address";
  expect_no_leak();
}

TEST_F(IcmpTest, Ipv6AnswersAlike) {
  const std::vector<RawFrame> got = answers({request("fd00::2", {9, 8, 7})});
  ASSERT_EQ(got.size(), 1U);
  RawFrame expected = testing::icmp_frame(icmp::kEchoReply6, ip("fd00::2"), ip("fd00::1"), 0x1234,
                                          0x5678, {9, 8, 7});
  std::copy_n(b->device.mac().begin(), 6, expected.begin() + 6);
  std::copy_n(a->device.mac().begin(), 6, expected.begin());
  EXPECT_THAT(got[0], ElementsAreArray(expected));
  expect_no_leak();
}

TEST_F(IcmpTest, EachAnswerHasAnIdentificationOfItsOwn) {
  const std::vector<RawFrame> got = answers({request("10.0.0.2"), request("10.0.0.2")});
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(read_be16(got[1].data() + 18), read_be16(got[0].data() + 18) + 1);
}

TEST_F(IcmpTest, RequestsForOtherStationsAreDropped) {
  const auto got = answers({request("10.0.0.3"), request("fd00::3"), request("fd01::2"),
                            request("ff02::1:ff00:3"),  // the group that 3 is solicited by
                            request("ff02::2"),         // all routers
                            request("ff01::1")});       // nobody else is on this interface
  EXPECT_TRUE(got.empty());
  EXPECT_EQ(b->stack.drop_address.value(), 6U);
  EXPECT_EQ(b->stack.echo_requests.value(), 0U);
  expect_no_leak();
}

TEST_F(IcmpTest, BroadcastsOfIpv4AreNotAnswered) {
  const auto got =
      answers({request("255.255.255.255"), request("10.0.0.255"), request("224.0.0.1")});
  EXPECT_TRUE(got.empty());
  EXPECT_EQ(b->stack.drop_address.value(), 3U);
}

TEST_F(IcmpTest, GroupsOfIpv6AreAnsweredFromTheStationsOwnAddress) {
  const auto got = answers({request("ff02::1"), request("ff02::1:ff00:2")});
  ASSERT_EQ(got.size(), 2U);
  for (const RawFrame& answer : got) {
    EXPECT_EQ(answer[54], icmp::kEchoReply6);
    EXPECT_THAT(RawFrame(answer.begin() + 22, answer.begin() + 38),
                ElementsAreArray(ip("fd00::2").host));
    EXPECT_TRUE(icmp::intact(answer.data(), true, answer.data() + 54, 8));
  }
  EXPECT_EQ(b->stack.drop_address.value(), 0U);
}

TEST_F(IcmpTest, DamagedOnesAreNotAnsweredWhetherHeaderOrMessage) {
  std::vector<RawFrame> frames(4, request("10.0.0.2", {1, 2, 3, 4}));
  frames[0][14 + 8] ^= 1U;   // time to live
  frames[1][14 + 15] ^= 4U;  // source: the answer would go elsewhere
  frames[2].back() ^= 1U;
  frames[3] = request("fd00::2", {1});
  frames[3][14 + 23] ^= 4U;
  EXPECT_TRUE(answers(frames).empty());
  EXPECT_EQ(b->stack.drop_checksum.value(), 4U);
  expect_no_leak();
}

TEST_F(IcmpTest, LengthsThatContradictTheFrameAreMalformed) {
  const auto with_length = [](RawFrame frame, std::uint32_t bytes) {
    const bool ipv6 = frame[14] == 0x60;
    write_be16(frame.data() + 14 + (ipv6 ? 4 : 2), bytes);
    return frame;
  };
  RawFrame options = request("10.0.0.2", {1, 2, 3, 4});
  options[14] = 0x46;
  EXPECT_TRUE(
      answers({with_length(request("10.0.0.2"), 29), with_length(request("10.0.0.2"), 27), options,
               with_length(request("fd00::2"), 9), with_length(request("fd00::2"), 7)})
          .empty());
  EXPECT_EQ(b->stack.drop_malformed.value(), 5U);
  expect_no_leak();
}

TEST_F(IcmpTest, PaddingIsNoPartOfTheMessage) {
  RawFrame padded = request("10.0.0.2");
  padded.resize(60, 0xee);
  const auto got = answers({padded});
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got[0].size(), 42U);
}

TEST_F(IcmpTest, OtherTypesAreTakenSilently) {
  const auto destination_unreachable = testing::icmp_frame(3, ip("10.0.0.1"), ip("10.0.0.2"), 0, 0);
  const auto for_nobody =
      testing::icmp_frame(icmp::kEchoReply6, ip("fd00::1"), ip("fd00::2"), 99, 1);
  EXPECT_TRUE(answers({destination_unreachable, for_nobody}).empty());
  EXPECT_EQ(b->stack.drop_malformed.value() + b->stack.drop_address.value() +
                b->stack.drop_checksum.value(),
            0U);
  expect_no_leak();
}

TEST_F(IcmpTest, EveryByteIsSummedTwiceAndCopiedOnce) {
  build();
  std::vector<std::uint64_t> spent;
  b->device.on_sent = [&](const RawFrame&) {
    spent.push_back(b->cpus[0]->spent(CoreState::kSoftirq));
  };
  std::vector<RawFrame> frames(4, request("10.0.0.2"));
  frames[3] = request("10.0.0.2", std::vector<std::uint8_t>(1000));
  testing::send_raw(*this, *a, frames, 5 * kMs);
  run_until(100 * kMs);
  ASSERT_EQ(spent.size(), 5U) << "with the question for the asker's address";
  const cpu::Core& core = b->cpus[0]->core;
  EXPECT_EQ((spent[4] - spent[3]) - (spent[3] - spent[2]),
            1000 * (2 * core.unit_cost_ps(cpu::WorkKind::kByteChecksummed) +
                    core.unit_cost_ps(cpu::WorkKind::kByteCopied)));
}

TEST_F(IcmpTest, WithoutMemoryThereIsNoAnswer) {
  params.memory = units::MiB(1);
  params.device.buffer_bytes = 4096;
  build();
  const std::uint64_t for_the_request = b->pool.allocate(4096);
  for (const std::uint64_t bytes : {4096, 256}) {
    while (b->pool.allocate(bytes) != 0) {
    }
  }
  b->pool.free(for_the_request, 4096);
  EXPECT_TRUE(answers({request("10.0.0.2", std::vector<std::uint8_t>(1000))}).empty());
  EXPECT_EQ(b->stack.drop_no_memory.value(), 1U);
  EXPECT_EQ(b->stack.echo_requests.value(), 0U);
}

struct EchoTest : IcmpTest {
  std::optional<std::uint64_t> rtt;
  void wait_for(std::uint16_t sequence, const Address& to = address(2, 0)) {
    program(*a, "ping", [this, sequence, to](Program& self) {
      Echo echo(a->stack, 77);
      EXPECT_TRUE(echo.send(self, to, sequence, 56));
      rtt = echo.wait(self, sequence, 50 * kMs);
      log("done");
    });
  }
};

TEST_F(EchoTest, SomebodyElsesReplyIsNotTaken) {
  build();
  a->device.fate = [](std::uint64_t, RawFrame&) -> std::vector<std::uint64_t> {
    return {};
  };  // nobody hears it
  wait_for(5);
  const auto reply = [](std::uint16_t id, std::uint16_t sequence) {
    return testing::icmp_frame(icmp::kEchoReply4, ip("10.0.0.2"), ip("10.0.0.1"), id, sequence);
  };
  testing::send_raw(*this, *b, {reply(77, 4), reply(78, 5)});
  run_until(200 * kMs);
  EXPECT_FALSE(rtt.has_value());
  EXPECT_EQ(log.lines.size(), 1U) << "and the wait has its end";
}

TEST_F(EchoTest, ItsOwnReplyEndsTheWait) {
  build();
  a->device.fate = [](std::uint64_t, RawFrame&) -> std::vector<std::uint64_t> { return {}; };
  wait_for(5);
  testing::send_raw(
      *this, *b, {testing::icmp_frame(icmp::kEchoReply4, ip("10.0.0.2"), ip("10.0.0.1"), 77, 5)});
  run_until(200 * kMs);
  ASSERT_TRUE(rtt.has_value());
  EXPECT_LT(*rtt, kMs);
}

TEST_F(EchoTest, ALateReplyBehindItsOwnTakesNothingBack) {
  build();
  a->device.fate = [](std::uint64_t, RawFrame&) -> std::vector<std::uint64_t> { return {}; };
  wait_for(5);
  const auto reply = [](std::uint16_t sequence) {
    return testing::icmp_frame(icmp::kEchoReply4, ip("10.0.0.2"), ip("10.0.0.1"), 77, sequence);
  };
  testing::send_raw(*this, *b, {reply(3), reply(5), reply(4), reply(5)});
  run_until(200 * kMs);
  ASSERT_TRUE(rtt.has_value());
  EXPECT_LT(*rtt, kMs);
}

TEST_F(EchoTest, WhatNoInterfaceReachesIsRefusedAtOnce) {
  build();
  bool sent = true;
  program(*a, "ping", [&](Program& self) {
    Echo echo(a->stack, 77);
    sent = echo.send(self, ip("192.168.1.1"), 1, 56);
    log("refused");
  });
  run_until(200 * kMs);
  EXPECT_FALSE(sent);
  ASSERT_EQ(log.lines.size(), 1U);
  EXPECT_EQ(a->device.frames_sent, 0U);
  expect_no_leak();
}

}  // namespace
}  // namespace longhaul::host
