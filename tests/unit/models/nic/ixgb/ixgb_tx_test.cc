// SPDX-License-Identifier: Apache-2.0
#include "models/nic/ixgb/ixgb_tx.h"

#include <gtest/gtest.h>

#include "tests/unit/models/nic/ixgb/ixgb_fixture.h"

namespace longhaul::nic::ixgb {
namespace {

using namespace longhaul::testing;  // NOLINT: packets

constexpr std::uint32_t kTptl = 0x2100;
constexpr std::uint32_t kGotcl = 0x2138;

// What DmaTestBus and the parameters make of one packet, in ns: descriptor fetch 40 + 300, engine
// 16 clocks of 6.4, data 40 + 300. The engine's time for the data runs while they are on their way.
constexpr std::uint64_t kFetchNs = 340;
constexpr std::uint64_t kEnginePs = 16 * 6400;
constexpr std::uint64_t kDataNs = 340;
constexpr std::uint64_t kLatencyNs = 200;
constexpr std::uint64_t kWriteNs = 40;

TEST(IxgbTx, AFrameTakesFetchEngineReadAndLatency) {
  IxgbFixture b;
  b.up({});
  const ByteVector packet = make_packet({});
  const std::uint64_t start = now_ps();
  b.send(packet);
  b.run_us(5);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.wire.sent[0].at_ps - start, (kFetchNs + kDataNs + kLatencyNs) * 1000 + kEnginePs);
  EXPECT_EQ(b.wire.sent[0].bytes, packet);
  EXPECT_EQ(b.clean_tx(), 1U);
  EXPECT_EQ(b.read(regs::kTdh), 1U);
}

TEST(IxgbTx, TheEngineIsBusyForItsOwnTimeAndBlockedWhileItsDescriptorsCome) {
  IxgbFixture b;
  b.up({});
  const observe::StateClock& state = b.nic->tx().engine().state;
  const std::uint64_t busy_before = state.spent_ps(Engine::kBusyState);
  const std::uint64_t blocked_before = state.spent_ps(Engine::kBlockedState);
  const ByteVector packet = make_packet({});
  b.send(packet);
  b.run_us(5);
  // 16 B a clock pass through it.
  EXPECT_EQ(state.spent_ps(Engine::kBusyState) - busy_before, kEnginePs + packet.size() * 400);
  EXPECT_EQ(state.spent_ps(Engine::kBlockedState) - blocked_before, kFetchNs * 1000);
  EXPECT_EQ(state.state(), Engine::kIdleState);
}

TEST(IxgbTx, ANarrowPathThroughTheEngineSetsThePaceAndKeepsItBusy) {
  IxgbFixture b(nlohmann::json{{"tx_kib_clocks", 200}});
  b.config_write(0xe6, 2, 0x2e);  // 4 KB reads
  b.up({9000});
  b.bus.request_delay = sc_core::sc_time(20, sc_core::SC_NS);
  PacketSpec spec;
  spec.payload = 8948;
  for (int i = 0; i < 20; ++i) b.send(make_packet(spec));
  b.run_us(60);
  const observe::StateClock& state = b.nic->tx().engine().state;
  const std::uint64_t busy_before = state.spent_ps(Engine::kBusyState);
  b.run_us(100);
  EXPECT_EQ(state.spent_ps(Engine::kBusyState) - busy_before, 100'000'000U);
  // 16 clocks and 9014 B at 5.12 B a clock: 1776.55 clocks of 6.4 ns, where the wire needs 7.23 us.
  ASSERT_GT(b.wire.sent.size(), 12U);
  for (std::size_t i = 5; i < 12; ++i)
    EXPECT_EQ(b.wire.sent[i].at_ps - b.wire.sent[i - 1].at_ps, 11'369'900U) << i;
}

TEST(IxgbTx, DelayedInterruptComesTidvAfterTheLastWriteBack) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.tidv = 10;
  b.up(settings);
  const std::uint64_t start = now_ps();
  b.send(make_packet({}));
  b.run_us(4);
  b.send(make_packet({}));  // restarts the timer
  const std::uint64_t due =
      start + 4'000'000 + (kFetchNs + kDataNs + kWriteNs) * 1000 + kEnginePs + 10 * 819'200;
  b.run_ps(due - 1 - now_ps());
  EXPECT_FALSE(b.nic->interrupt_moderator().level());
  b.run_ps(1);
  EXPECT_TRUE(b.nic->interrupt_moderator().level());
  EXPECT_EQ(b.read(regs::kIcr) & regs::kCauseFields.txdw, regs::kCauseFields.txdw);
}

TEST(IxgbTx, WithoutIdeTheInterruptComesWithTheWriteBack) {
  IxgbFixture b;
  b.up({});
  IxgbFixture::SendOptions options;
  options.ide = false;
  b.send(make_packet({}), options);
  b.run_ps((kFetchNs + kDataNs + kWriteNs) * 1000 + kEnginePs);
  EXPECT_TRUE(b.nic->interrupt_moderator().level());
  EXPECT_EQ(b.clean_tx(), 1U) << "the descriptor is in memory before the interrupt";
}

TEST(IxgbTx, ShortPacketsArePadded) {
  IxgbFixture b;
  b.up({});
  ByteVector packet = make_packet({});
  packet.resize(42);
  b.send(packet);
  b.run_us(5);
  packet.resize(60, 0);
  ASSERT_EQ(b.wire.sent.size(), 1U);
  EXPECT_EQ(b.wire.sent[0].bytes, packet);
  EXPECT_EQ(b.statistic(kGotcl), 64U);
}

/// What a sender without offload would send for a super-frame.
std::vector<ByteVector> expected_segments(const PacketSpec& spec, std::uint32_t mss) {
  const ByteVector whole = make_packet(spec);
  std::vector<ByteVector> list;
  const std::size_t header = l4_at(spec) + 20 + spec.options;
  for (std::uint32_t offset = 0; offset < spec.payload; offset += mss) {
    PacketSpec one = spec;
    one.payload = std::min(mss, spec.payload - offset);
    one.sequence = spec.sequence + offset;
    one.id = spec.id + offset / mss;
    if (offset + one.payload < spec.payload)
      one.flags = static_cast<std::uint8_t>(spec.flags & ~0x09);
    ByteVector frame = make_packet(one);
    std::copy_n(whole.begin() + static_cast<std::ptrdiff_t>(header + offset), one.payload,
                frame.begin() + static_cast<std::ptrdiff_t>(header));
    set_checksums(one, frame);
    list.push_back(frame);
  }
  return list;
}

class IxgbTso : public ::testing::TestWithParam<std::tuple<bool, std::uint32_t>> {};

TEST_P(IxgbTso, SuperFramesLeaveAsASenderWithoutOffloadWouldSendThem) {
  IxgbFixture b;
  b.up({9000});
  IxgbFixture::SendOptions options;
  options.spec.v6 = std::get<0>(GetParam());
  options.mss = std::get<1>(GetParam());
  options.spec.payload = 61'003;
  options.spec.flags = 0x19;
  // Header with a little payload, pages, and the driver's sentinel of four bytes at the end.
  const auto header = static_cast<std::uint32_t>(l4_at(options.spec)) + 32;
  options.pieces = {header + 100, 4096, 4096, 16384, 32768 - 8292};
  const ByteVector whole = super_frame(options.spec);
  std::uint32_t before = 0;
  for (std::uint32_t piece : options.pieces) before += piece;
  options.pieces.push_back(static_cast<std::uint32_t>(whole.size()) - before - 4);
  b.send(whole, options);
  options.spec.sequence += 70'000;
  const ByteVector second = super_frame(options.spec);
  b.send(second, options);
  b.run_us(300);

  std::vector<ByteVector> wanted = expected_segments(options.spec, options.mss);
  options.spec.sequence -= 70'000;
  const std::vector<ByteVector> first = expected_segments(options.spec, options.mss);
  wanted.insert(wanted.begin(), first.begin(), first.end());
  ASSERT_EQ(b.wire.sent.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    ASSERT_EQ(b.wire.sent[i].bytes, wanted[i]) << "segment " << i;
  EXPECT_EQ(b.clean_tx(), 2U);
  EXPECT_EQ(b.read(kTsctc), 2U);
  EXPECT_EQ(b.read(kTsctfc), 0U);
  EXPECT_EQ(b.statistic(kTptl), wanted.size());
}
INSTANTIATE_TEST_SUITE_P(Sizes, IxgbTso,
                         ::testing::Combine(::testing::Bool(),
                                            ::testing::Values(536U, 1448U, 8948U)));

TEST(IxgbTx, HeaderOfASuperFrameMayLieInSeveralBuffers) {
  IxgbFixture b;
  b.up({});
  IxgbFixture::SendOptions options;
  options.mss = 1000;
  options.spec.payload = 2500;
  options.pieces = {14, 20, 7, 25, 1};
  b.send(super_frame(options.spec), options);
  b.run_us(50);
  const auto wanted = expected_segments(options.spec, 1000);
  ASSERT_EQ(b.wire.sent.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(b.wire.sent[i].bytes, wanted[i]);
}

TEST(IxgbTx, VlanTagIsInsertedIntoFramesAndSegments) {
  IxgbFixture b;
  b.up({});
  IxgbFixture::SendOptions options;
  options.vlan = 0xa064;
  ByteVector packet = make_packet({});
  b.send(packet, options);
  options.mss = 900;
  options.spec.payload = 1800;
  b.send(super_frame(options.spec), options);
  b.run_us(20);
  const auto tagged = [](ByteVector frame) {
    const ByteVector tag = {0x81, 0x00, 0xa0, 0x64};
    frame.insert(frame.begin() + 12, tag.begin(), tag.end());
    return frame;
  };
  ASSERT_EQ(b.wire.sent.size(), 3U);
  EXPECT_EQ(b.wire.sent[0].bytes, tagged(packet));
  const auto wanted = expected_segments(options.spec, 900);
  EXPECT_EQ(b.wire.sent[1].bytes, tagged(wanted[0]));
  EXPECT_EQ(b.wire.sent[2].bytes, tagged(wanted[1]));
  EXPECT_EQ(b.statistic(0x2128), 3U) << "VPTC";
  b.write(regs::kCtrl0, b.read(regs::kCtrl0) & ~regs::kCtrl0Fields.vme);
  options = {};
  options.vlan = 0xa064;
  b.send(packet, options);
  b.run_us(20);
  EXPECT_EQ(b.wire.sent[3].bytes, packet) << "no insertion without VME";
}

TEST(IxgbTx, LargestFrameGoesThroughWhole) {
  IxgbFixture b;
  b.up({16114});
  PacketSpec spec;
  spec.payload = 16114 - 52;
  IxgbFixture::SendOptions options;
  options.pieces = {66, 4096, 4096, 4096};
  const ByteVector packet = make_packet(spec);
  ASSERT_EQ(packet.size(), 16128U);
  b.send(packet, options);
  options.vlan = 5;
  b.send(packet, options);
  b.run_us(50);
  ASSERT_EQ(b.wire.sent.size(), 2U);
  EXPECT_EQ(b.wire.sent[0].bytes, packet);
  EXPECT_EQ(b.wire.sent[1].bytes.size(), 16132U);
  EXPECT_EQ(b.statistic(0x2130), 2U) << "JPTC";
}

TEST(IxgbTx, RingWrapsManyTimesInOrder) {
  IxgbFixture b;
  IxgbFixture::Settings settings;
  settings.tx_entries = 64;
  b.up(settings);
  std::uint32_t queued = 0;
  std::uint32_t done = 0;
  while (done < 1000) {
    for (; queued < 1000 && queued - done < 15; ++queued) {
      PacketSpec spec;
      spec.sequence = queued;
      spec.payload = 10 + queued % 1400;
      IxgbFixture::SendOptions options;
      options.pieces = {66, 5, 100};
      b.send(make_packet(spec), options);
    }
    b.run_us(3);
    done += b.clean_tx();
  }
  b.run_us(50);
  ASSERT_EQ(b.wire.sent.size(), 1000U);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    PacketSpec spec;
    spec.sequence = i;
    spec.payload = 10 + i % 1400;
    ASSERT_EQ(b.wire.sent[i].bytes, make_packet(spec)) << i;
  }
}

TEST(IxgbTx, WriteBackThresholdGathersDescriptors) {
  IxgbFixture b;
  b.up({});
  b.write(regs::kTxdctl, 4U << 16);
  b.bus.seen.clear();
  const auto write_backs = [&] {
    std::vector<std::uint32_t> sizes;
    for (const DmaTestBus::Seen& seen : b.bus.seen) {
      if (!seen.is_read && seen.address >= IxgbFixture::kTxRing &&
          seen.address < IxgbFixture::kTxRing + 4096) {
        sizes.push_back(seen.bytes);
      }
    }
    return sizes;
  };
  for (int i = 0; i < 3; ++i) b.send(make_packet({}));
  b.run_us(20);
  EXPECT_TRUE(write_backs().empty());
  b.send(make_packet({}));
  b.run_us(20);
  EXPECT_EQ(write_backs(), std::vector<std::uint32_t>({64}));
}

}  // namespace
}  // namespace longhaul::nic::ixgb
