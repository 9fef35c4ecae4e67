// SPDX-License-Identifier: Apache-2.0
// Loopback as ethtool's self test sets it up, and by RCTL.LBM.
#include <gtest/gtest.h>

#include "tests/unit/models/nic/e1000/e1000_fixture.h"

namespace longhaul::nic::e1000 {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

constexpr std::uint32_t kPhyControl = 0;
constexpr std::uint32_t kPhyLoopback = 0x4140;          // 1000 Mb/s, full duplex
constexpr std::uint32_t kForced = 1U << 11 | 1U << 12;  // CTRL.FRCSPD, FRCDPX: stored only

class LoopbackFixture : public E1000Fixture {
 public:
  explicit LoopbackFixture(const char* board)
      : E1000Fixture(nlohmann::json{{"board", board}, {"copper_negotiation", "10ms"}}),
        fiber(std::strstr(board, "fiber")) {
    if (!fiber) write(regs::kCtrl, read(regs::kCtrl) | regs::kCtrlFields.slu);
    up({});
    EXPECT_TRUE(has_link());
  }

  bool has_link() { return (read(regs::kStatus) & regs::kStatusFields.lu) != 0; }
  /// What e1000_integrated_phy_loopback() does.
  void loop_in_transceiver() {
    phy_write(16, 0x0808);
    phy_write(kPhyControl, 0x9140);
    phy_write(kPhyControl, 0x8140);
    phy_write(kPhyControl, kPhyLoopback);
    write(regs::kCtrl, read(regs::kCtrl) | kForced | (fiber ? 0U : regs::kCtrlFields.ilos));
    run_us(40'000);
  }
  /// What e1000_loopback_cleanup() does, and the end of the forced modes by the reset that follows.
  void end_loop() {
    phy_write(kPhyControl, phy_read(kPhyControl) & ~0x4000U);
    phy_write(kPhyControl, phy_read(kPhyControl) | 0x8000U);
    write(regs::kCtrl, read(regs::kCtrl) & ~(kForced | regs::kCtrlFields.ilos));
  }
  /// A frame that this adapter accepts.
  ByteVector packet() const { return good_packet(to_everybody()); }
  bool comes_back() {
    send(packet());
    run_us(30);
    const auto received = clean_rx();
    return received.size() == 1 &&
           ByteVector(received[0].bytes.begin(), received[0].bytes.end() - 4) == packet();
  }

  const bool fiber;

 private:
  static PacketSpec to_everybody() {
    PacketSpec spec;
    spec.to = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    return spec;
  }
};

class TransceiverLoopback : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Boards, TransceiverLoopback,
                         ::testing::Values("82545em-fiber", "82545gm-copper"),
                         [](const auto& board) { return std::string(board.param).substr(8); });

TEST_P(TransceiverLoopback, BringsFramesBackAndSendsNone) {
  LoopbackFixture b(GetParam());
  b.loop_in_transceiver();
  EXPECT_TRUE(b.has_link());
  EXPECT_FALSE(b.wire.lit) << "the far end loses its link";
  EXPECT_TRUE(b.comes_back());
  EXPECT_TRUE(b.wire.sent.empty());
}

TEST_P(TransceiverLoopback, NeedsNoCable) {
  LoopbackFixture b(GetParam());
  b.set_carrier(false);
  b.loop_in_transceiver();
  EXPECT_TRUE(b.has_link());
  EXPECT_TRUE(b.comes_back());
}

TEST_P(TransceiverLoopback, ReceivesNothingFromTheCable) {
  LoopbackFixture b(GetParam());
  b.loop_in_transceiver();
  b.receive(b.packet());
  b.run_us(30);
  EXPECT_TRUE(b.clean_rx().empty());
}

TEST_P(TransceiverLoopback, EndsWithTheLinkToTheFarEnd) {
  LoopbackFixture b(GetParam());
  b.loop_in_transceiver();
  b.end_loop();
  EXPECT_TRUE(b.wire.lit);
  b.run_us(40'000);
  EXPECT_TRUE(b.has_link());
  b.send(b.packet());
  b.run_us(30);
  EXPECT_EQ(b.wire.sent.size(), 1U);
  EXPECT_TRUE(b.clean_rx().empty());
}

TEST(E1000Loopback, APhyInLoopbackHasNoLinkAndIlosTurnsThatRound) {
  LoopbackFixture b("82545em-copper");
  b.phy_write(kPhyControl, kPhyLoopback);
  b.run_us(20'000);
  b.phy_read(1);
  EXPECT_EQ(b.phy_read(1) & 4U, 0U);
  EXPECT_FALSE(b.has_link());
  b.write(regs::kCtrl, b.read(regs::kCtrl) | regs::kCtrlFields.ilos);
  EXPECT_TRUE(b.has_link());
}

TEST(E1000Loopback, AnEndOnFiberNegotiatesWithItselfInItsTime) {
  LoopbackFixture b("82545gm-fiber");
  b.set_carrier(false);
  b.phy_write(kPhyControl, kPhyLoopback);  // the last clock of which was the beginning
  b.run_us(29'900);
  EXPECT_FALSE(b.has_link());
  b.run_us(100);
  EXPECT_TRUE(b.has_link());
  EXPECT_EQ(b.read(regs::kRxcw) & 0xffffU, (b.read(regs::kTxcw) & 0xffffU) | regs::kTxcwFields.ack);
}

TEST(E1000Loopback, RctlLoopsTheSerializerOfFiberBoardsOnly) {
  LoopbackFixture fiber("82546gb-fiber");
  fiber.write(regs::kRctl, fiber.read(regs::kRctl) | regs::kRctlFields.lbm_tcvr);
  fiber.run_us(40'000);
  EXPECT_TRUE(fiber.comes_back());
  EXPECT_FALSE(fiber.wire.lit);
}

TEST(E1000Loopback, RctlLeavesTheTransceiverOfCopperBoardsAlone) {
  LoopbackFixture copper("82546gb-copper");
  copper.write(regs::kRctl, copper.read(regs::kRctl) | regs::kRctlFields.lbm_tcvr);
  EXPECT_FALSE(copper.comes_back());
  EXPECT_EQ(copper.wire.sent.size(), 1U);
}

TEST(E1000Loopback, TheMacsOwnKeepsTheLinkAndNeedsNone) {
  LoopbackFixture b("82545em-fiber");
  b.write(regs::kRctl, b.read(regs::kRctl) | regs::kRctlFields.lbm_mac);
  EXPECT_TRUE(b.wire.lit);
  EXPECT_TRUE(b.comes_back());
  b.set_carrier(false);
  EXPECT_FALSE(b.has_link());
  EXPECT_TRUE(b.comes_back());
  EXPECT_TRUE(b.wire.sent.empty());
}

TEST(E1000Loopback, AResetEndsWhatRctlSaysAndNotWhatThePhyWasTold) {
  LoopbackFixture b("82545gm-copper");
  b.write(regs::kRctl, b.read(regs::kRctl) | regs::kRctlFields.lbm_mac);
  b.reset();
  b.write(regs::kCtrl, b.read(regs::kCtrl) | regs::kCtrlFields.slu);
  b.up({});
  EXPECT_FALSE(b.comes_back());
  b.phy_write(kPhyControl, kPhyLoopback);
  b.reset();
  EXPECT_FALSE(b.wire.lit);
}

}  // namespace
}  // namespace longhaul::nic::e1000
