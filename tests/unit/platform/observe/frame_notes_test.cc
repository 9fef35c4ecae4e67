// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/frame_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/platform/observe/loss_parts.h"

namespace longhaul::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Notes : LossParts {
  LossBook book{watch};
};

TEST_F(Notes, ADroppedFrameSaysWhereWhenAndWhy) {
  FrameNotes notes(watch, book);
  const FrameRef lost = tcp(1000, 100);
  const FrameRef kept = tcp(1100, 100);
  box.tap.report(from_ps(1), kept, FrameFate::kSent, "");
  box.drop(1461 * kMs + 123'456'789, lost, "random loss");
  EXPECT_THAT(notes.comments(lost->id()),
              ElementsAre("dropped later: box at 1.461123456 s (random loss)"));
  EXPECT_THAT(notes.comments(kept->id()), IsEmpty());
}

TEST_F(Notes, ARetransmissionNamesTheLastLossOfItsBytes) {
  FrameNotes notes(watch, book);
  notes.watch(meter);
  send(tcp(999, 0, 0x02));
  box.drop(1 * kMs, send(tcp(1000, 100)), "RED");
  send(tcp(1100, 100));
  const FrameRef again = send(tcp(1000, 100));
  const char* const of_box = "retransmission: of bytes dropped by box at 0.001000000 s (RED)";
  EXPECT_THAT(notes.comments(again->id()), ElementsAre(of_box));
  host.drop(5 * kMs, again, "receive buffer full");
  EXPECT_THAT(notes.comments(again->id()),
              ElementsAre(of_box, "dropped later: host at 0.005000000 s (receive buffer full)"));
  const FrameRef part = send(tcp(1040, 20));
  EXPECT_THAT(
      notes.comments(part->id()),
      ElementsAre(
          "retransmission: of bytes dropped by host at 0.005000000 s (receive buffer full)"));
  const FrameRef spurious = send(tcp(1100, 100));
  EXPECT_THAT(notes.comments(spurious->id()),
              ElementsAre("retransmission: no part has dropped these bytes"));
}

TEST_F(Notes, EveryRetransmissionThatTheMeterCountsIsOne) {
  FrameNotes notes(watch, book);
  notes.watch(meter);
  send(tcp(999, 0, 0x02));
  std::uint64_t said = 0;
  for (const std::uint32_t sequence : {1000U, 1100U, 1100U, 1000U, 1200U, 1200U}) {
    said += notes.comments(send(tcp(sequence, 100))->id()).size();
  }
  EXPECT_EQ(said, meter.tcp_retransmits.value());
  EXPECT_EQ(said, 3U);
}

TEST_F(Notes, WhereTheBookForgetsARetransmissionDoesNotSayThatNothingWasDropped) {
  LossBook small(watch, 1);
  FrameNotes notes(watch, small);
  notes.watch(meter);
  send(tcp(999, 0, 0x02));
  box.drop(1 * kMs, send(tcp(1000, 100)), "RED");
  box.drop(2 * kMs, send(tcp(1100, 100)), "RED");
  const FrameRef again = send(tcp(1000, 100));
  EXPECT_THAT(notes.comments(again->id()),
              ElementsAre("retransmission: the last 1 losses are not of these bytes"));
}

TEST_F(Notes, WhatIsTooMuchIsCountedFromItsTimeOn) {
  FrameNotes notes(watch, book, 2);
  const FrameRef first = tcp(1000, 100), second = tcp(1100, 100), third = tcp(1200, 100);
  box.drop(1 * kMs, first, "RED");
  box.drop(2 * kMs, second, "RED");
  EXPECT_EQ(notes.left_out(), 0U);
  sc_core::sc_start(3, sc_core::SC_MS);
  box.drop(3 * kMs, third, "RED");
  box.drop(4 * kMs, third, "RED");
  EXPECT_EQ(notes.left_out(), 2U);
  EXPECT_EQ(notes.left_out_from_ps(), 3 * kMs);
  EXPECT_EQ(notes.comments(second->id()).size(), 1U);
  EXPECT_THAT(notes.comments(third->id()), IsEmpty());
}

}  // namespace
}  // namespace longhaul::observe
