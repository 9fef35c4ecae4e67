// SPDX-License-Identifier: Apache-2.0
// The cost of a segment to the simulator in two offload engines with their MACs and a cable,
// without buses and hosts. It is the wall time from a host's message to the other host's. ACKs are
// in it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>

#include "models/common/event_queue.h"
#include "tests/unit/models/toe/stream_pair.h"

namespace longhaul::toe {
namespace {

constexpr std::uint64_t kMs = 1'000'000'000;

std::unique_ptr<StreamPair> zeros;
std::unique_ptr<StreamPair> bytes;

void pass(std::uint64_t ps) {
  EventQueue::get().go_ahead(now_ps() + ps);
  sc_core::sc_start(from_ps(ps));
}

void run(benchmark::State& state, StreamPair& pair, bool elided) {
  FrameRef piece = Frame::allocate(StreamHost::kPiece);
  Frame& content = piece.writable();
  if (elided) {
    content.leave_blank(0);
  } else {
    std::fill(content.data(), content.data() + content.size(), std::uint8_t{1});
  }
  pair.a.stream(piece, 1U << 20U);
  pass(250 * kMs);  // the first window is one segment, whose ACK is delayed by 200 ms
  const observe::Counter& segments = pair.b.adapter.engine.probes.rx_segments;
  const observe::Counter& acks = pair.a.adapter.engine.probes.rx_segments;
  const std::uint64_t segments_before = segments.value();
  const std::uint64_t acks_before = acks.value();
  const std::uint64_t bytes_before = pair.b.received;
  const std::uint64_t begin_ps = now_ps();
  for (auto unused : state) pass(kMs);
  const auto count = static_cast<double>(segments.value() - segments_before);
  state.SetItemsProcessed(static_cast<std::int64_t>(count));
  state.counters["ns_per_segment"] =
      benchmark::Counter(count * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["acks_per_segment"] = static_cast<double>(acks.value() - acks_before) / count;
  state.counters["gbps"] = static_cast<double>(pair.b.received - bytes_before) * 8000.0 /
                           static_cast<double>(now_ps() - begin_ps);
  pair.a.stop();
  pass(50 * kMs);
}

void offloaded_zeros(benchmark::State& state) { run(state, *zeros, true); }
void offloaded_bytes(benchmark::State& state) { run(state, *bytes, false); }

BENCHMARK(offloaded_zeros)->Iterations(100)->Unit(benchmark::kMillisecond);
BENCHMARK(offloaded_bytes)->Iterations(100)->Unit(benchmark::kMillisecond);

}  // namespace

/// SystemC elaborates once: both pairs are there, one of them is busy.
void elaborate() {
  zeros = std::make_unique<StreamPair>(ToeParams{}, "zeros");
  bytes = std::make_unique<StreamPair>(ToeParams{}, "bytes");
}

}  // namespace longhaul::toe

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  longhaul::toe::elaborate();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
