// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/loss_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/support/ip_frames.h"

namespace longhaul::observe {
namespace {

using test::ip_frame;
using test::Segment;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t kMs = 1'000'000'000;

/// A part that drops frames.
struct Dropper final : sc_core::sc_module {
  explicit Dropper(const sc_core::sc_module_name& name) : sc_module(name) {}
  FrameTap tap{"tap", "frames dropped"};
  void drop(std::uint64_t ps, const FrameRef& frame, const char* why) {
    tap.report(from_ps(ps), frame, FrameFate::kDropped, why);
  }
};

struct Losses : ::testing::Test {
  FrameTap received{"received", "frames taken in"};
  FrameTap sent{"sent", "frames sent"};
  PayloadMeter meter{"meter", received, sent};
  Dropper box{"box"};
  Dropper host{"host"};
  LossWatch watch{{&sent, &box.tap, &host.tap}};

  static FrameRef tcp(std::uint32_t sequence, std::uint32_t payload, std::uint8_t flags = 0x10) {
    Segment s;
    s.sequence = sequence;
    s.payload = payload;
    s.flags = flags;
    return ip_frame(s);
  }
  FrameRef send(const FrameRef& frame) {
    sent.report(sc_core::SC_ZERO_TIME, frame, FrameFate::kSent);
    return frame;
  }
};

TEST_F(Losses, TapsAreLeftAloneWhileNobodyListens) {
  EXPECT_FALSE(box.tap.active());
  {
    const LossBook book(watch);
    EXPECT_TRUE(box.tap.active());
  }
  EXPECT_FALSE(box.tap.active());
}

TEST_F(Losses, ADroppedFrameSaysWhereWhenAndWhy) {
  LossBook book(watch);
  const FrameRef lost = tcp(1000, 100);
  const FrameRef kept = tcp(1100, 100);
  box.tap.report(from_ps(1), kept, FrameFate::kSent, "");
  box.drop(1461 * kMs + 123'456'789, lost, "random loss");
  EXPECT_THAT(book.comments(lost->id()), ElementsAre("dropped later: box at 1.461123456 s (random loss)"));
  EXPECT_THAT(book.comments(kept->id()), IsEmpty());
}

TEST_F(Losses, ARetransmissionNamesTheLastLossOfItsBytes) {
  LossBook book(watch);
  book.watch(meter);
  send(tcp(999, 0, 0x02));
  box.drop(1 * kMs, send(tcp(1000, 100)), "RED");
  send(tcp(1100, 100));
  const FrameRef again = send(tcp(1000, 100));
  EXPECT_THAT(book.comments(again->id()),
              ElementsAre("retransmission: of bytes dropped by box at 0.001000000 s (RED)"));
  host.drop(5 * kMs, again, "receive buffer full");
  EXPECT_THAT(book.comments(again->id()), ElementsAre("retransmission: of bytes dropped by box at 0.001000000 s (RED)",
                                                      "dropped later: host at 0.005000000 s (receive buffer full)"));
  const FrameRef part = send(tcp(1040, 20));
  EXPECT_THAT(book.comments(part->id()),
              ElementsAre("retransmission: of bytes dropped by host at 0.005000000 s (receive buffer full)"));
  const FrameRef spurious = send(tcp(1100, 100));
  EXPECT_THAT(book.comments(spurious->id()), ElementsAre("retransmission: no part has dropped these bytes"));
}

TEST_F(Losses, EveryRetransmissionThatTheMeterCountsIsOne) {
  LossBook book(watch);
  book.watch(meter);
  send(tcp(999, 0, 0x02));
  std::uint64_t said = 0;
  for (const std::uint32_t sequence : {1000U, 1100U, 1100U, 1000U, 1200U, 1200U}) {
    said += book.comments(send(tcp(sequence, 100))->id()).size();
  }
  EXPECT_EQ(said, meter.tcp_retransmits.value());
  EXPECT_EQ(said, 3U);
}

TEST_F(Losses, SequenceNumbersWrapAndFlowsAreApart) {
  LossBook book(watch);
  box.drop(1 * kMs, tcp(0xffff'ffc0, 100), "first");
  box.drop(2 * kMs, tcp(0x24, 100), "second");
  const FlowKey flow = transport_header(*tcp(0, 1))->flow;
  EXPECT_STREQ(book.last_loss(flow, 0xffff'fff0, 4)->why, "first");
  EXPECT_STREQ(book.last_loss(flow, 0x10, 4)->why, "first");
  EXPECT_STREQ(book.last_loss(flow, 0x10, 0x40)->why, "second");
  EXPECT_FALSE(book.last_loss(flow, 0x88, 100));
  Segment other;
  other.from_port = 40001;
  EXPECT_FALSE(book.last_loss(transport_header(*ip_frame(other))->flow, 0x24, 10));
}

}  // namespace
}  // namespace longhaul::observe
