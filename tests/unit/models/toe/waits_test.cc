// SPDX-License-Identifier: Apache-2.0
// Waits of an offload engine's connections by cause, as the verdict counts them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/models/toe/data_fixture.h"

namespace longhaul::toe::rig {
namespace {

class ToeWaits : public ToeData {
 public:
  using ToeData::ToeData;

 protected:
  /// Connections that wait for: host, turn, congestion window, peer's window.
  std::vector<std::uint64_t> waits() {
    const SendWaits& all = engine.send_waits;
    return {all.host.value(), all.turn.value(), all.cwnd.value(), all.window.value()};
  }
  /// Time in which a connection waited for `level`, in microseconds.
  static std::uint64_t us(const observe::Level& level) {
    return static_cast<std::uint64_t>(level.integral() / 1'000'000);
  }
};

using ::testing::ElementsAre;

TEST_F(ToeWaits, AnOpenConnectionWithoutDataWaitsForItsHost) {
  EXPECT_THAT(waits(), ElementsAre(1U, 0U, 0U, 0U));
  write(1000);
  run(kMs);
  EXPECT_THAT(waits(), ElementsAre(1U, 0U, 0U, 0U));  // all of it is on its way
}

TEST_F(ToeWaits, DataBeyondTheFirstSegmentWaitForTheCongestionWindow) {
  const std::uint64_t before = us(engine.send_waits.cwnd);
  write(7300);
  run(kMs);
  EXPECT_THAT(waits(), ElementsAre(0U, 0U, 1U, 0U));
  const std::uint64_t waited = us(engine.send_waits.cwnd) - before;
  EXPECT_GT(waited, 990U);  // the message's event takes some of the millisecond
  EXPECT_LE(waited, 1000U);
  arrive(tcp::kAck, 1, 1461);
  run(kMs);
  arrive(tcp::kAck, 1, 4381);
  run(kMs);
  EXPECT_THAT(waits(), ElementsAre(1U, 0U, 0U, 0U));
}

TEST_F(ToeWaits, AfterAnAckDataWaitForTheirTurnUntilAModulationEventSends) {
  engine.set_separators(12'500, 0);  // 100 us
  write(7300);
  run(kMs);
  arrive(tcp::kAck, 1, 1461);
  run(10 * kMs / 1000);
  // The first of two segments has left, and the token waits for the separator.
  EXPECT_THAT(waits(), ElementsAre(0U, 1U, 0U, 0U));
  EXPECT_EQ(sent().size(), 2U);
  run(kMs);
  EXPECT_THAT(waits(), ElementsAre(0U, 0U, 1U, 0U));
}

TEST_F(ToeWaits, APeerThatOffersLittleIsNamed) {
  peer_window = 1460;
  write(1460);
  run(kMs);
  arrive(tcp::kAck, 1, 1461);
  run(kMs);
  write(4380);
  run(kMs);
  EXPECT_THAT(waits(), ElementsAre(0U, 0U, 0U, 1U));
}

TEST_F(ToeWaits, AConnectionThatHasEndedWaitsForNothing) {
  offer(CloseRequest{0});
  run(kMs);
  EXPECT_THAT(waits(), ElementsAre(0U, 0U, 0U, 0U));
}

TEST_F(ToeWaits, AResetOfTheEngineLeavesNothingBehind) {
  write(7300);
  run(kMs);
  engine.reset();
  EXPECT_THAT(waits(), ElementsAre(0U, 0U, 0U, 0U));
}

class ToeWaitsForMemory : public ToeWaits {
 public:
  ToeWaitsForMemory() : ToeWaits(little()) {}

 private:
  static ToeParams little() {
    ToeParams params = small_params();
    params.pm_size.value = units::MiB(1);
    params.pm_page.value = units::KiB(4);  // 96 pages for transmit
    return params;
  }
};

TEST_F(ToeWaitsForMemory, AMessageThatFindsNoPageCountsUntilOneIsFree) {
  constexpr std::uint32_t kPage = 4096;
  const std::uint32_t pages = engine.payload_memory().pages(PayloadMemory::Half::kTransmit);
  ASSERT_EQ(pages, 96U);
  for (std::uint32_t i = 0; i < pages / 4; ++i) {
    write(4 * kPage);
    run(kMs);
  }
  EXPECT_EQ(engine.probes.data_waits_pm.value(), 0U);
  write(1000);
  run(kMs);
  EXPECT_EQ(engine.probes.data_waits_pm.value(), 1U);
  EXPECT_EQ(us(engine.probes.data_waits_pm), 1000U);
  // The first segment of 1460 B leaves its page in use, the next two free one.
  arrive(tcp::kAck, 1, 1461);
  run(kMs);
  EXPECT_EQ(engine.probes.data_waits_pm.value(), 1U);
  arrive(tcp::kAck, 1, 1 + 3 * 1460);
  run(kMs);
  EXPECT_EQ(engine.probes.data_waits_pm.value(), 0U);
}

}  // namespace
}  // namespace longhaul::toe::rig
