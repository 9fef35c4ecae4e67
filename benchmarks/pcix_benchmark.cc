// SPDX-License-Identifier: Apache-2.0
// Wall time of bus transactions: one device behind PCI-X 64/133, the AMD-8131 and the memory of an
// Opteron, as in a machine.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "benchmarks/pcix_bench.h"
#include "models/common/event_queue.h"
#include "models/cpu/core.h"
#include "models/memory/memory_system.h"
#include "models/pcix/host_bridge.h"
#include "models/pcix/pcix_bus.h"

namespace longhaul::bench {
namespace {

constexpr pcix::ConfigIdentity kIdentity{0x8086, 0x1a48, 0, 0x020000, 0x8086, 1, 0xe4, 0xf0, 4096};

/// Keeps asking for transfers of one size while switched on: reads, writes, or both as a NIC with
/// traffic both ways has them.
class Streamer final : public pcix::PcixDevice, public pcix::DmaClient {
 public:
  Reg32 status{bank(), "STATUS", 0x8, 3, Access::kReadOnly};
  explicit Streamer(const sc_core::sc_module_name& name) : PcixDevice(name, 4096, kIdentity, {}) {
    config().write(0x10, 4, 0xf000'0000);
    config().write(0x04, 2, 6);
  }
  void start(std::uint32_t bytes, bool reads, bool writes) {
    bytes_ = bytes;
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (reads) dma_done(i, pcix::DmaStatus::kOk);
      if (writes) dma_done(8 + i, pcix::DmaStatus::kOk);
    }
  }
  void stop() { bytes_ = 0; }
  void dma_done(std::uint64_t tag, pcix::DmaStatus) override {
    if (bytes_ == 0) return;
    if (tag < 8) {
      dma().read(0x1000 + tag * 0x4000, &buffer_[tag * 0x4000], bytes_, this, tag);
    } else {
      dma().write(0x21000 + tag * 0x4000, &buffer_[tag * 0x4000], bytes_, this, tag);
    }
  }

 private:
  std::uint32_t bytes_ = 0;
  std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(16 * 0x4000, 1);
};

}  // namespace

struct PcixBench::Designs {
  memory::MemorySystem memory{"memory", memory::memory_preset("opteron_hdama", "memory"),
                              units::MiB(1)};
  pcix::PcixBus bus{"bus", pcix::BusParams{}, 8};
  pcix::HostBridge bridge{"bridge", pcix::HostBridgeParams{}};
  cpu::Core core{"core", cpu::CoreParams{}};
  Streamer device{"device"};
  sc_core::sc_event mmio_event{"mmio_event"};
  std::uint32_t mmio_left = 0;

  Designs() {
    core.core_initiator.bind(bridge.core_target);
    bridge.memory_initiator.bind(memory.dma_target);
    bridge.bus_socket.bind(bus.host_socket);
    bus.slot(1).bind(device.bus_socket);
    sc_core::sc_spawn([this] {
      for (;;) {
        while (mmio_left == 0) sc_core::wait(mmio_event);
        --mmio_left;
        benchmark::DoNotOptimize(core.read(0xf000'0008, 4));
      }
    });
  }
  std::uint64_t tenures() const {
    return bus.memory_writes.value() + bus.memory_reads.value() + bus.split_completions.value();
  }
};

PcixBench::PcixBench() : designs_(std::make_unique<Designs>()) {}
PcixBench::~PcixBench() = default;

const PcixBench* current_pcix(const PcixBench* set) {
  static const PcixBench* current = nullptr;
  if (set != nullptr) current = set;
  return current;
}

namespace {

enum class Pace { kWithKernel, kAhead };

/// Simulates 1 ms of traffic per iteration; reports wall per simulated second and transactions per
/// wall second.
void stream(benchmark::State& state, std::uint32_t bytes, std::uint32_t mmrbc_code, bool reads,
            bool writes, Pace pace = Pace::kWithKernel) {
  PcixBench::Designs& designs = current_pcix()->designs();
  designs.device.config().write(0xe6, 2, mmrbc_code << 2 | 3 << 4);
  designs.device.start(bytes, reads, writes);
  const std::uint64_t before = designs.tenures();
  const std::uint64_t bytes_before = designs.memory.dma_bytes.value();
  const sc_core::sc_time part(1, sc_core::SC_MS);
  for (auto _ : state) {
    if (pace == Pace::kAhead) EventQueue::get().go_ahead(now_ps() + to_ps(part));
    sc_core::sc_start(part);
  }
  const double simulated_s = static_cast<double>(state.iterations()) * 1e-3;
  state.counters["wall_s_per_s"] =
      benchmark::Counter(simulated_s, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["tenures"] = benchmark::Counter(static_cast<double>(designs.tenures() - before),
                                                 benchmark::Counter::kIsRate);
  state.counters["tenures_per_s"] = static_cast<double>(designs.tenures() - before) / simulated_s;
  state.counters["gbps"] =
      static_cast<double>(designs.memory.dma_bytes.value() - bytes_before) * 8e-9 / simulated_s;
  designs.device.stop();
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
}

void BM_PcixReads512(benchmark::State& state) { stream(state, 9216, 0, true, false); }
void BM_PcixReads4096(benchmark::State& state) { stream(state, 9216, 3, true, false); }
void BM_PcixWrites(benchmark::State& state) { stream(state, 9216, 0, false, true); }
void BM_PcixWrites64(benchmark::State& state) { stream(state, 64, 0, false, true); }
void BM_PcixReadsAndWrites512(benchmark::State& state) { stream(state, 9216, 0, true, true); }

void BM_PcixReads512Ahead(benchmark::State& state) {
  stream(state, 9216, 0, true, false, Pace::kAhead);
}
void BM_PcixReads4096Ahead(benchmark::State& state) {
  stream(state, 9216, 3, true, false, Pace::kAhead);
}

void BM_PcixMmioRead(benchmark::State& state) {
  PcixBench::Designs& designs = current_pcix()->designs();
  for (auto _ : state) {
    designs.mmio_left = 1000;
    designs.mmio_event.notify(sc_core::SC_ZERO_TIME);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 1000);
}

BENCHMARK(BM_PcixReads512)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_PcixReads4096)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_PcixWrites)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_PcixWrites64)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_PcixReadsAndWrites512)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_PcixReads512Ahead)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_PcixReads4096Ahead)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_PcixMmioRead)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace longhaul::bench
