// SPDX-License-Identifier: Apache-2.0
// What a call into the memory system costs, with what a 10-gigabit host asks for: DMA of 512 B and
// 9 KB copies, both at once.
#include <benchmark/benchmark.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <systemc>

#include "models/memory/memory_system.h"

namespace longhaul::bench {
namespace {

struct Bench : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Bench> dma{"dma"};
  memory::MemorySystem memory{"memory", memory::memory_preset("opteron_hdama", "memory"),
                              units::MiB(256)};
  explicit Bench(const sc_core::sc_module_name& name) : sc_module(name) {
    dma.bind(memory.dma_target);
  }

  void access(tlm::tlm_command command, std::uint32_t bytes) {
    payload_.set_command(command);
    payload_.set_address(dma_address_);
    payload_.set_data_ptr(data_.data());
    payload_.set_data_length(bytes);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    dma->b_transport(payload_, delay);
    benchmark::DoNotOptimize(delay);
    dma_address_ = (dma_address_ + bytes) % (64U << 20);
  }
  void stream(std::uint64_t bytes, bool write) {
    benchmark::DoNotOptimize(memory.stream({core_address_, bytes, write, 8}));
    core_address_ = (64U << 20) + (core_address_ + bytes) % (64U << 20);
  }

 private:
  tlm::tlm_generic_payload payload_;
  std::array<std::uint8_t, 4096> data_{};
  std::uint64_t dma_address_ = 0;
  std::uint64_t core_address_ = 0;
};

Bench* bench = nullptr;

void BM_DmaRead512(benchmark::State& state) {
  for (auto _ : state) bench->access(tlm::TLM_READ_COMMAND, 512);
}
void BM_DmaWrite64(benchmark::State& state) {
  for (auto _ : state) bench->access(tlm::TLM_WRITE_COMMAND, 64);
}
void BM_StreamOneLine(benchmark::State& state) {
  for (auto _ : state) bench->stream(64, false);
}
void BM_StreamFrame(benchmark::State& state) {
  for (auto _ : state) bench->stream(9216, false);
}
void BM_StreamMebibyte(benchmark::State& state) {
  for (auto _ : state) bench->stream(1U << 20, false);
}
void BM_CopyBesideDma(benchmark::State& state) {
  for (auto _ : state) {
    bench->stream(9216, false);
    bench->stream(9216, true);
    bench->access(tlm::TLM_READ_COMMAND, 512);
    bench->access(tlm::TLM_WRITE_COMMAND, 512);
    state.PauseTiming();
    sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_US));
    state.ResumeTiming();
  }
}
BENCHMARK(BM_DmaRead512);
BENCHMARK(BM_DmaWrite64);
BENCHMARK(BM_StreamOneLine);
BENCHMARK(BM_StreamFrame);
BENCHMARK(BM_StreamMebibyte);
BENCHMARK(BM_CopyBesideDma);

}  // namespace
}  // namespace longhaul::bench

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  longhaul::bench::Bench design("bench");
  longhaul::bench::bench = &design;
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
