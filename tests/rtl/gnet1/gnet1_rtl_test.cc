// SPDX-License-Identifier: Apache-2.0
#include "rtl/gnet1/box/gnet1_rtl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/rtl/gnet1/gnet1_rig.h"
#include "tests/unit/times.h"

namespace longhaul::cosim {
namespace {

using test::Gnet1Rig;
using test::make_frame;
using test::number_of;
using test::run_until;
using test::Station;
using test::station;
using wan::gnet1_regs::Counter;
namespace regs = wan::gnet1_regs;

constexpr std::uint64_t kByteTime = 8'000;
constexpr std::uint64_t kClock = 32'000;
// Beyond the set delay, from pin to pin; rtl/gnet1/README.md has 352 ns to the edge of 125 MHz that
// samples the byte.
constexpr std::uint64_t kLeastStay = 344'000;

std::uint64_t wire_ps(std::uint32_t octets) { return (8 + octets) * kByteTime; }

/// Time from a frame's last bit at the box to its last bit at the far host, for each frame in
/// order.
std::vector<std::uint64_t> stays(const Station& from, const Station& to) {
  std::vector<std::uint64_t> list;
  for (std::size_t i = 0; i < to.arrivals.size(); ++i) {
    const std::uint32_t octets = to.arrivals[i].frame->size() + Frame::kFcsBytes;
    list.push_back(to.arrivals[i].at_ps - from.starts[i] - wire_ps(octets));
  }
  return list;
}

/// Sends `count` frames of random length at random times, no two closer than 30 us.
void send_at_random(Station& from, std::uint32_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t octets = 64 + random() % 1455;
    from.send(make_frame(octets, station(1), station(2), i), i * 50 * kUs + random() % (20 * kUs));
  }
}

TEST(Gnet1Rtl, WithoutDelayAFrameStaysLessThanAMicrosecondWhateverItsLength) {
  Gnet1Rig rig;
  send_at_random(*rig.hosts[0], 40, 1);
  run_until(3000 * kUs);
  ASSERT_EQ(rig.hosts[1]->arrivals.size(), 40U);
  const std::vector<std::uint64_t> list = stays(*rig.hosts[0], *rig.hosts[1]);
  const auto [least, most] = std::minmax_element(list.begin(), list.end());
  // 863 ns to the edge that samples it (rtl/gnet1/README.md): 855 ns from pin to pin, a clock
  // of 31.25 MHz of luck, and up to one of 125 MHz to the first edge.
  EXPECT_GT(*least, 855'000 - kClock);
  EXPECT_LE(*most, 855'000 + kClock + kByteTime);
  EXPECT_LE(*most - *least, kClock + kByteTime);
}

TEST(Gnet1Rtl, TheDelayIsWhatWasSetToOneClock) {
  wan::Gnet1Params params;
  params.ports[0].delay.value = from_ps(100 * kUs);
  params.ports[1].delay.value = from_ps(20 * kUs + kClock);
  Gnet1Rig rig(params);
  send_at_random(*rig.hosts[0], 40, 2);
  send_at_random(*rig.hosts[1], 40, 3);
  run_until(3000 * kUs);
  const std::array<std::uint64_t, 2> set{100 * kUs, 20 * kUs + kClock};
  for (std::size_t from = 0; from < 2; ++from) {
    const std::vector<std::uint64_t> list = stays(*rig.hosts[from], *rig.hosts[1 - from]);
    ASSERT_EQ(list.size(), 40U);
    for (const std::uint64_t stay : list) {
      EXPECT_GT(stay, set[from] + kLeastStay);
      EXPECT_LE(stay, set[from] + kLeastStay + kClock + kByteTime);
    }
  }
}

TEST(Gnet1Rtl, ADelayWrittenWhileItRunsHoldsForLaterFrames) {
  Gnet1Rig rig;
  rig.master.program = [&] {
    EXPECT_EQ(rig.master.read(regs::kId), regs::kIdReset);
    sc_core::wait(from_ps(100 * kUs));
    rig.master.write(regs::port_base(2) + regs::kDelay, 500 << 5);  // 50 us
    EXPECT_EQ(rig.master.read(regs::port_base(2) + regs::kDelay), 500U << 5);
  };
  rig.hosts[2]->send(make_frame(64, station(1), station(2), 0), 50 * kUs);
  rig.hosts[2]->send(make_frame(64, station(1), station(2), 1), 150 * kUs);
  run_until(300 * kUs);
  const std::vector<std::uint64_t> list = stays(*rig.hosts[2], *rig.hosts[3]);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_LT(list[0], 1 * kUs);
  EXPECT_GT(list[1], 50 * kUs + kLeastStay);
  EXPECT_LE(list[1], 50 * kUs + kLeastStay + kClock + kByteTime);
}

TEST(Gnet1Rtl, AnArmedDiscardTakesOneFrame) {
  Gnet1Rig rig;
  std::uint32_t discards = 0;
  rig.master.program = [&] {
    sc_core::wait(from_ps(20 * kUs));
    rig.master.write(regs::port_base(0) + regs::kDiscardCtrl, regs::kDiscardArm);
    sc_core::wait(from_ps(200 * kUs));
    discards = rig.master.counter(0, Counter::kDiscards);
  };
  for (std::uint32_t i = 0; i < 4; ++i) {
    rig.hosts[0]->send(make_frame(500, station(1), station(2), i), (10 + 20 * i) * kUs);
  }
  run_until(300 * kUs);
  EXPECT_EQ(discards, 1U);
  ASSERT_EQ(rig.hosts[1]->arrivals.size(), 3U);
  EXPECT_EQ(number_of(*rig.hosts[1]->arrivals[0].frame), 0U);
  EXPECT_EQ(number_of(*rig.hosts[1]->arrivals[1].frame), 2U);
}

TEST(Gnet1Rtl, ABadFcsGoesThroughAndIsCounted) {
  Gnet1Rig rig;
  FrameRef bad = make_frame(300, station(1), station(2), 1);
  bad.writable().flip_bit(1000);
  rig.hosts[3]->send(bad, kUs);
  rig.hosts[3]->send(make_frame(300, station(1), station(2), 2), 10 * kUs);
  std::uint32_t counted = 0;
  rig.master.program = [&] {
    sc_core::wait(from_ps(50 * kUs));
    counted = rig.master.counter(3, Counter::kRxFcsBad);
  };
  run_until(100 * kUs);
  EXPECT_EQ(counted, 1U);
  ASSERT_EQ(rig.hosts[2]->arrivals.size(), 2U);
  EXPECT_EQ(rig.hosts[2]->arrivals[0].frame->fcs(), bad->fcs());
  EXPECT_FALSE(rig.hosts[2]->arrivals[0].frame->fcs_matches());
  EXPECT_TRUE(rig.hosts[2]->arrivals[1].frame->fcs_matches());
}

/// Full rate at all ports both ways, with what the far host gets compared byte by byte.
void full_rate(const std::vector<double>& ppm, std::uint32_t frames) {
  wan::Gnet1Params params;
  for (std::size_t i = 0; i < 4; ++i) params.ports[i].partner_ppm.value = ppm[i];
  params.ports[0].delay.value = from_ps(10 * kUs);
  Gnet1Rig rig(params);
  const std::array<std::uint32_t, 5> sizes{64, 1518, 65, 511, 66};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::uint32_t n = 0; n < frames; ++n) {
      rig.hosts[i]->send(make_frame(i == 0 ? 64 : sizes[(n + i) % 5], station(1), station(2), n));
    }
  }
  std::array<std::uint32_t, 4> lost{};
  const std::uint64_t end = frames * 600ULL * kByteTime + 100 * kUs;
  rig.master.program = [&] {
    sc_core::wait(from_ps(end));
    for (std::size_t i = 0; i < 4; ++i) {
      lost[i] =
          rig.master.counter(i, Counter::kRxLost) + rig.master.counter(i, Counter::kTxUnderrun);
    }
  };
  run_until(end + 50 * kUs);
  for (std::size_t i = 0; i < 4; ++i) {
    const Station& to = *rig.hosts[i ^ 1U];
    ASSERT_EQ(to.arrivals.size(), frames) << "from port " << i;
    for (std::uint32_t n = 0; n < frames; ++n) {
      const std::uint32_t octets = i == 0 ? 64 : sizes[(n + i) % 5];
      const FrameRef want = make_frame(octets, station(1), station(2), n);
      ASSERT_EQ(to.arrivals[n].frame->size(), want->size());
      ASSERT_EQ(std::memcmp(to.arrivals[n].frame->data(), want->data(), want->size()), 0);
      ASSERT_TRUE(to.arrivals[n].frame->fcs_matches());
    }
    EXPECT_EQ(lost[i], 0U);
  }
}

TEST(Gnet1Rtl, FourPortsAtFullRateLoseNothing) { full_rate({0, 0, 0, 0}, 150); }
TEST(Gnet1Rtl, NorWithPartnersWhoseClocksAreOff) { full_rate({100, -100, 37, -11}, 150); }

}  // namespace
}  // namespace longhaul::cosim
