// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "models/common/param_json.h"
#include "models/wan/box_type.h"
#include "tests/unit/models/wan/frame_injector/frame_injector_fixture.h"

namespace longhaul::wan::frame_injector {
namespace {

using nlohmann::json;
using test::kBroadcast;
using test::make_frame;
using test::run_until;
using test::station;
using testing::HasSubstr;

std::string refusal(const json& params) {
  try {
    frame_injector_params_from(params, "line", 1);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::vector<std::uint8_t>> bytes_of(const std::vector<Seen>& frames) {
  std::vector<std::vector<std::uint8_t>> all;
  for (const Seen& frame : frames) all.push_back(frame.bytes);
  return all;
}

TEST(FrameInjector, IsInTheCatalogueWithTheRunsSeed) {
  const auto box = box_types().find("frame_injector", "line").make({"line", nullptr, "line", 77});
  EXPECT_EQ(box->describe_params().back()["name"], "seed");
  EXPECT_EQ(box->describe_params().back()["value"], 77);
  EXPECT_EQ(box->ports().size(), 2U);
}

TEST(FrameInjector, RefusesWhatCannotBe) {
  EXPECT_EQ(refusal({{"frames", "runt, giant"}}), "");
  EXPECT_THAT(refusal({{"frames", "runt,gaint"}}), HasSubstr("line.frames: unknown kind of frame "
                                                             "\"gaint\"; nearest is \"giant\""));
  EXPECT_THAT(refusal({{"frames", "runt,,giant"}}), HasSubstr("unknown kind of frame \"\""));
  EXPECT_THAT(refusal({{"frames", "pause,pause"}}), HasSubstr("\"pause\" is there twice"));
  EXPECT_THAT(refusal({{"frames", " "}}), HasSubstr("no kind of frame is named"));
  EXPECT_THAT(refusal({{"cut_for", "1ms"}}), HasSubstr("line.cut_for: the cable is never cut"));
  EXPECT_THAT(refusal({{"cut_every", "1ms"}}), HasSubstr("line.cut_for: a cut of no length"));
  EXPECT_THAT(refusal({{"cut_every", "1ms"}, {"cut_for", "1ms"}}), HasSubstr("no shorter than"));
  EXPECT_THAT(refusal({{"towards", "north"}}), HasSubstr("west"));
}

TEST(FrameInjector, EverythingPassesAsItIs) {
  Fixture b(json{{"rounds", 1}, {"begin", "1s"}});
  run_until(1);
  std::vector<FrameRef> sent;
  for (const std::uint32_t octets : {5U, 63U, 64U, 1518U, 16388U}) {
    FrameRef frame = Frame::allocate(octets - 4);
    std::memset(frame.writable().data(), static_cast<int>(octets & 0xff), octets - 4);
    sent.push_back(frame);
  }
  sent.push_back(make_frame(100, station(2), station(1)));
  sent.back().writable().flip_bit(400);
  FrameRef pause = make_frame(64, ethernet::kPauseAddress, station(1));
  write_be16(pause.writable().data() + 12, 0x8808);
  sent.push_back(pause);
  for (const FrameRef& frame : sent) b.west.send(frame);
  run_until(10 * kMs);
  ASSERT_EQ(b.east.seen.size(), sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const Seen& seen = b.east.seen[i];
    EXPECT_EQ(seen.octets(), sent[i]->octets());
    EXPECT_EQ(std::memcmp(seen.bytes.data(), sent[i]->data(), sent[i]->size()), 0);
    EXPECT_EQ(seen.good_fcs(), sent[i]->fcs_matches());
  }
  EXPECT_EQ(b.box.west_to_east.passed.value(), sent.size());
  EXPECT_TRUE(b.west.seen.empty());
}

TEST(FrameInjector, AFramePassesWhenItsLastBitIsThere) {
  Fixture b(json{{"begin", "1s"}});
  run_until(kUs);
  b.west.send(make_frame(64, station(2), station(1)));
  run_until(kMs);
  EXPECT_EQ(b.east.seen.at(0).at_ps, kUs + 2 * kFrame64);
}

TEST(FrameInjector, WaitsForTheStationAndTakesItsAddress) {
  Fixture b(json{{"frames", "smallest_burst"}, {"burst", 2}});
  run_until(kMs);
  EXPECT_TRUE(b.west.seen.empty());
  b.west.send(make_frame(64, station(2), station(1)));
  run_until(2 * kMs);
  ASSERT_EQ(b.west.seen.size(), 2U);
  EXPECT_EQ(b.west.seen[0].to(), station(1));
  EXPECT_EQ(b.west.seen[0].at_ps, kMs + 2 * kFrame64) << "at once";
  EXPECT_EQ(b.east.seen.size(), 1U) << "nothing is injected to the east";
}

TEST(FrameInjector, WithoutAStationItSendsToAll) {
  Fixture b(
      json{{"frames", "priority_tag"}, {"wait_for", "nothing"}, {"begin", "3ms"}, {"gap", "2ms"}});
  run_until(6 * kMs);
  ASSERT_EQ(b.west.seen.size(), 2U);
  EXPECT_EQ(b.west.seen[0].to(), kBroadcast);
  EXPECT_EQ(b.west.seen[0].at_ps, 3 * kMs + (8 + 100) * kOctetPs);
  EXPECT_EQ(b.west.seen[1].at_ps, b.west.seen[0].at_ps + 2 * kMs + 120 * kOctetPs);
  b.west.send(make_frame(64, kBroadcast, station(7)));
  run_until(9 * kMs);
  EXPECT_EQ(b.west.seen.at(2).to(), station(7));
}

TEST(FrameInjector, DamagedFramesAndGroupSourcesTeachNoAddress) {
  Fixture b(json{{"frames", "smallest_burst"}, {"burst", 1}});
  run_until(1);
  FrameRef damaged = make_frame(64, station(2), station(1));
  damaged.writable().flip_bit(200);
  b.west.send(damaged);
  b.west.send(make_frame(64, station(2), kBroadcast));
  b.west.send(make_frame(64, station(2), MacAddress{}));
  run_until(kMs);
  EXPECT_TRUE(b.west.seen.empty());
  EXPECT_EQ(b.east.seen.size(), 3U);
}

TEST(FrameInjector, EachSideLearnsItsOwnStation) {
  Fixture b(json{{"frames", "smallest_burst"}, {"burst", 1}, {"towards", "both"}});
  run_until(1);
  b.west.send(make_frame(64, station(2), station(1)));
  b.east.send(make_frame(64, station(1), station(2)));
  run_until(kMs);
  ASSERT_EQ(b.west.seen.size(), 2U);
  ASSERT_EQ(b.east.seen.size(), 2U);
  const auto injected = [](const Seen& frame) { return frame.from() == kInjector; };
  EXPECT_EQ(std::find_if(b.west.seen.begin(), b.west.seen.end(), injected)->to(), station(1));
  EXPECT_EQ(std::find_if(b.east.seen.begin(), b.east.seen.end(), injected)->to(), station(2));
}

TEST(FrameInjector, FramesThatPassGoFirstAndABurstIsNotBroken) {
  Fixture b(json{{"frames", "smallest_burst"}, {"burst", 4}, {"gap", "0s"}, {"rounds", 0}});
  run_until(1);
  b.west.send(make_frame(64, station(2), station(1)));
  constexpr std::uint32_t kFrames = 40;
  for (std::uint32_t i = 0; i < kFrames; ++i)
    b.east.send(make_frame(64, station(1), station(2), i));
  run_until(kFrames * kSlot64 + 20 * kUs);
  std::uint32_t passed = 0;
  std::uint32_t run = 0;
  for (const Seen& frame : b.west.seen) {
    const bool odd = frame.from() == kInjector;
    if (!odd) {
      EXPECT_EQ(run % 4, 0U) << "within a burst";
      ++passed;
    }
    run = odd ? run + 1 : 0;
  }
  EXPECT_EQ(passed, kFrames);
  // A burst is no longer than four frames, and the line was full: those that pass are late by one.
  std::uint64_t last_ps = 0;
  for (const Seen& frame : b.west.seen) {
    if (frame.from() != kInjector) last_ps = frame.at_ps;
  }
  EXPECT_LE(last_ps, kFrames * kSlot64 + kFrame64 + 5 * kSlot64);
}

TEST(FrameInjector, RoundsAreCountedAndEndOrNot) {
  Fixture b(json{{"frames", "priority_tag,pause"}, {"gap", "1us"}, {"rounds", 3}});
  b.run_round();
  EXPECT_EQ(b.west.seen.size(), 3U * (3 + 5));
  EXPECT_EQ(b.box.east_to_west.rounds.value(), 3U);
  EXPECT_EQ(b.box.east_to_west.injected(OddKind::kPause)->value(), 15U);
  EXPECT_EQ(b.box.east_to_west.injected(OddKind::kRunt), nullptr);
  EXPECT_EQ(b.box.west_to_east.injected(OddKind::kPause), nullptr);
}

TEST(FrameInjector, WithoutRoundsItGoesOn) {
  Fixture b(json{{"frames", "priority_tag"}, {"gap", "1us"}, {"rounds", 0}});
  b.run_round(10 * kMs);
  // Slots of 120 octets, 96 ns, and the gap; the first frame comes after the station's.
  EXPECT_NEAR(static_cast<double>(b.west.seen.size()), 10e-3 / (1e-6 + 96e-9), 1);
}

TEST(FrameInjector, ShufflingKeepsTheFramesOfARound) {
  const json params{{"gap", "1us"}, {"frames", "runt,foreign"}, {"order", "shuffled"}};
  Fixture b(params);
  b.run_round();
  std::vector<std::size_t> lengths;
  for (const Seen& frame : b.west.seen) lengths.push_back(frame.octets());
  EXPECT_FALSE(std::is_sorted(lengths.begin(), lengths.begin() + 59));
  std::sort(lengths.begin(), lengths.end());
  ASSERT_EQ(lengths.size(), 59U + 47U);
  for (std::size_t i = 0; i < 59; ++i) EXPECT_EQ(lengths[i], i + 5);
}

/// What seed 5 sends, as a checksum: each case is a process of its own.
TEST(FrameInjector, TheSeedIsAllThatChanceDependsOn) {
  const auto first_bytes = [](std::uint64_t seed) {
    OddFrameMaker maker(seed, "label", 1);
    std::vector<std::uint8_t> all;
    for (std::uint32_t i = 0; i < OddFrameMaker::variants(OddKind::kBadFcs); ++i) {
      const FrameRef frame = maker.make({OddKind::kBadFcs, i}, 0, station(1));
      all.insert(all.end(), frame->data(), frame->data() + frame->size());
      all.push_back(static_cast<std::uint8_t>(frame->fcs()));
    }
    return all;
  };
  EXPECT_EQ(first_bytes(5), first_bytes(5));
  EXPECT_NE(first_bytes(5), first_bytes(6));
}

TEST(FrameInjector, ACutTakesTheLightFromBothSides) {
  Fixture b(json{{"begin", "1ms"},
                 {"cut_every", "2ms"},
                 {"cut_for", "500us"},
                 {"frames", "smallest_burst"},
                 {"burst", 1}});
  run_until(8 * kMs - 1);
  const std::vector<std::pair<std::uint64_t, bool>> changes{
      {3 * kMs, false}, {3 * kMs + 500 * kUs, true}, {5 * kMs, false}, {5 * kMs + 500 * kUs, true},
      {7 * kMs, false}, {7 * kMs + 500 * kUs, true}};
  EXPECT_EQ(b.west.carrier_changes, changes);
  EXPECT_EQ(b.east.carrier_changes, changes);
  EXPECT_EQ(b.box.cuts.value(), 3U);
  EXPECT_EQ(b.box.out.value(), 0U);
  EXPECT_EQ(b.box.out.integral_ps(), 1.5e9);
}

TEST(FrameInjector, ACutLosesWhatIsOnTheWireAndOddFramesWait) {
  Fixture b(json{{"cut_every", "1ms"},
                 {"cut_for", "500us"},
                 {"frames", "foreign"},
                 {"gap", "0s"},
                 {"begin", "100us"}});
  test::TapRecord record;
  b.box.west_to_east.tap.listen(&record);
  run_until(1100 * kUs - 600 * kNs);
  for (std::uint32_t i = 0; i < 30; ++i) b.west.send(make_frame(64, station(2), station(1), i));
  run_until(1100 * kUs + 1);
  const std::uint64_t before = b.box.east_to_west.injected(OddKind::kForeign)->value();
  EXPECT_EQ(before, 9U) << "from 542.4 ns before the cut on, each 67.2 ns";
  run_until(1600 * kUs - 1);
  EXPECT_EQ(b.box.east_to_west.injected(OddKind::kForeign)->value(), before);
  EXPECT_THAT(b.east.seen.size(), testing::AllOf(testing::Gt(2U), testing::Lt(10U)));
  run_until(2 * kMs);
  EXPECT_EQ(b.box.east_to_west.injected(OddKind::kForeign)->value(), 47U);
  EXPECT_EQ(b.west_link.b_to_a.lost.value(), 1U) << "the one that was being sent";
  EXPECT_EQ(b.west.seen.size(), 46U);
  const auto& path = b.box.west_to_east;
  const std::uint64_t cut_off = b.west_link.a_to_b.lost.value() + b.east_link.a_to_b.lost.value();
  EXPECT_EQ(b.east.seen.size() + path.lost.value() + cut_off, 30U);
  EXPECT_EQ(record.count(observe::FrameFate::kDropped, "cable out"), path.lost.value());
}

TEST(FrameInjector, WhatArrivesWhileTheCableIsOutIsLost) {
  // Three microseconds of fibre: the far end goes on sending until it hears of the cut.
  Wire far("far");
  Wire near("near");
  FrameInjectorBox box(
      "box", frame_injector_params_from(
                 {{"cut_every", "1ms"}, {"cut_for", "500us"}, {"begin", "0s"}}, "box", 1));
  LinkParams fibre = test::cable_of_no_length();
  fibre.propagation.value = sc_core::sc_time(3, sc_core::SC_US);
  Link west_link("west_link", fibre);
  Link east_link("east_link", test::cable_of_no_length());
  west_link.connect(far.port, box.west.port);
  east_link.connect(box.east.port, near.port);
  test::TapRecord record;
  box.west_to_east.tap.listen(&record);
  run_until(kMs - kUs);
  far.send(make_frame(64, station(2), station(1)));
  run_until(kMs + 100 * kUs);
  EXPECT_EQ(box.west_to_east.lost.value(), 1U);
  EXPECT_EQ(record.count(observe::FrameFate::kDropped, "cable out"), 1U);
  EXPECT_TRUE(near.seen.empty());
}

TEST(FrameInjector, OddFramesWaitForLight) {
  Fixture b(json{{"frames", "priority_tag"}, {"wait_for", "nothing"}, {"gap", "1us"}});
  b.west.port.eth_tx->enable(false);
  run_until(kMs);
  b.east.send(make_frame(64, station(1), station(2)));
  run_until(2 * kMs);
  EXPECT_TRUE(b.west.seen.empty());
  EXPECT_EQ(b.box.east_to_west.lost.value(), 1U) << "what passes does not wait";
  b.west.port.eth_tx->enable(true);
  run_until(3 * kMs);
  EXPECT_EQ(b.west.seen.size(), 3U);
}

/// A MAC with the standard's limits tells the good from the bad.
TEST(FrameInjector, AStandardMacRefusesTheBadAndTakesTheGood) {
  test::Station host("host");
  host.mac.set_max_frame(1518);
  host.mac.set_address(station(1));
  Wire east("far");
  FrameInjectorBox box("box", frame_injector_params_from({{"gap", "1us"}}, "box", 1));
  Link west_link("west_link", test::cable_of_no_length());
  Link east_link("east_link", test::cable_of_no_length());
  west_link.connect(host.port(), box.west.port);
  east_link.connect(box.east.port, east.port);
  host.send(make_frame(64, station(2), station(1)));
  run_until(100 * kMs);
  const auto count = [&box](OddKind kind) { return box.east_to_west.injected(kind)->value(); };
  EXPECT_EQ(host.mac.rx_oversize.value(), count(OddKind::kGiant) + 3) << "and jabbers";
  EXPECT_EQ(host.mac.rx_runts.value(), count(OddKind::kRunt) + 3) << "and fragments";
  EXPECT_EQ(host.mac.rx_bad_fcs.value(),
            count(OddKind::kBadFcs) - 6 + count(OddKind::kLateFragment));
  EXPECT_EQ(host.mac.rx_control.value(), count(OddKind::kMacControl));
  EXPECT_EQ(host.mac.rx_xoff.value() + host.mac.rx_xon.value(), count(OddKind::kPause));
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < kOddKinds; ++i) all += count(static_cast<OddKind>(i));
  EXPECT_EQ(host.received,
            all - host.refused.size() - count(OddKind::kMacControl) - count(OddKind::kPause));
  for (const test::Arrival& arrival : host.arrivals) {
    const std::string text(arrival.frame->data(), arrival.frame->data() + arrival.frame->size());
    EXPECT_EQ(text.find(" drop runt"), std::string::npos);
    EXPECT_EQ(text.find(" drop bad_fcs"), std::string::npos);
  }
}

TEST(FrameInjector, TheTapTellsTheKind) {
  Fixture b(json{{"frames", "pause"}, {"gap", "1us"}});
  test::TapRecord record;
  b.box.east_to_west.tap.listen(&record);
  b.run_round();
  EXPECT_EQ(record.count(observe::FrameFate::kSent, "pause"), 5U);
}

}  // namespace
}  // namespace longhaul::wan::frame_injector
