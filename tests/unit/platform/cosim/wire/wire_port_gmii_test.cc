// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/net/link/link.h"
#include "platform/cosim/wire/wire_port.h"
#include "tests/unit/support/ethernet.h"

namespace longhaul::cosim {
namespace {

using test::At;
using test::make_frame;
using test::run_until;
using test::Station;
using test::station;
using ::testing::ElementsAre;

constexpr std::uint64_t kByte = 8'000;

/// A block that sends what it receives, one clock later, and can spoil it; keeps what it saw on its
/// pins.
struct Repeater final : RtlModel {
  std::uint8_t clock = 0;
  std::uint8_t rxd = 0;
  std::uint8_t rx_dv = 0;
  std::uint8_t rx_er = 0;
  std::uint8_t txd = 0;
  std::uint8_t tx_en = 0;
  std::uint8_t tx_er = 0;
  std::uint64_t error_at = ~0ULL;  ///< byte that leaves with TX_ER, preamble included
  std::uint64_t stop_at = ~0ULL;   ///< bytes that leave
  std::uint64_t sent = 0;
  std::vector<std::uint8_t> seen;
  std::vector<std::uint64_t> begins;  ///< edges at which RX_DV was sampled high first
  std::uint64_t errors_seen = 0;
  std::vector<std::uint64_t> gaps;

  void eval(std::uint64_t ps) override {
    if (clock != 0 && before_ == 0) rise(ps);
    before_ = clock;
  }

 private:
  void rise(std::uint64_t ps) {
    if (rx_dv != 0 && tx_en_ == 0) {
      begins.push_back(ps);
      gaps.push_back(gap_);
      sent = 0;
    }
    gap_ = rx_dv != 0 ? 0 : gap_ + 1;
    if (rx_dv != 0) seen.push_back(rxd);
    errors_seen += rx_er;
    tx_en_ = rx_dv;
    txd = rxd;
    tx_en = rx_dv != 0 && sent < stop_at ? 1 : 0;
    tx_er = sent == error_at ? 1 : 0;
    ++sent;
  }
  std::uint8_t before_ = 0;
  std::uint8_t tx_en_ = 0;
  std::uint64_t gap_ = 0;
};

LinkParams gigabit() {
  LinkParams params;
  params.phy.value = "1000base-x";
  params.length_m.value = 0;
  return params;
}

struct GmiiPortTest : ::testing::Test {
  Repeater model;
  RtlBlock block{"block"};
  WirePort gmii{"gmii", block};
  Station host{"host"};
  Link link{"link", gigabit()};
  At at{"at"};
  GmiiPortTest() {
    block.set_model(model);
    ClockDomain& clock = block.add_clock({&model.clock}, {{125'000'000}});
    gmii.connect_gmii(clock, {&model.rxd, {&model.rx_dv}, {&model.rx_er}}, clock,
                      {&model.txd, {&model.tx_en}, {&model.tx_er}}, nullptr, "gmii");
    host.mac.set_accept_bad_fcs(true);
    link.connect(host.port(), gmii.port);
  }
};

TEST_F(GmiiPortTest, BytesAreOnThePinsWhileTheyAreOnTheWire) {
  const FrameRef frame = make_frame(64, station(1), station(2), 5);
  host.send(frame, 1'000'000);
  run_until(2'000'000);
  ASSERT_EQ(model.seen.size(), 8U + 64U);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(model.seen[i], 0x55);
  EXPECT_EQ(model.seen[7], 0xd5);
  EXPECT_EQ(std::memcmp(model.seen.data() + 8, frame->data(), 60), 0);
  std::uint32_t fcs = 0;
  std::memcpy(&fcs, model.seen.data() + 68, 4);
  EXPECT_EQ(fcs, frame->fcs());
  // On the pins from the first edge after 1 us, sampled an edge later.
  EXPECT_THAT(model.begins, ElementsAre(1'000'000 + 2 * kByte));
}

TEST_F(GmiiPortTest, NoStoreAndForward) {
  // A clock to the first edge, one in the repeater: the last bit is back two clocks after it came,
  // whatever the frame's length.
  for (const std::uint32_t octets : {64U, 1518U, 9018U})
    host.send(make_frame(octets, station(1), station(2)), 0);
  run_until(100'000'000);
  ASSERT_EQ(host.arrivals.size(), 3U);
  std::uint64_t end = 0;
  const std::array<std::uint32_t, 3> octets{64, 1518, 9018};
  for (std::size_t i = 0; i < 3; ++i) {
    end = host.starts[i] + (8 + octets[i]) * kByte;
    EXPECT_EQ(host.arrivals[i].at_ps, end + 2 * kByte);
  }
}

TEST_F(GmiiPortTest, FramesBetweenEdgesWaitForTheNextOne) {
  host.send(make_frame(64, station(1), station(2)), 1'000'001);
  run_until(10'000'000);
  EXPECT_THAT(model.begins, ElementsAre(1'008'000 + kByte));
}

TEST_F(GmiiPortTest, ABadFcsStaysTheSameBadFcs) {
  FrameRef bad = make_frame(200, station(1), station(2));
  bad.writable().flip_bit(333);
  host.send(bad);
  host.send(make_frame(200, station(1), station(2)));
  run_until(10'000'000);
  ASSERT_EQ(host.arrivals.size(), 2U);
  EXPECT_FALSE(host.arrivals[0].frame->fcs_matches());
  EXPECT_EQ(host.arrivals[0].frame->fcs(), bad->fcs());
  EXPECT_TRUE(host.arrivals[1].frame->fcs_matches());
  EXPECT_EQ(gmii.tx_bad_fcs.value(), 1U);
  EXPECT_EQ(gmii.rx_frames.value(), 2U);
  EXPECT_EQ(gmii.tx_frames.value(), 2U);
}

TEST_F(GmiiPortTest, AFrameWithTxErArrivesWithAWrongFcs) {
  model.error_at = 40;
  const FrameRef frame = make_frame(64, station(1), station(2));
  host.send(frame);
  run_until(10'000'000);
  ASSERT_EQ(host.arrivals.size(), 1U);
  EXPECT_FALSE(host.arrivals[0].frame->fcs_matches());
  EXPECT_EQ(std::memcmp(host.arrivals[0].frame->data(), frame->data(), frame->size()), 0);
}

TEST_F(GmiiPortTest, CarrierThatIsNoFrameIsCounted) {
  model.stop_at = 12;  // preamble, delimiter and four bytes
  host.send(make_frame(64, station(1), station(2)));
  run_until(10'000'000);
  EXPECT_TRUE(host.arrivals.empty());
  EXPECT_EQ(gmii.tx_fragments.value(), 1U);
}

TEST_F(GmiiPortTest, AFullWireKeepsItsGaps) {
  for (int i = 0; i < 100; ++i) host.send(make_frame(64, station(1), station(2)));
  run_until(100'000'000);
  ASSERT_EQ(host.arrivals.size(), 100U);
  for (std::size_t i = 1; i < 100; ++i) ASSERT_EQ(model.gaps[i], 12U);
}

TEST_F(GmiiPortTest, AFibreThatIsCutEndsTheFrameWithRxEr) {
  host.send(make_frame(1518, station(1), station(2)));
  at(4'000'000, [this] { link.set_up(false); });
  run_until(20'000'000);
  EXPECT_EQ(model.errors_seen, 1U);
  EXPECT_NEAR(static_cast<double>(model.seen.size()), 500, 2);
  EXPECT_EQ(gmii.tx_frames.value(), 1U);    // the rest of it left
  EXPECT_EQ(link.b_to_a.lost.value(), 1U);  // into the dark
}

}  // namespace
}  // namespace longhaul::cosim
