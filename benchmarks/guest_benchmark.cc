// SPDX-License-Identifier: Apache-2.0
// What an exchange with a guest costs: two switches between processes on one core, and what the
// simulator does in between. The guest is the unit tests' fake one, so the figures are the
// coupling's own, without a kernel's.
#include <benchmark/benchmark.h>
#include <sched.h>
#include <stdlib.h>
#include <tlm_utils/simple_target_socket.h>

#include <filesystem>
#include <memory>
#include <systemc>

#include "platform/guest/guest_cpu.h"

namespace longhaul::bench {
namespace {

constexpr std::uint64_t kPeriodPs = 1'000'000;
const sc_core::sc_time kSlice{1, sc_core::SC_MS};

/// A bridge that answers a read after a microsecond.
struct Surroundings : sc_core::sc_module {
  tlm_utils::simple_target_socket<Surroundings> bus{"bus"};
  explicit Surroundings(const sc_core::sc_module_name& name) : sc_module(name) {
    bus.register_b_transport(this, &Surroundings::access);
  }
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    sc_core::wait(from_ps(kPeriodPs));
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

struct Silence final : guest::GuestListener {
  void on_phase(const std::string&, const std::string&) override {}
  void on_report(const std::string&, const std::string&, const std::string&) override {}
  void on_power_off(const std::string&, guest::PowerOff) override {}
  void on_suspended(const std::string&, bool) override {}
  void on_failure(const std::string&, std::exception_ptr failure) override {
    std::rethrow_exception(failure);
  }
  bool should_stop() override { return false; }
};

/// A machine of nothing but a core and the fake guest that does LONGHAUL_BENCH_LOOP.
struct Guest {
  Surroundings around{"around"};
  cpu::Core core{"core", {}};
  guest::InterruptController interrupts{"interrupts"};
  Silence silence;
  std::unique_ptr<guest::GuestCpu> cpu;

  Guest() {
    std::string dir = (std::filesystem::temp_directory_path() / "longhaul-bench-XXXXXX").string();
    guest::GuestOptions options;
    options.name = "guest";
    options.kernel = LONGHAUL_FAKE_GUEST;
    options.root = "/";
    options.work_dir = mkdtemp(dir.data());
    options.arguments = {"do=" LONGHAUL_BENCH_LOOP};
    options.memory = units::MiB(16);
    core.core_initiator.bind(around.bus);
    cpu = std::make_unique<guest::GuestCpu>("guest", options, core, interrupts, silence);
    sc_core::sc_spawn([this] { interrupt_thread(); });  // only a guest that sleeps takes notice
  }
  ~Guest() { std::filesystem::remove_all(cpu->process().options().work_dir); }

 private:
  void interrupt_thread() {
    for (;;) {
      sc_core::wait(from_ps(kPeriodPs));
      interrupts.msi(LH_MSI_BASE, 0);
    }
  }
};

Guest* current_guest(Guest* set = nullptr) {
  static Guest* current = nullptr;
  if (set != nullptr) current = set;
  return current;
}

/// Advances simulated time in slices; counts the guest's exchanges.
void LONGHAUL_BENCH_NAME(benchmark::State& state) {
  const guest::GuestCpu& cpu = *current_guest()->cpu;
  const std::uint64_t before = cpu.exchanges.value();
  for (auto _ : state) sc_core::sc_start(kSlice);
  const auto exchanges = static_cast<double>(cpu.exchanges.value() - before);
  state.counters["exchanges"] = benchmark::Counter(exchanges, benchmark::Counter::kIsRate);
  state.counters["each"] =
      benchmark::Counter(exchanges, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
#define LONGHAUL_BENCH_TEXT(name) #name
#define LONGHAUL_BENCH(name) BENCHMARK(name)->Name(LONGHAUL_BENCH_TEXT(name))
LONGHAUL_BENCH(LONGHAUL_BENCH_NAME)->Unit(benchmark::kMillisecond)->UseRealTime();

/// Simulator and guest share a core, as in a run.
void stay_on_this_core() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof(one), &one);
}

}  // namespace
}  // namespace longhaul::bench

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  longhaul::bench::stay_on_this_core();
  longhaul::bench::Guest guest;
  longhaul::bench::current_guest(&guest);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
