// SPDX-License-Identifier: Apache-2.0
// What two processes on one core pay to take turns, without simulator and guest: the least that an
// exchange by processes can cost on this machine.
#include <benchmark/benchmark.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace longhaul::bench {
namespace {

enum Side : std::uint32_t { kHere, kThere };

/// The page that the two share.
struct Shared {
  std::atomic<std::uint32_t> turn{kHere};
};

void check(bool well, const char* what) {
  if (well) return;
  std::perror(what);
  std::exit(1);
}

/// Gives the turn away and sleeps until it is back, as simulator and guests do.
void hand_over_by_futex(Shared& shared, Side me) {
  const Side other = me == kHere ? kThere : kHere;
  shared.turn.store(other);
  syscall(SYS_futex, &shared.turn, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  while (shared.turn.load() != me)
    syscall(SYS_futex, &shared.turn, FUTEX_WAIT, other, nullptr, nullptr, 0);
}

/// Never sleeps: a program beside it on its core would get the core for a whole time slice at each
/// turn.
void hand_over_by_yield(Shared& shared, Side me) {
  shared.turn.store(me == kHere ? kThere : kHere);
  while (shared.turn.load() != me) sched_yield();
}

using HandOver = void (*)(Shared&, Side);

/// A round trip: two hand-overs.
void round_trip(benchmark::State& state, HandOver hand_over) {
  void* page =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  check(page != MAP_FAILED, "mmap");
  auto& shared = *new (page) Shared;
  const pid_t there = fork();
  check(there >= 0, "fork");
  if (there == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (shared.turn.load() != kThere) sched_yield();
    for (;;) hand_over(shared, kThere);
  }
  for (auto _ : state) hand_over(shared, kHere);
  kill(there, SIGKILL);
  waitpid(there, nullptr, 0);
  munmap(page, sizeof(Shared));
}

void system_call(benchmark::State& state) {
  for (auto _ : state) syscall(SYS_getppid);
}

BENCHMARK(system_call);
BENCHMARK_CAPTURE(round_trip, futex, hand_over_by_futex)->UseRealTime();
BENCHMARK_CAPTURE(round_trip, yield, hand_over_by_yield)->UseRealTime();

void stay_on_this_core() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  check(sched_setaffinity(0, sizeof(one), &one) == 0, "sched_setaffinity");
}

}  // namespace
}  // namespace longhaul::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  longhaul::bench::stay_on_this_core();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
