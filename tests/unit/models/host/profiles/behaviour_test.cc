// SPDX-License-Identifier: Apache-2.0
// What the systems' TCPs do on a wire, as their profiles claim it.
#include <gtest/gtest.h>

#include <array>

#include "models/host/profiles/os_profile.h"
#include "tests/unit/models/tcp/rig.h"

namespace longhaul::host {
namespace {

using tcp::TcpParams;
using tcp::rig::Host;
using tcp::rig::Lone;
using tcp::rig::Pair;

constexpr std::uint32_t kEthernet = 1460;  ///< MSS option behind an MTU of 1500

/// The systems whose behaviour the tests know; a new system has its own tests.
constexpr std::array<const char*, 11> kSystems{
    "freebsd-4.5", "freebsd-5.1", "linux-2.4.18", "linux-2.4.20",  "linux-2.6.18", "linux-2.6.6",
    "linux-6.1",   "solaris-9",   "windows-2000", "windows-vista", "windows-xp"};

TcpParams tcp_of(const std::string& name) { return os_profile(name, "test").tcp; }

/// A peer that answers every segment at once and can take much.
TcpParams obliging() {
  TcpParams params;
  params.ack_every.value = 1;
  params.delayed_ack.value = TcpParams::ms(1);  // of what is less than a segment
  params.receive_buffer.value = {4 << 20};
  return params;
}

struct OnTheSyn {
  const char* name;
  bool sack;
  bool timestamps;
  int shift;  ///< -1: not offered
};

TEST(OsProfileBehaviour, TheSynOffersWhatTheSystemOffers) {
  for (const OnTheSyn& claim : {OnTheSyn{"linux-2.4.18", true, true, 0},
                                {"linux-2.4.20", true, true, 0},
                                {"linux-2.6.6", true, true, 0},
                                {"linux-6.1", true, true, 1},
                                {"freebsd-4.5", false, true, 0},
                                {"freebsd-5.1", false, true, 1},
                                {"solaris-9", true, true, 0},
                                {"windows-2000", true, false, -1},
                                {"windows-xp", true, false, -1},
                                {"windows-vista", true, false, 0}}) {
    Pair pair(tcp_of(claim.name), obliging(), 10 * kMs, 0, kEthernet);
    pair.open();
    ASSERT_EQ(pair.a.sent.size(), 1U) << claim.name;
    const tcp::Options& options = pair.a.sent[0].segment.options;
    EXPECT_EQ(options.sack_permitted, claim.sack) << claim.name;
    EXPECT_EQ(options.timestamps, claim.timestamps) << claim.name;
    EXPECT_EQ(options.window_scale ? *options.window_scale : -1, claim.shift) << claim.name;
  }
}

TEST(OsProfileBehaviour, TheSynHasTheWindowThatFingerprintsKnowTheSystemBy) {
  // p0f 2.0.8, p0f.fp: "S4" is four segments.
  for (const auto& [name, window] :
       {std::pair<const char*, std::uint32_t>{"linux-2.4.18", 4 * 1460},  // S4, W0
        {"linux-2.4.20", 4 * 1460},
        {"freebsd-4.5", 57344},        // 57344, W0
        {"freebsd-5.1", 65535},        // 65535, W1
        {"solaris-9", 34 * 1460},      // S34
        {"windows-2000", 12 * 1460},   // S12
        {"windows-xp", 44 * 1460}}) {  // S44
    Pair pair(tcp_of(name), obliging(), 10 * kMs, 0, kEthernet);
    pair.open();
    EXPECT_EQ(pair.a.sent.at(0).segment.window, window) << name;
  }
}

TEST(OsProfileBehaviour, TwoMegabytesOfBufferAreOfferedByScalingExceptByWindowsXp) {
  for (const auto& [name, shift] :
       {std::pair<const char*, int>{"linux-2.4.20", 6}, {"freebsd-5.1", 6}, {"solaris-9", 6}}) {
    TcpParams params = tcp_of(name);
    params.receive_buffer.value = {2 << 20};
    Pair pair(params, obliging());
    pair.open();
    ASSERT_TRUE(pair.a.sent[0].segment.options.window_scale) << name;
    EXPECT_EQ(*pair.a.sent[0].segment.options.window_scale, shift) << name;
  }
  TcpParams xp = tcp_of("windows-xp");
  Pair pair(xp, obliging(), 10 * kMs, 0, kEthernet);
  pair.establish();
  pair.a.connection().write(10'000'000);
  pair.calendar.run_until(5 * kSecond);
  // Whatever the receiver has: without scaling its window is 64 KB.
  EXPECT_EQ(pair.a.connection().sender().largest_window(), 65535U);
}

TEST(OsProfileBehaviour, TheFirstFlightIsTheSystemsInitialWindow) {
  for (const auto& [name, segments] : {std::pair<const char*, std::size_t>{"linux-2.4.18", 2},
                                       {"linux-2.4.20", 2},
                                       {"linux-2.6.6", 2},
                                       {"linux-6.1", 10},
                                       {"freebsd-4.5", 4},
                                       {"freebsd-5.1", 4},
                                       {"solaris-9", 3},
                                       {"windows-2000", 2},
                                       {"windows-xp", 2},
                                       {"windows-vista", 2}}) {
    Pair pair(tcp_of(name), obliging(), 10 * kMs, 0, kEthernet);
    pair.establish();
    pair.a.connection().write(1'000'000);
    EXPECT_EQ(pair.a.sent.size(), segments) << name;
  }
}

/// Data segments for each ACK without payload over a second of a window-limited stream at 1 Gb/s,
/// after a second of warming up. The reader takes what has come at once, or in calls of `call`
/// bytes.
double segments_per_ack(const std::string& name, std::uint64_t call, std::uint64_t buffer = 0) {
  TcpParams params = tcp_of(name);
  if (buffer != 0) params.receive_buffer.value = {buffer};
  Pair pair(obliging(), params, kMs / 2, 8000, kEthernet);
  Host& receiver = pair.b;
  receiver.keep_sent = false;
  pair.a.keep_sent = false;
  pair.open();
  if (call != 0) {
    receiver.reads = false;
    receiver.on_readable = [&receiver, call] {
      while (receiver.connection().readable() >= call) receiver.connection().read(call);
    };
  }
  pair.a.connection().write(1'000'000'000);
  pair.calendar.run_until(kSecond);
  const std::uint64_t acks = receiver.connection().stats().pure_acks_sent;
  const std::uint64_t segments = receiver.connection().stats().segments_received;
  pair.calendar.run_until(2 * kSecond);
  return static_cast<double>(receiver.connection().stats().segments_received - segments) /
         static_cast<double>(receiver.connection().stats().pure_acks_sent - acks);
}

TEST(OsProfileBehaviour, SolarisAcknowledgesEveryEighthFrame) {
  EXPECT_NEAR(segments_per_ack("solaris-9", 0), 8.0, 0.05);
  EXPECT_NEAR(segments_per_ack("solaris-9", 8192), 8.0, 0.05);
}

TEST(OsProfileBehaviour, FreebsdAndWindowsAcknowledgeEverySecondFrameWhateverIsRead) {
  for (const char* name :
       {"freebsd-4.5", "freebsd-5.1", "windows-2000", "windows-xp", "windows-vista"}) {
    Lone t(tcp_of(name));
    t.host.reads = false;
    t.establish();
    std::vector<std::size_t> acks;
    for (std::uint64_t i = 0; i < 8; ++i) {
      t.data(i * 1000, 1000);
      acks.push_back(t.acks().size());
    }
    EXPECT_EQ(acks, (std::vector<std::size_t>{0, 1, 0, 1, 0, 1, 0, 1})) << name;
  }
}

TEST(OsProfileBehaviour, FreebsdTellsAWindowThatAReadOpenedByTwoSegmentsAnew) {
  // Small reads add window updates to the ACKs, large ones hardly any: GNET-1 saw 1 for 2.
  EXPECT_LT(segments_per_ack("freebsd-5.1", 8192, 2 << 20), 1.6);
  EXPECT_NEAR(segments_per_ack("freebsd-5.1", 131072, 2 << 20), 2.0, 0.06);
}

TEST(OsProfileBehaviour, LinuxAcknowledgesEveryReadOfAnEagerReaderWhichIsBetweenFiveAndSixFrames) {
  for (const char* name : {"linux-2.4.18", "linux-2.4.20", "linux-2.6.6"}) {
    EXPECT_NEAR(segments_per_ack(name, 0), 2.0, 0.05) << name;
    EXPECT_NEAR(segments_per_ack(name, 8192), 8192.0 / 1448, 0.05) << name;  // GNET-1: 1 for 5
  }
}

/// When the ACK of a segment goes out that nothing follows, from its arrival at a tick of the
/// system, in microseconds.
std::uint64_t delay_of_ack(const std::string& name) {
  Lone t(tcp_of(name));
  t.establish();
  const std::uint32_t quick = t.config.quick_acks;
  // Full segments would let a window grow, which Linux tells at once.
  for (std::uint64_t i = 0; i < quick; ++i) t.data(i * 100, 100);
  t.acks();
  const std::uint64_t tick = std::max<std::uint64_t>(t.config.delayed_ack_tick, 1);
  t.calendar.run_until((t.calendar.now() / tick + 1) * tick);
  const std::uint64_t arrived = t.calendar.now();
  t.data(quick * 100, 100);
  t.pass(kSecond);
  EXPECT_EQ(t.host.sent.size(), 1U) << name;
  return (t.host.sent.at(0).at - arrived) / 1'000'000;
}

TEST(OsProfileBehaviour, ALoneSegmentIsAcknowledgedAfterTheSystemsDelayInItsTicks) {
  EXPECT_EQ(delay_of_ack("linux-2.4.18"), 41'015U);  // 21 ticks of 512 a second
  EXPECT_EQ(delay_of_ack("linux-2.4.20"), 40'000U);
  EXPECT_EQ(delay_of_ack("linux-2.6.6"), 40'000U);
  EXPECT_EQ(delay_of_ack("linux-6.1"), 40'000U);
  EXPECT_EQ(delay_of_ack("freebsd-4.5"), 100'000U);
  EXPECT_EQ(delay_of_ack("freebsd-5.1"), 100'000U);
  EXPECT_EQ(delay_of_ack("solaris-9"), 50'000U);
  EXPECT_EQ(delay_of_ack("windows-2000"), 200'000U);
  EXPECT_EQ(delay_of_ack("windows-xp"), 200'000U);
  EXPECT_EQ(delay_of_ack("windows-vista"), 200'000U);
}

/// The retransmission time-out after many equal round trips of 100 ms, in milliseconds.
double time_out(const std::string& name) {
  Pair pair(tcp_of(name), obliging(), 50 * kMs, 0, kEthernet);
  pair.open();
  for (std::uint64_t round = 1; round <= 60; ++round) {
    pair.calendar.run_until(round * 200 * kMs);
    pair.a.connection().write(1000);
  }
  return static_cast<double>(pair.a.connection().sender().rtt().rto()) / static_cast<double>(kMs);
}

TEST(OsProfileBehaviour, TheTimeOutOfASteadyPathIsTheSystemsMinimum) {
  // Linux and FreeBSD 5 add 200 ms to the round trip; the others bound the whole.
  EXPECT_NEAR(time_out("linux-2.4.18"), 300, 4);
  EXPECT_NEAR(time_out("linux-2.4.20"), 300, 1);
  EXPECT_NEAR(time_out("linux-2.6.6"), 300, 1);
  EXPECT_NEAR(time_out("linux-6.1"), 300, 1);
  EXPECT_NEAR(time_out("freebsd-5.1"), 300, 1);
  EXPECT_NEAR(time_out("freebsd-4.5"), 1000, 1);
  EXPECT_NEAR(time_out("solaris-9"), 400, 1);
  EXPECT_NEAR(time_out("windows-2000"), 300, 1);
  EXPECT_NEAR(time_out("windows-xp"), 300, 1);
  EXPECT_NEAR(time_out("windows-vista"), 300, 1);
}

/// A stream in slow start that loses one segment with 8 segments or more in flight, round trips of
/// 20 ms.
struct OneLoss {
  Pair pair;
  std::uint64_t flight = 0;      ///< before recovery began, bytes
  std::uint64_t entry_cwnd = 0;  ///< with the retransmission
  std::uint64_t ssthresh = 0;    ///< set by the loss
  std::uint64_t left_cwnd = 0;   ///< when recovery was over
  std::uint64_t duplicates = 0;  ///< that it took

  explicit OneLoss(const std::string& name)
      : pair(tcp_of(name), obliging(), 10 * kMs, 8000, kEthernet) {
    pair.open();
    const tcp::Connection& connection = pair.a.connection();
    const tcp::Sender& sender = connection.sender();
    bool dropped = false;
    pair.a.fate = [&](const tcp::Segment& segment, std::uint64_t) {
      const bool drop =
          !dropped && segment.length > 0 && sender.next() - sender.una() >= 8 * kEthernet;
      dropped = dropped || drop;
      return tcp::rig::Fate{drop};
    };
    pair.a.connection().write(50'000'000);
    while (connection.stats().recoveries == 0) {
      flight = sender.next() - sender.una();
      if (!pair.calendar.step()) return;
    }
    duplicates = connection.stats().duplicate_acks;
    entry_cwnd = sender.control().cwnd();
    ssthresh = sender.control().ssthresh();
    while (sender.recovery().phase() == tcp::Recovery::Phase::kRecovery && pair.calendar.step()) {
    }
    left_cwnd = sender.control().cwnd();
  }
  const tcp::Stats& stats() { return pair.a.connection().stats(); }
  std::uint64_t mss() { return pair.a.connection().sender().mss(); }
};

TEST(OsProfileBehaviour, ASingleLossIsRepairedByOneRetransmissionAndReducesTheWindow) {
  for (const std::string name : kSystems) {
    OneLoss t(name);
    EXPECT_EQ(t.stats().recoveries, 1U) << name;
    EXPECT_EQ(t.stats().timeouts, 0U) << name;
    EXPECT_EQ(t.stats().retransmitted_segments, 1U) << name;
    EXPECT_EQ(t.stats().undone, 0U) << name;
    // By half, or with Linux' BIC above 14 segments by a fifth.
    const std::uint64_t kept =
        tcp_of(name).congestion_control() == "bic-linux" ? t.flight * 819 / 1024 : t.flight / 2;
    EXPECT_GE(t.ssthresh + 2 * t.mss(), t.flight / 2) << name;
    EXPECT_LE(t.ssthresh, kept + 2 * t.mss()) << name;
    EXPECT_LE(t.left_cwnd, t.ssthresh) << name;
  }
}

TEST(OsProfileBehaviour, LinuxReducesItsWindowDuringRecoveryAndTheOthersBeforeIt) {
  for (const std::string name : kSystems) {
    OneLoss t(name);
    if (name.rfind("linux", 0) == 0) {
      EXPECT_GT(t.entry_cwnd, t.ssthresh) << name;
    } else {
      EXPECT_EQ(t.entry_cwnd, t.ssthresh) << name;
    }
  }
}

TEST(OsProfileBehaviour, WindowsRetransmitsAfterTwoDuplicatesAndTheOthersAfterThree) {
  for (const std::string name : kSystems) {
    const bool two = name == "windows-2000" || name == "windows-xp";
    EXPECT_EQ(OneLoss(name).duplicates, two ? 2U : 3U) << name;
  }
}

TEST(OsProfileBehaviour, SolarisGrowsByAnEighthOfASegmentARoundTripBecauseItCountsAcks) {
  // GNET-1, figure 6: what its recovery beyond 4.2 ms takes eight times as long for.
  const auto growth = [](std::uint32_t ack_every) {
    TcpParams params = tcp_of("solaris-9");
    params.initial_ssthresh.value = {100 * 1448};
    params.receive_buffer.value = {1 << 20};
    params.ack_every.value = ack_every;
    Pair pair(params, params, 10 * kMs, 0, kEthernet);
    pair.a.keep_sent = pair.b.keep_sent = false;
    pair.open();
    pair.a.connection().write(1'000'000'000);
    pair.calendar.run_until(kSecond);
    const std::uint64_t before = pair.a.connection().sender().control().cwnd();
    pair.calendar.run_until(3 * kSecond);  // 100 round trips
    return static_cast<double>(pair.a.connection().sender().control().cwnd() - before) / 1448 / 100;
  };
  EXPECT_NEAR(growth(1), 1.0, 0.1);  // whole bytes for each ACK
  EXPECT_NEAR(growth(8), 0.125, 0.01);
}

TEST(OsProfileBehaviour, ASolarisWindowStopsAtOneMegabyte) {
  TcpParams params = tcp_of("solaris-9");
  Pair pair(params, obliging(), 10 * kMs, 0, kEthernet);
  pair.a.keep_sent = pair.b.keep_sent = false;
  pair.open();
  pair.a.connection().write(1'000'000'000);
  pair.calendar.run_until(2 * kSecond);
  EXPECT_EQ(pair.a.connection().sender().control().cwnd(), 1U << 20);
}

/// Segments that go out at once after a second of silence behind a window of many.
std::size_t after_idling(const std::string& name) {
  Pair pair(tcp_of(name), obliging(), 10 * kMs, 0, kEthernet);
  pair.establish();
  pair.a.connection().write(60'000);
  pair.calendar.run_until(2 * kSecond);
  pair.a.connection().write(60'000);  // the window is wide open now
  pair.calendar.run_until(3 * kSecond);
  pair.a.sent.clear();
  const std::uint64_t now = pair.calendar.now();
  pair.a.connection().write(600'000);
  std::size_t count = 0;
  for (const auto& sighting : pair.a.sent) count += sighting.at == now ? 1 : 0;
  return count;
}

TEST(OsProfileBehaviour, AfterAnIdleSecondTheWindowStartsAnewOrHasDecayed) {
  EXPECT_EQ(after_idling("freebsd-5.1"), 4U);
  EXPECT_EQ(after_idling("solaris-9"), 3U);
  EXPECT_EQ(after_idling("windows-xp"), 2U);
  EXPECT_LE(after_idling("linux-2.4.20"), 4U);  // halved for each RTO, not below the initial window
}

}  // namespace
}  // namespace longhaul::host
