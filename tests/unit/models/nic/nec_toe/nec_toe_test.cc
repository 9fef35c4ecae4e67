// SPDX-License-Identifier: Apache-2.0
// Adapters with NEC-TOE's engines: the core of a Terminator behind a gigabit MAC.
#include "models/nic/nec_toe/nec_toe.h"

#include <gmock/gmock.h>

#include "models/common/param_json.h"
#include "models/nic/adapter_type.h"
#include "tests/unit/models/nic/terminator/cpl_fixture.h"
#include "tests/unit/models/nic/terminator/terminator_fixture.h"

namespace longhaul::nic::nec_toe {
namespace {

using longhaul::testing::ByteVector;
using terminator::CplFixture;
using terminator::NicHolder;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr std::uint16_t kDevice = 0x7001;

const MacAddress kStation{0x00, 0x00, 0x4c, 0x00, 0x00, 0x01};

std::unique_ptr<NecToe> make(NecToeParams params) {
  return std::make_unique<NecToe>("nic", params, kDevice, 0);
}

class NecFixture : public ::testing::Test, public NicHolder<NecToe>, public CplFixture {
 public:
  explicit NecFixture(const NecToeParams& params)
      : NicHolder{make(params)}, CplFixture(*nic, nic->port(), nic->path()) {}

  static std::uint32_t controls() { return regs::kLineControlFields.mask(); }
  /// A frame comes from the wire.
  void from_wire(const MacAddress& to, std::uint32_t bytes) {
    ByteVector frame = packet(bytes);
    std::copy(to.begin(), to.end(), frame.begin());
    nic->port().eth_rx->receive(frame_of(frame));
  }
  const std::vector<std::unique_ptr<toe::Lane>>& lanes() const { return engine().lanes(); }
};

struct NecParallel : NecFixture {
  NecParallel() : NecFixture(parallel_params()) {}
};
struct NecPipeline : NecFixture {
  NecPipeline() : NecFixture(pipeline_params()) {}
};

std::vector<std::string> names(const std::vector<std::unique_ptr<toe::Lane>>& lanes) {
  std::vector<std::string> out;
  for (const std::unique_ptr<toe::Lane>& lane : lanes) out.emplace_back(lane->basename());
  return out;
}

/// Opens a connection, sends and receives, and looks at the segments and messages.
void exchange(NecFixture& b) {
  b.post(b.act_open());
  b.run_us(200);
  EXPECT_THAT(b.segments(), ElementsAre("S 0"));
  b.arrive(tcp::kSyn | tcp::kAck, 0, 1);
  b.run_us(200);
  EXPECT_THAT(b.segments(), ElementsAre("A 1 ack 1"));
  EXPECT_THAT(b.opcodes(b.messages()), ElementsAre(0x06, 0x17));
  b.post_pieces({b.tx_data(0, 2000), b.pattern(0, 700), b.pattern(700, 1300)});
  b.run_us(200);
  EXPECT_THAT(b.segments(), ElementsAre("A 1+1460 ack 1", "PA 1461+540 ack 1"));
  b.arrive(tcp::kAck | tcp::kPsh, 1, 2001, 1000);
  b.run_us(200);
  const auto news = b.messages();
  ASSERT_THAT(news, SizeIs(2));
  EXPECT_EQ(news[0].opcode, 0xa0U) << "CPL_RX_DATA";
  EXPECT_EQ(ByteVector(news[0].bytes.begin() + 16, news[0].bytes.end()), b.pattern(0, 1000));
  EXPECT_EQ(news[1].opcode, 0xb0U) << "CPL_TX_DATA_ACK";
}

TEST_F(NecParallel, DataGoBothWaysThroughThreeElements) {
  exchange(*this);
  ASSERT_THAT(names(lanes()), ElementsAre("transmit", "receive", "management"));
  EXPECT_EQ(lanes()[0]->message_events.value(), 4U) << "L2T, SMT, open, data by queue 0";
  EXPECT_EQ(lanes()[1]->receive_events.value(), 2U);
  EXPECT_EQ(lanes()[2]->message_events.value(), 0U);
}

TEST_F(NecPipeline, DataGoBothWaysThroughTwoRows) {
  exchange(*this);
  ASSERT_THAT(names(lanes()), ElementsAre("transmit", "receive"));
  EXPECT_EQ(lanes()[1]->receive_events.value(), 2U);
}

/// Frames that are nobody's segment, one behind the other: the time between the first two that
/// reach the host, in clocks.
std::uint64_t receive_interval(NecFixture& b) {
  for (std::uint8_t i = 0; i < 8; ++i) EXPECT_TRUE(b.receive(b.packet(64, i)));
  std::vector<std::uint64_t> at;
  for (std::uint64_t ps = 0; ps < 2 * kMs && at.size() < 8; ps += 10'000) {
    b.run_ps(10'000);  // a clock
    for (std::size_t i = b.responses().size(); i > 0; --i) at.push_back(now_ps());
  }
  EXPECT_THAT(at, SizeIs(8));
  return (at[7] - at[3]) / 4 / 10'000;
}

TEST_F(NecParallel, AReceivedPacketHasItsElementForAllItsClocks) {
  EXPECT_NEAR(static_cast<double>(receive_interval(*this)), 1000, 2);
}

TEST_F(NecPipeline, AReceivedPacketHasAnElementForItsShare) {
  EXPECT_NEAR(static_cast<double>(receive_interval(*this)), 6000 / 4, 2);
}

TEST_F(NecParallel, TheLineIsOffUntilSoftwareSwitchesItOn) {
  from_wire(kStation, 100);
  EXPECT_EQ(nic->mac().rx_off.value(), 1U);
  write(regs::kLineControl, controls());
  from_wire(kStation, 100);
  run_us(100);
  EXPECT_THAT(messages(), SizeIs(1));
  post(with_cpl(packet(100)));
  run_us(100);
  EXPECT_THAT(wire.sent, SizeIs(1));
  EXPECT_EQ(nic->tx().frames.value(), 1U);
}

TEST_F(NecParallel, TheLineTakesItsStationAndGroups) {
  write(regs::kLineControl, controls());
  from_wire(MacAddress{0x02, 0, 0, 0, 0, 9}, 100);
  EXPECT_EQ(nic->line().filtered.value(), 1U);
  from_wire(MacAddress{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 100);
  from_wire(MacAddress{0x33, 0x33, 0, 0, 0, 1}, 100);
  run_us(100);
  EXPECT_THAT(messages(), SizeIs(2));
}

TEST_F(NecParallel, FramesThatTheEngineRefusesWaitAndPauseTheFarEnd) {
  write(regs::kLineControl, controls());
  // The engine's receive FIFO and then the line's: 64 KiB and 32 KiB.
  for (int i = 0; i < 63; ++i) from_wire(kStation, 1514);
  run_us(1);
  EXPECT_EQ(nic->mac().tx_xoff.value(), 1U);
  EXPECT_EQ(nic->line().overflows.value(), 0U);
  for (int i = 0; i < 10; ++i) from_wire(kStation, 1514);
  EXPECT_GT(nic->line().overflows.value(), 0U);
  run_us(2000);
  EXPECT_EQ(nic->mac().tx_xon.value(), 1U);
}

TEST_F(NecParallel, AChangeOfTheLinkIsToldUntilItIsRead) {
  write(terminator::regs::kPlEnable, terminator::regs::kPlIntrFields.pl_intr_ext);
  EXPECT_EQ(read(regs::kLineStatus), 1U);
  EXPECT_FALSE(inta());
  wire.has_carrier = false;
  nic->port().eth_rx->carrier_changed(false);
  EXPECT_TRUE(inta());
  EXPECT_EQ(read(regs::kLineStatus), 0U);
  EXPECT_FALSE(inta());
}

TEST_F(NecParallel, ASleepThatEndsResetsAllButTheStation) {
  exchange(*this);
  write(regs::kLineControl, controls());
  config_write(terminator::regs::config::kPower + 4U, 2, 3);
  config_write(terminator::regs::config::kPower + 4U, 2, 0);
  EXPECT_EQ(engine().connections(), 0U);
  EXPECT_EQ(read(regs::kLineControl), 0U);
  EXPECT_EQ(nic->mac_address(), kStation);
}

TEST(NecToeTypes, BothEnginesAreAdapters) {
  for (const char* name : {"nec-parallel", "nec-pipeline"}) {
    const AdapterType& type = adapter_types().find(name, "test");
    EXPECT_EQ(type.ids.front().vendor, kVendorNec);
    EXPECT_FALSE(type.describe_defaults().empty());
  }
}

}  // namespace
}  // namespace longhaul::nic::nec_toe
