// SPDX-License-Identifier: Apache-2.0
// GNET-1, section 4.2: how long a stream of 1 Gb/s takes to be back at 120 MB/s (headers included,
// means of 100 ms) when one frame was discarded, with 2 MB socket buffers: from the policies alone,
// on a wire without hosts.
#include <gtest/gtest.h>

#include "models/host/profiles/os_profile.h"
#include "tests/unit/models/tcp/rig.h"

namespace longhaul::host {
namespace {

using tcp::TcpParams;
using tcp::rig::Pair;

/// Seconds until the first mean above 120 MB/s, at most `most`; a frame of 1448 B of data is 1526 B
/// on the wire.
double time_to_recover(const TcpParams& params, double one_way_ms, double most,
                       std::uint64_t call) {
  constexpr std::uint64_t kOfHosts =
      62'500'000;  // an adapter interrupts every 125 us: half of that in either direction
  Pair pair(params, params, static_cast<std::uint64_t>(one_way_ms * kMs) + kOfHosts, 8000, 1460);
  pair.a.keep_sent = pair.b.keep_sent = false;
  tcp::Connection& receiver = pair.b.connection();
  pair.b.reads = false;
  pair.b.on_readable = [&receiver, call] {
    while (receiver.readable() >= call) receiver.read(call);
  };
  bool discard = false;
  pair.a.fate = [&discard](const tcp::Segment& segment, std::uint64_t) {
    const bool lost = discard && segment.length > 0;
    if (lost) discard = false;
    return tcp::rig::Fate{lost};
  };
  pair.open();
  pair.a.connection().write(100'000'000'000);
  pair.calendar.run_until(3 * kSecond);
  discard = true;
  std::uint64_t before = 0;
  for (std::uint64_t i = 0; static_cast<double>(i) * 0.1 <= most; ++i) {
    pair.calendar.run_until(3 * kSecond + (i + 1) * 100 * kMs);
    const std::uint64_t now = receiver.stats().data_bytes_received;
    if (i > 0 && static_cast<double>(now - before) / 1448 * 1526 / 0.1 > 120e6)
      return static_cast<double>(i) * 0.1;
    before = now;
  }
  return most;
}

double solaris(double one_way_ms) {
  TcpParams params = os_profile("solaris-9", "test").tcp;
  params.receive_buffer.value = {2'000'000};
  params.cwnd_limit.value = {2'000'000};  // as it must have been for 2 MB buffers to be of use
  return time_to_recover(params, one_way_ms, 12, 131072);
}

TEST(OsProfileSingleLoss, SolarisIsBackAtOnceUpTo4Point2MillisecondsAndNeedsSevenSecondsAt4Point7) {
  EXPECT_LT(solaris(0), 0.25);
  EXPECT_LT(solaris(4.0), 0.25);
  EXPECT_LT(solaris(4.2), 0.25);
  EXPECT_GT(solaris(4.3), 0.5);
  EXPECT_NEAR(solaris(4.7), 7, 1);
}

TEST(OsProfileSingleLoss, SolarisNeedsLongBecauseItAcknowledgesEveryEighthFrame) {
  TcpParams params = os_profile("solaris-9", "test").tcp;
  params.receive_buffer.value = {2'000'000};
  params.cwnd_limit.value = {2'000'000};
  params.ack_every.value = 1;
  EXPECT_NEAR(time_to_recover(params, 4.7, 12, 131072), 7.0 / 8, 0.3);
}

TEST(OsProfileSingleLoss, LinuxNeedsSecondsAtFourMillisecondsBecauseAQuarterOfItsBufferIsNoWindow) {
  // GNET-1: 8 s; the exact window is the host's accounting of its buffers.
  TcpParams params = os_profile("linux-2.4.20", "test").tcp;
  params.receive_buffer.value = {3 << 19};
  EXPECT_LT(time_to_recover(params, 0, 20, 8192), 0.25);
  const double at_four = time_to_recover(params, 4, 20, 8192);
  EXPECT_GT(at_four, 3);
  EXPECT_LT(at_four, 10);
}

}  // namespace
}  // namespace longhaul::host
