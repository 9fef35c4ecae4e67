// SPDX-License-Identifier: Apache-2.0
// SystemC elaborates once per process: every benchmark finds its design in elaborate() and only
// advances the simulation.
#include "benchmarks/pcix_bench.h"

#include <benchmark/benchmark.h>

#include <systemc>

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  const longhaul::bench::PcixBench pcix;
  longhaul::bench::current_pcix(&pcix);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
