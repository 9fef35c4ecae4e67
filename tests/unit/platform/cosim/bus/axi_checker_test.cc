// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_checker.h"

#include <gmock/gmock.h>

#include <set>

#include "tests/unit/platform/cosim/bus/bus_fixture.h"

namespace longhaul::cosim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A bus of 64 bits as its samples, with correct traffic in pieces that a test breaks.
struct AxiCheckerTest : ::testing::Test {
  std::uint64_t storage = 0;
  bus_test::Violations violations;
  AxiSample s;
  std::uint64_t ps = 0;
  AxiChecker checker{pins(), "m_", violations};

  AxiPins pins() {
    AxiPins pins;
    pins.w.data = Pin(&storage, 0, 64);
    return pins;
  }
  AxiCheckerTest() {
    s.w.data.fill(0);
    s.r.data.fill(0);
  }
  /// The pins at this edge as they were set; the VALIDs and READYs are low again after it.
  void edge() {
    checker.check(s, ps += 10'000);
    s.valid = s.ready = 0;
  }
  static AxiBurst burst(std::uint64_t addr, std::uint16_t beats, std::uint8_t size = 3,
                        AxiBurstType type = AxiBurstType::kIncr, std::uint64_t id = 0) {
    AxiBurst burst;
    burst.addr = addr;
    burst.beats = beats;
    burst.size = size;
    burst.type = type;
    burst.id = id;
    return burst;
  }
  void put(AxiChannel channel, bool ready = true) {
    s.valid |= channel;
    if (ready) s.ready |= channel;
  }
  /// `channel` is kAxiAw or kAxiAr.
  void address(AxiChannel channel, const AxiBurst& of, bool ready = true) {
    put(channel, ready);
    (channel == kAxiAw ? s.aw : s.ar) = of;
  }
  void data(bool last, std::uint64_t strb = 0xff) {
    put(kAxiW);
    s.w.last = last;
    s.w.strb = strb;
  }
  void response(std::uint64_t id = 0, AxiResponse resp = AxiResponse::kOkay) {
    put(kAxiB);
    s.b.id = id;
    s.b.resp = resp;
  }
  void read_data(bool last, std::uint64_t id = 0, AxiResponse resp = AxiResponse::kOkay) {
    put(kAxiR);
    s.r.last = last;
    s.r.id = id;
    s.r.resp = resp;
  }
  void write(const AxiBurst& of) {
    address(kAxiAw, of);
    edge();
    for (std::uint32_t i = 1; i <= of.beats; ++i) {
      data(i == of.beats, AxiLanes(of, of.address(i - 1), 8).mask());
      edge();
    }
    response(of.id);
    edge();
  }
  void read(const AxiBurst& of) {
    address(kAxiAr, of);
    edge();
    for (std::uint32_t i = 1; i <= of.beats; ++i) {
      read_data(i == of.beats, of.id);
      edge();
    }
  }
};

TEST_F(AxiCheckerTest, RightTrafficBreaksNoRule) {
  write(burst(0xff8, 1));
  write(burst(0xf83, 16));
  write(burst(0x1006, 5, 1));
  write(burst(0x38, 8, 3, AxiBurstType::kWrap));
  write(burst(0x31, 16, 0, AxiBurstType::kFixed));
  read(burst(0x800, 256));
  read(burst(0x10, 2, 3, AxiBurstType::kWrap, 5));
  // Data ahead of its address, and two writes whose responses change places.
  data(false);
  edge();
  data(true);
  edge();
  address(kAxiAw, burst(0x100, 2, 3, AxiBurstType::kIncr, 1));
  edge();
  address(kAxiAw, burst(0x200, 1, 3, AxiBurstType::kIncr, 2));
  data(true);
  edge();
  response(2);
  edge();
  response(1);
  edge();
  // Reads of two IDs whose beats alternate.
  address(kAxiAr, burst(0x100, 2, 3, AxiBurstType::kIncr, 1));
  edge();
  address(kAxiAr, burst(0x100, 2, 3, AxiBurstType::kIncr, 2));
  edge();
  for (const bool last : {false, true}) {
    for (const std::uint64_t id : {2, 1}) {
      read_data(last, id);
      edge();
    }
  }
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_F(AxiCheckerTest, AValidThatFallsWithoutReady) {
  const std::pair<const char*, std::function<void()>> channels[] = {
      {"aw", [this] { address(kAxiAw, burst(0, 1), false); }},
      {"w", [this] { data(true), s.ready &= ~kAxiW; }},
      {"ar", [this] { address(kAxiAr, burst(0, 1), false); }}};
  for (const auto& [name, raise] : channels) {
    violations.told.clear();
    raise();
    edge();
    edge();
    EXPECT_THAT(violations.told, ElementsAre(std::string("axi.valid_stable m_") + name + "valid"));
  }
  violations.told.clear();
  address(kAxiAw, burst(0, 1));
  data(true);
  edge();
  response();
  s.ready &= ~kAxiB;
  edge();
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.valid_stable m_bvalid"));
  violations.told.clear();
  address(kAxiAr, burst(0, 1));
  edge();
  read_data(true);
  s.ready &= ~kAxiR;
  edge();
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.valid_stable m_rvalid"));
}

TEST_F(AxiCheckerTest, APayloadThatChangesBeforeReady) {
  address(kAxiAw, burst(0x100, 1), false);
  edge();
  address(kAxiAw, burst(0x108, 1));
  data(true);
  s.ready &= ~kAxiW;
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.payload_stable m_awaddr"));
  EXPECT_EQ(violations.details[0], "changed from 0x100 to 0x108 before READY");
  EXPECT_EQ(violations.at_ps[0], 20'000U);
  data(true);
  s.w.data[7] = 1;
  edge();
  response();
  s.ready &= ~kAxiB;
  edge();
  response(0, AxiResponse::kSlvErr);
  edge();
  address(kAxiAr, burst(0, 1));
  edge();
  read_data(true);
  s.ready &= ~kAxiR;
  edge();
  read_data(true);
  s.r.data[0] = 1;
  edge();
  EXPECT_THAT(violations.told,
              ElementsAre("axi.payload_stable m_awaddr", "axi.payload_stable m_wdata",
                          "axi.payload_stable m_bresp", "axi.payload_stable m_rdata"));
}

TEST_F(AxiCheckerTest, AValidInResetAndAtTheFirstEdgeAfterIt) {
  s.reset = true;
  address(kAxiAw, burst(0, 1));
  edge();  // a synchronous reset has not acted yet
  EXPECT_THAT(violations.told, IsEmpty());
  put(kAxiB);
  edge();
  put(kAxiB);
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.valid_in_reset m_bvalid"));
  violations.told.clear();
  s.reset = false;
  address(kAxiAr, burst(0, 1));
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.valid_after_reset m_arvalid"));
}

TEST_F(AxiCheckerTest, ABurstAcross4KiB) {
  address(kAxiAr, burst(0xff8, 2));
  edge();
  address(kAxiAw, burst(0xffc, 2, 2));
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.boundary_4k m_araddr", "axi.boundary_4k m_awaddr"));
}

TEST_F(AxiCheckerTest, AddressesThatNoBurstMayHave) {
  const auto told = [this](const AxiBurst& wrong) {
    violations.told.clear();
    address(kAxiAr, wrong);
    edge();
    return violations.told;
  };
  EXPECT_THAT(told(burst(0, 3, 3, AxiBurstType::kWrap)), ElementsAre("axi.burst_length m_arlen"));
  EXPECT_THAT(told(burst(0, 32, 3, AxiBurstType::kWrap)), ElementsAre("axi.burst_length m_arlen"));
  EXPECT_THAT(told(burst(0, 17, 3, AxiBurstType::kFixed)), ElementsAre("axi.burst_length m_arlen"));
  EXPECT_THAT(told(burst(0, 1, 4)), ElementsAre("axi.burst_size m_arsize"));
  EXPECT_THAT(told(burst(4, 2, 3, AxiBurstType::kWrap)), ElementsAre("axi.wrap_aligned m_araddr"));
  EXPECT_THAT(told(burst(0, 1, 3, AxiBurstType::kReserved)),
              ElementsAre("axi.burst_type m_arburst"));
  AxiBurst cached = burst(0, 1);
  cached.cache = 4;
  EXPECT_THAT(told(cached), ElementsAre("axi.cache m_arcache"));
  cached.cache = 6;
  EXPECT_THAT(told(cached), IsEmpty());
  AxiBurst exclusive = burst(8, 2);
  exclusive.lock = 1;
  EXPECT_THAT(told(exclusive), ElementsAre("axi.exclusive m_arlock"));
  exclusive.addr = 16;
  EXPECT_THAT(told(exclusive), IsEmpty());
}

TEST_F(AxiCheckerTest, AWriteLastTooEarlyTooLateOrMissing) {
  address(kAxiAw, burst(0, 2));
  data(true);
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.write_last m_wlast"));
  EXPECT_EQ(violations.details[0], "high at beat 1 of 2 of the write of 0x0");
  response();
  edge();
  address(kAxiAw, burst(0, 1));
  data(false);
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.write_last m_wlast", "axi.write_last m_wlast"));
  EXPECT_EQ(violations.details[1], "low at beat 1 of 1 of the write of 0x0");
}

TEST_F(AxiCheckerTest, AReadLastThatIsNotTheLast) {
  address(kAxiAr, burst(0, 2));
  edge();
  read_data(false);
  edge();
  read_data(false);
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.read_last m_rlast"));
  read(burst(0, 4));
  EXPECT_EQ(violations.told.size(), 1U);
}

TEST_F(AxiCheckerTest, StrobesBesideTheTransfersLanes) {
  address(kAxiAw, burst(0x4, 2, 2));
  edge();
  data(false, 0xf0);
  edge();
  data(true, 0x1f);
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.strobes m_wstrb"));
  EXPECT_EQ(violations.details[0], "0x1f at 0x8, beat 2: the transfer has lanes 0xf");
}

TEST_F(AxiCheckerTest, AWriteResponseBeforeItsDataOrItsAddress) {
  address(kAxiAw, burst(0, 2));
  data(false);
  edge();
  response();
  s.ready &= ~kAxiB;
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.write_response_early m_bvalid"));
  violations.told.clear();
  response();
  data(true);
  edge();
  data(true);
  edge();
  response();
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.write_response_early m_bvalid"));
}

TEST_F(AxiCheckerTest, AResponseAtTheEdgeOfItsRequest) {
  address(kAxiAr, burst(0, 1));
  read_data(true);
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.read_response_early m_rvalid"));
}

TEST_F(AxiCheckerTest, IdsThatNobodyAskedWith) {
  address(kAxiAr, burst(0, 1, 3, AxiBurstType::kIncr, 4));
  address(kAxiAw, burst(0, 1, 3, AxiBurstType::kIncr, 4));
  data(true);
  edge();
  read_data(true, 5);
  response(6);
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.write_id m_bid", "axi.read_id m_rid"));
}

TEST_F(AxiCheckerTest, ExOkayToAnOrdinaryAccess) {
  address(kAxiAr, burst(0, 1));
  address(kAxiAw, burst(0, 1));
  data(true);
  edge();
  read_data(true, 0, AxiResponse::kExOkay);
  response(0, AxiResponse::kExOkay);
  edge();
  EXPECT_THAT(violations.told, ElementsAre("axi.exokay m_bresp", "axi.exokay m_rresp"));
  violations.told.clear();
  AxiBurst exclusive = burst(8, 1);
  exclusive.lock = 1;
  address(kAxiAr, exclusive);
  edge();
  read_data(true, 0, AxiResponse::kExOkay);
  edge();
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_F(AxiCheckerTest, WhatIsNotConnectedIsListed) {
  std::set<std::string> pins;
  for (const Unchecked& unchecked : checker.unchecked()) pins.insert(unchecked.pin);
  EXPECT_TRUE(pins.count("m_wlast"));
  EXPECT_TRUE(pins.count("m_aresetn"));
  EXPECT_TRUE(pins.count("m_arlen"));
  EXPECT_FALSE(pins.count("m_wdata"));
}

TEST(AxiRules, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Rule* rule : axi_rules::kAll) names.insert(rule->name);
  EXPECT_EQ(names.size(), std::size(axi_rules::kAll));
}

}  // namespace
}  // namespace longhaul::cosim
