// SPDX-License-Identifier: Apache-2.0
#include "models/booster/handshake.h"

#include <gtest/gtest.h>

#include "tests/unit/times.h"

namespace longhaul::booster {
namespace {

tcp::Segment syn() {
  tcp::Segment segment;
  segment.flags = tcp::kSyn;
  segment.seq = 0xfffffff0;
  segment.window = 5840;
  segment.options.mss = 1460;
  segment.options.window_scale = 2;
  segment.options.sack_permitted = true;
  segment.options.timestamps = true;
  segment.options.ts_value = 1000;
  return segment;
}

tcp::Segment syn_ack() {
  tcp::Segment segment = syn();
  segment.flags = tcp::kSyn | tcp::kAck;
  segment.seq = 77;
  segment.ack = 0xfffffff1;
  segment.window = 5792;
  segment.options.mss = 536;
  segment.options.window_scale = 7;
  segment.options.ts_value = 9000;
  return segment;
}

tcp::Segment ack() {
  tcp::Segment segment;
  segment.flags = tcp::kAck;
  segment.seq = 0xfffffff1;
  segment.ack = 78;
  segment.window = 1460;
  segment.options.timestamps = true;
  segment.options.ts_value = 1040;
  return segment;
}

TEST(Handshake, StandsTowardsTheOpenerInTheRespondersPlace) {
  Handshake handshake;
  handshake.syn(syn(), 5 * kMs);
  EXPECT_FALSE(handshake.answered());
  EXPECT_TRUE(handshake.syn_ack(syn_ack(), 40 * kMs));
  EXPECT_TRUE(handshake.acknowledged_by(ack(), 42 * kMs));
  const tcp::Handover it = handshake.to_opener(42 * kMs, kMs);
  EXPECT_EQ(it.opening.iss, 77U);
  EXPECT_EQ(it.irs, 0xfffffff0U);
  EXPECT_EQ(it.own.mss, 536);
  EXPECT_EQ(it.peer.mss, 1460);
  EXPECT_EQ(it.offered, 5792U);       // a SYN's window is not scaled
  EXPECT_EQ(it.window, 1460U << 2U);  // an ACK's is, by its sender's scale
  EXPECT_EQ(it.timestamp, 9002U);     // the responder's clock went on for 2 ms
  EXPECT_EQ(it.peer_timestamp, 1040U);
  EXPECT_EQ(it.rtt, 2 * kMs);
}

TEST(Handshake, StandsTowardsTheResponderInTheOpenersPlace) {
  Handshake handshake;
  handshake.syn(syn(), 5 * kMs);
  handshake.syn_ack(syn_ack(), 8 * kMs);
  const tcp::Handover before =
      handshake.to_responder(48 * kMs, kMs);  // its ACK got lost on the way
  EXPECT_EQ(before.opening.iss, 0xfffffff0U);
  EXPECT_EQ(before.irs, 77U);
  EXPECT_EQ(before.window, 5792U);
  EXPECT_EQ(before.offered, 5840U);
  EXPECT_EQ(before.timestamp, 1043U);
  EXPECT_EQ(before.rtt, 3 * kMs);
  handshake.acknowledged_by(ack(), 48 * kMs);
  EXPECT_EQ(handshake.to_responder(48 * kMs, kMs).timestamp, 1040U);
}

TEST(Handshake, AWindowIsNotScaledUnlessBothWantIt) {
  Handshake handshake;
  tcp::Segment plain = syn_ack();
  plain.options.window_scale.reset();
  handshake.syn(syn(), 0);
  handshake.syn_ack(plain, 0);
  handshake.acknowledged_by(ack(), 0);
  EXPECT_EQ(handshake.to_opener(0, kMs).window, 1460U);
}

TEST(Handshake, OnlyWhatAnswersItCounts) {
  Handshake handshake;
  EXPECT_FALSE(handshake.syn_ack(syn_ack(), 0));  // no SYN
  handshake.syn(syn(), 0);
  EXPECT_FALSE(handshake.acknowledged_by(ack(), 0));  // no answer
  tcp::Segment other = syn_ack();
  ++other.ack;
  EXPECT_FALSE(handshake.syn_ack(other, 0));
  EXPECT_TRUE(handshake.syn_ack(syn_ack(), 0));
  tcp::Segment wrong = ack();
  ++wrong.ack;
  EXPECT_FALSE(handshake.acknowledged_by(wrong, 0));
  wrong = ack();
  wrong.flags |= tcp::kRst;
  EXPECT_FALSE(handshake.acknowledged_by(wrong, 0));
  tcp::Segment again = syn();
  ++again.seq;
  handshake.syn(again, 0);
  EXPECT_FALSE(handshake.answered());
}

TEST(Handshake, TheLastAckIsTheOpeners) {
  Handshake handshake;
  handshake.syn(syn(), 0);
  handshake.syn_ack(syn_ack(), 0);
  handshake.acknowledged_by(ack(), 0);
  const tcp::Segment last = handshake.last_ack();
  EXPECT_EQ(last.flags, tcp::kAck);
  EXPECT_EQ(last.seq, 0xfffffff1U);
  EXPECT_EQ(last.ack, 78U);
  EXPECT_EQ(last.window, 1460);
  EXPECT_EQ(last.options.ts_value, 1040U);
  EXPECT_EQ(last.options.ts_echo, 9000U);
}

}  // namespace
}  // namespace longhaul::booster
