// SPDX-License-Identifier: Apache-2.0
// What a modelled kernel costs its user: a payment by a process, and an interrupt that raises a
// softirq that wakes a process.
#include <benchmark/benchmark.h>
#include <tlm_utils/simple_target_socket.h>

#include <systemc>

#include "models/host/kernel/process.h"

namespace longhaul::bench {
namespace {

enum class Load { kNone, kPays, kRounds };

struct Machine final : sc_core::sc_module, host::InterruptHandler, host::Softirq {
  cpu::Core core{"core", cpu::CoreParams{}, units::MiB(1)};
  tlm_utils::simple_target_socket<Machine> bus{"bus"};
  host::Processor processor{"processor", core, host::KernelParams{}};
  host::WaitQueue queue;
  Load load = Load::kNone;
  std::uint64_t done = 0;
  sc_core::sc_event next_round_event{"next_round_event"};

  struct Program final : host::Process {
    Machine& machine;
    Program(const sc_core::sc_module_name& name, Machine& of)
        : Process(name, of.processor), machine(of) {}
    void main() override {
      for (;;) {
        if (machine.load == Load::kPays) {
          processor().execute(1000);
          processor().pay();
          ++machine.done;
        } else {
          const Syscall call(*this);
          processor().execute(500);
          wait(machine.queue);
        }
      }
    }
  };
  Program program{"program", *this};

  explicit Machine(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Machine);
    core.core_initiator.bind(bus);
    processor.add_handler(1, *this);
    SC_METHOD(device_method);
    sensitive << next_round_event;
    dont_initialize();
  }
  void device_method() {
    processor.message(1);
    if (load == Load::kRounds) next_round_event.notify(10, sc_core::SC_US);
  }
  bool interrupt() override {
    processor.raise(*this);
    return true;
  }
  bool run() override {
    processor.execute(500);
    queue.wake_all();
    ++done;
    return false;
  }
  void start(Load next) {
    load = next;
    next_round_event.notify(10, sc_core::SC_US);
    sc_core::sc_start(1, sc_core::SC_MS);
    done = 0;
  }
};

Machine* machine = nullptr;

void advance(benchmark::State& state, Load load) {
  machine->start(load);
  for (auto _ : state) sc_core::sc_start(1, sc_core::SC_MS);
  state.SetItemsProcessed(static_cast<std::int64_t>(machine->done));
  state.counters["each"] =
      benchmark::Counter(static_cast<double>(machine->done),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  machine->load = Load::kNone;
  sc_core::sc_start(1, sc_core::SC_MS);
}
void BM_Rounds(benchmark::State& state) { advance(state, Load::kRounds); }
void BM_Pays(benchmark::State& state) { advance(state, Load::kPays); }
BENCHMARK(BM_Rounds);
BENCHMARK(BM_Pays);

}  // namespace
}  // namespace longhaul::bench

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  longhaul::bench::Machine design("machine");
  longhaul::bench::machine = &design;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
