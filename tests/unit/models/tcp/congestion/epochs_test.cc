// SPDX-License-Identifier: Apache-2.0
// Growth by the time since a loss: where it begins after a timeout, and when that is moved.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/tcp/congestion/congestion_control.h"
#include "tests/unit/models/tcp/congestion/path.h"
#include "tests/unit/times.h"

namespace longhaul::tcp::rig {
namespace {

TEST(TcpCongestion, CubicIsFlatAfterATimeoutWhereItsAvoidanceBegins) {
  Path path("cubic", 100, 2000);
  path.time_out();
  const double w = path.window();
  EXPECT_NEAR(w, 1400, 1);
  // RFC 8312, 4.7: K is 0 and the maximum w, whatever was reached before; eq. 4 is faster for the
  // first four seconds.
  path.follows(
      [w](double t) { return w + std::max(0.4 * std::pow(t, 3), 3 * 0.3 / 1.7 * t / 0.1); }, 12,
      0.01);
}

TEST(TcpCongestion, AnAckThatComesBeforeTheInstantThatAnIdleTimeMovedMakesNoJump) {
  for (const char* name : {"cubic", "htcp"}) {
    Path path(name, 100, 2000);
    path.lose();
    path.ack();
    const double before = path.window();
    path.control().on_idle(10 * kSecond, kSecond);
    for (int i = 0; i < 100; ++i) path.ack();
    EXPECT_GE(path.window(), before) << name;
    EXPECT_LT(path.window() - before, 2) << name;
  }
}

}  // namespace
}  // namespace longhaul::tcp::rig
