// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/wire/wire_port.h"

#include <gmock/gmock.h>

#include "tests/unit/platform/cosim/bus/bus_fixture.h"

namespace longhaul::cosim {
namespace {

using bus_test::At;
using bus_test::run_until;
using longhaul::test::make_frame;
using longhaul::test::number_of;
using longhaul::test::Station;
using longhaul::test::station;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Sends what it receives, a clock later, and notes what it has seen.
struct WireRepeater final : RtlModel {
  std::uint8_t clock = 0;
  std::uint64_t rx_data = 0, tx_data = 0;
  std::uint8_t rx_control = 0, tx_control = 0, rx_error = 0, tx_error = 0;
  std::vector<std::uint64_t> seen;
  std::vector<std::uint8_t> seen_control;

  void eval(std::uint64_t) override {
    if (clock != 0 && before_ == 0) {
      tx_data = rx_data;
      tx_control = rx_control;
      tx_error = rx_error;
      seen.push_back(rx_data);
      seen_control.push_back(rx_control);
    }
    before_ = clock;
  }

 private:
  std::uint8_t before_ = 0;
};

/// A column of four characters, or two.
struct XgmiiPortTest : ::testing::TestWithParam<std::uint32_t> {
  const std::uint32_t bits = GetParam();
  WireRepeater model;
  RtlBlock block{"block"};
  bus_test::Violations violations;
  WirePort xgmii{"xgmii", block};
  Station host{"host"};
  Link link{"link", longhaul::test::cable_of_no_length()};
  At at{"at"};
  XgmiiPortTest() {
    block.set_model(model);
    model.rx_data = model.tx_data = 0x0707'0707'0707'0707U;
    model.rx_control = model.tx_control = 0xff;
    ClockDomain& clock =
        block.add_clock({&model.clock}, {{bits == 32 ? 312'500'000U : 156'250'000U}});
    xgmii.connect_xgmii(clock, {Pin(&model.rx_data, 0, bits), Pin(&model.rx_control, 0, bits / 8)},
                        clock, {Pin(&model.tx_data, 0, bits), Pin(&model.tx_control, 0, bits / 8)},
                        &violations, "xgmii");
    host.mac.set_accept_bad_fcs(true);
    link.connect(host.port(), xgmii.port);
  }
  /// All characters that the block saw, control characters above 255.
  std::vector<std::uint32_t> characters() const {
    std::vector<std::uint32_t> all;
    for (std::size_t i = 0; i < model.seen.size(); ++i)
      for (std::uint32_t lane = 0; lane < bits / 8; ++lane)
        all.push_back(static_cast<std::uint8_t>(model.seen[i] >> 8 * lane) +
                      ((model.seen_control[i] >> lane & 1U) != 0 ? 256U : 0U));
    return all;
  }
};

TEST_P(XgmiiPortTest, AFrameIsStartPreambleBytesFcsAndTerminate) {
  const FrameRef frame = make_frame(66, station(1), station(2), 5);
  host.send(frame, 1'000'000);
  run_until(2'000'000);
  const std::vector<std::uint32_t> all = characters();
  const auto start = std::find(all.begin(), all.end(), 256U + xgmii::kStart) - all.begin();
  ASSERT_LT(static_cast<std::size_t>(start) + 80, all.size());
  EXPECT_EQ(start % 4, 0);
  for (int i = 1; i < 7; ++i) EXPECT_EQ(all[start + i], 0x55U);
  EXPECT_EQ(all[start + 7], 0xd5U);
  for (std::uint32_t i = 0; i < 62; ++i) EXPECT_EQ(all[start + 8 + i], frame->data()[i]);
  for (std::uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ(all[start + 70 + i], frame->fcs() >> 8 * i & 0xffU);
  EXPECT_EQ(all[start + 74], 256U + xgmii::kTerminate);
  for (std::size_t i = start + 75; i < all.size(); ++i) EXPECT_EQ(all[i], 256U + xgmii::kIdle);
  ASSERT_EQ(host.arrivals.size(), 1U);
  EXPECT_EQ(number_of(*host.arrivals[0].frame), 5U);
  EXPECT_TRUE(host.arrivals[0].frame->fcs_matches());
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_P(XgmiiPortTest, GapsAreTwelveBytesOnAverageAndNineAtLeast) {
  for (std::uint32_t i = 0; i < 200; ++i)
    host.send(make_frame(64 + i % 7, station(1), station(2), i), 1'000'000);
  run_until(30'000'000);
  ASSERT_EQ(host.arrivals.size(), 200U);
  const std::vector<std::uint32_t> all = characters();
  std::vector<std::size_t> gaps;
  std::size_t end = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == 256U + xgmii::kTerminate) end = i;
    if (all[i] == 256U + xgmii::kStart && end != 0) gaps.push_back(i - end);
  }
  ASSERT_EQ(gaps.size(), 199U);
  double sum = 0;
  for (const std::size_t gap : gaps) {
    EXPECT_GE(gap, 9U);
    EXPECT_LE(gap, 15U);
    sum += static_cast<double>(gap);
  }
  EXPECT_NEAR(sum / 199, 12, 0.1);  // a deficit of three at most is left at the end
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_P(XgmiiPortTest, ABadFcsStaysTheSameBadFcs) {
  FrameRef bad = make_frame(200, station(1), station(2));
  bad.writable().flip_bit(333);
  host.send(bad, 1'000'000);
  run_until(10'000'000);
  ASSERT_EQ(host.arrivals.size(), 1U);
  EXPECT_EQ(host.arrivals[0].frame->fcs(), bad->fcs());
}

TEST_P(XgmiiPortTest, ATransmitterThatHasBeenIdleForLongIsStillChecked) {
  at(1'000'000, [this] {
    model.rx_data ^= 0x07;  // a data character in lane 0
    model.rx_control ^= 1;
  });
  run_until(2'000'000);
  // Once a word, since a control character follows the data.
  EXPECT_GT(violations.told.size(), 150U);
  EXPECT_THAT(violations.told, ::testing::Each("xgmii.data_in_idle xgmii"));
  EXPECT_GE(violations.at_ps[0], 1'000'000U);
}

/// With a clock that may stand still.
struct XgmiiCarrierTest : ::testing::TestWithParam<std::uint32_t> {
  const std::uint32_t bits = GetParam();
  WireRepeater model;
  RtlBlock block{"block"};
  bus_test::Violations violations;
  WirePort xgmii{"xgmii", block};
  Station host{"host"};
  Link link{"link", longhaul::test::cable_of_no_length()};
  At at{"at"};
  XgmiiCarrierTest() { link.connect(host.port(), xgmii.port); }
  void connect(bool carrier) {
    block.set_model(model);
    model.rx_data = model.tx_data = word(0x0707'0707U);
    model.rx_control = model.tx_control = bits == 32 ? 0xf : 0xff;
    const std::uint64_t hertz = bits == 32 ? 312'500'000U : 156'250'000U;
    ClockDomain& clock = block.add_clock({&model.clock, 1}, {{hertz}, 0, 0, {true, 16, {}}});
    xgmii.connect_xgmii(clock, {Pin(&model.rx_data, 0, bits), Pin(&model.rx_control, 0, bits / 8)},
                        clock, {Pin(&model.tx_data, 0, bits), Pin(&model.tx_control, 0, bits / 8)},
                        &violations, "xgmii");
    xgmii.begin_with(carrier);
    block.power_up(6'400, [] { return true; });
  }
  std::uint64_t word(std::uint64_t column) const {
    return bits == 32 ? column : column << 32 | column;
  }
  bool shows(std::uint64_t column, std::uint32_t control) const {
    return model.rx_data == word(column) &&
           model.rx_control == (bits == 32 ? control : control << 4 | control);
  }
  bool shows_fault() const { return shows(0x0100'009cU, 1); }
  bool shows_idle() const { return shows(0x0707'0707U, 0xf); }
  std::uint64_t clocks_of(std::uint64_t columns) const { return 4 * columns / (bits / 8); }
};

TEST_P(XgmiiCarrierTest, WithoutCarrierThereIsLocalFaultInEveryColumn) {
  connect(true);
  host.send(make_frame(64, station(1), station(2), 1), 1'000'000);
  at(5'000'000, [&] { host.mac.enable_laser(false); });
  run_until(20'000'000);
  EXPECT_TRUE(shows_fault());
  const std::uint64_t seen = model.seen.size();
  EXPECT_GE(std::count(model.seen.begin(), model.seen.end(), word(0x0100'009cU)),
            static_cast<std::ptrdiff_t>(clocks_of(128)));
  run_until(1'000'000'000);
  EXPECT_EQ(model.seen.size(), seen) << "a steady fault needs no clock";
  host.mac.enable_laser(true);
  run_until(1'020'000'000);
  EXPECT_TRUE(shows_idle());
  EXPECT_GE(model.seen.size() - seen, clocks_of(128)) << "in which a receiver sees the end";
  host.send(make_frame(64, station(1), station(2), 2), 1'030'000'000);
  run_until(1'040'000'000);
  ASSERT_EQ(host.arrivals.size(), 2U) << "messages that the block sends are no frames";
  EXPECT_EQ(number_of(*host.arrivals[1].frame), 2U);
  EXPECT_THAT(violations.told, IsEmpty());
  EXPECT_EQ(xgmii.tx_fragments.value(), 0U);
}

TEST_P(XgmiiCarrierTest, AFrameThatTheLossCutsEndsInAnErrorAheadOfTheFaults) {
  connect(true);
  host.send(make_frame(1518, station(1), station(2), 1), 1'000'000);
  at(1'500'000, [&] { host.mac.enable_laser(false); });
  run_until(10'000'000);
  EXPECT_TRUE(shows_fault());
  std::vector<std::uint32_t> all;
  for (std::size_t i = 0; i < model.seen.size(); ++i)
    for (std::uint32_t lane = 0; lane < bits / 8; ++lane)
      all.push_back(static_cast<std::uint8_t>(model.seen[i] >> 8 * lane) +
                    ((model.seen_control[i] >> lane & 1U) != 0 ? 256U : 0U));
  const auto error = std::find(all.begin(), all.end(), 256U + xgmii::kError);
  ASSERT_NE(error, all.end());
  EXPECT_EQ(*(error + 1), 256U + xgmii::kTerminate);
  const auto sequence = std::find(error, all.end(), 256U + xgmii::kSequence);
  ASSERT_NE(sequence, all.end());
  EXPECT_EQ((sequence - all.begin()) % 4, 0);
  EXPECT_LE(sequence - error, 5);
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_P(XgmiiCarrierTest, AtTheBeginThereMayBeNone) {
  connect(false);
  run_until(20'000'000);
  EXPECT_TRUE(shows_fault());
}

INSTANTIATE_TEST_SUITE_P(Widths, XgmiiPortTest, ::testing::Values(32U, 64U));
INSTANTIATE_TEST_SUITE_P(Widths, XgmiiCarrierTest, ::testing::Values(32U, 64U));

struct MiiPortTest : ::testing::Test {
  WireRepeater model;
  RtlBlock block{"block"};
  bus_test::Violations violations;
  At at{"at"};
  struct Frames final : GmiiSink {
    std::vector<FrameRef> sent;
    std::size_t fragments = 0;
    void frame_sent(const FrameRef& frame) override { sent.push_back(frame); }
    void fragment_sent() override { ++fragments; }
  } frames;
  ClockDomain& clock = make_clock();
  MiiRx rx{block, clock, pins(model.rx_data, model.rx_control, model.rx_error)};
  MiiTx tx{block,    clock,  pins(model.tx_data, model.tx_control, model.tx_error),
           "mii_tx", frames, &violations};

  ClockDomain& make_clock() {
    block.set_model(model);
    return block.add_clock({&model.clock}, {{25'000'000}});
  }
  static MiiPins pins(std::uint64_t& data, std::uint8_t& valid, std::uint8_t& error) {
    return {Pin(&data, 0, 4), Pin(&valid, 0, 1), Pin(&error, 0, 1)};
  }
};

TEST_F(MiiPortTest, FramesComeBackNibbleByNibble) {
  std::vector<FrameRef> in;
  for (std::uint32_t i = 0; i < 10; ++i) {
    at(1'000'000 + i * 30'000'000U, [&, i] {
      in.push_back(make_frame(64 + i, station(1), station(2), i));
      rx.begin(in.back());
    });
  }
  run_until(400'000'000);
  ASSERT_EQ(frames.sent.size(), 10U);
  for (std::size_t i = 0; i < 10; ++i) {
    ASSERT_EQ(frames.sent[i]->size(), in[i]->size());
    EXPECT_EQ(std::memcmp(frames.sent[i]->data(), in[i]->data(), in[i]->size()), 0);
    EXPECT_TRUE(frames.sent[i]->fcs_matches());
  }
  // Preamble, low nibble first; the delimiter; the first byte of the destination, 02.
  std::size_t first = 0;
  while (model.seen_control[first] == 0) ++first;
  for (std::size_t i = 0; i < 15; ++i) EXPECT_EQ(model.seen[first + i], 0x5U);
  EXPECT_EQ(model.seen[first + 15], 0xdU);
  EXPECT_EQ(model.seen[first + 16], 0x2U);
  EXPECT_EQ(model.seen[first + 17], 0x0U);
  EXPECT_THAT(violations.told, IsEmpty());
}

TEST_F(MiiPortTest, AFrameThatIsCutEndsWithAnErrorAndComesBackWrong) {
  at(1'000'000, [&] { rx.begin(make_frame(500, station(1), station(2))); });
  at(11'000'000, [&] { rx.cut(); });
  run_until(100'000'000);
  ASSERT_EQ(frames.sent.size(), 1U);
  EXPECT_LT(frames.sent[0]->size(), 496U);
  EXPECT_FALSE(frames.sent[0]->fcs_matches());
}

}  // namespace
}  // namespace longhaul::cosim
