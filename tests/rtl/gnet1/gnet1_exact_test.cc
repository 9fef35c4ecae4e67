// SPDX-License-Identifier: Apache-2.0
// What makes the co-simulation fast changes nothing: runs with and without it, each in a process of
// its own, give the same.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "tests/unit/times.h"

#include "tests/rtl/gnet1/gnet1_rig.h"

namespace longhaul::cosim {
namespace {

using test::Gnet1Rig;
using test::make_frame;
using test::number_of;
using test::station;
namespace regs = wan::gnet1_regs;

struct Way {
  bool run_ahead;
  bool gating;
};

/// Everything that can be seen from outside: frames, their times, register values and the times of
/// their reads.
std::vector<std::uint64_t> run(Way way, bool off) {
  wan::Gnet1Params params;
  params.clock_ppm.value = off ? -20 : 0;
  const std::array<double, 4> ppm{100, -80, 3.7, -61};
  for (std::size_t i = 0; i < 4; ++i) {
    params.ports[i].partner_ppm.value = off ? ppm[i] : 0;
    params.ports[i].delay.value = from_ps(i * 7 * kUs);
    params.ports[i].bit_error_rate.value = {i == 2 ? 1e-5 : 0};
  }
  Gnet1Rig rig(params);
  rig.box.block().set_gating(way.gating);
  if (!way.run_ahead) rig.box.block().set_run_ahead(sc_core::SC_ZERO_TIME);
  std::mt19937 random(7);
  for (auto& host : rig.hosts) {
    std::uint64_t at = 0;
    for (std::uint32_t n = 0; n < 40; ++n) {
      at += n % 8 < 5 ? 0 : random() % (30 * kUs);  // bursts and gaps
      host->send(make_frame(64 + random() % 1000, station(1), station(2), n), at);
    }
  }
  std::vector<std::uint64_t> seen;
  rig.master.program = [&] {
    for (int i = 0; i < 20; ++i) {
      sc_core::wait(from_ps(random() % (20 * kUs)));
      rig.master.write(regs::port_base(1) + regs::kDelay, static_cast<std::uint32_t>(i) * 10 << 5);
      seen.push_back(rig.master.read(regs::kTime));
      seen.push_back(now_ps());
    }
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::uint32_t n = 0; n < regs::kCounterCount; ++n) {
        seen.push_back(rig.master.counter(i, static_cast<regs::Counter>(n)));
      }
    }
  };
  test::run_until(900 * kUs);
  for (auto& host : rig.hosts) {
    seen.push_back(host->arrivals.size());
    for (const test::Arrival& arrival : host->arrivals) {
      seen.insert(seen.end(), {arrival.at_ps, number_of(*arrival.frame), arrival.frame->fcs(),
                               arrival.frame->size()});
    }
  }
  return seen;
}

/// run() in a child: SystemC elaborates once in a process.
std::vector<std::uint64_t> run_apart(Way way, bool off) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    const std::vector<std::uint64_t> seen = run(way, off);
    const auto* bytes = reinterpret_cast<const char*>(seen.data());
    const std::size_t size = seen.size() * sizeof seen[0];
    for (std::size_t done = 0; done < size;) {
      const ssize_t wrote = ::write(ends[1], bytes + done, size - done);
      if (wrote <= 0) break;
      done += static_cast<std::size_t>(wrote);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::vector<char> bytes;
  std::array<char, 4096> piece{};
  for (ssize_t got = 0; (got = ::read(ends[0], piece.data(), piece.size())) > 0;) {
    bytes.insert(bytes.end(), piece.begin(), piece.begin() + got);
  }
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  std::vector<std::uint64_t> seen(bytes.size() / sizeof(std::uint64_t));
  std::memcpy(seen.data(), bytes.data(), seen.size() * sizeof seen[0]);
  return seen;
}

void compare(bool off) {
  const std::vector<std::uint64_t> plain = run_apart({false, false}, off);
  ASSERT_GT(plain.size(), 4U * 38 * 4);
  EXPECT_EQ(run_apart({true, false}, off), plain) << "running ahead";
  EXPECT_EQ(run_apart({false, true}, off), plain) << "receive clocks that rest";
  EXPECT_EQ(run_apart({true, true}, off), plain) << "both";
}

TEST(Gnet1Exact, RunningAheadAndRestingClocksChangeNothing) { compare(false); }
TEST(Gnet1Exact, NorWithClocksThatAreOff) { compare(true); }

}  // namespace
}  // namespace longhaul::cosim
