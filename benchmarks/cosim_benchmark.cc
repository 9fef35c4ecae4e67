// SPDX-License-Identifier: Apache-2.0
// Cost of the glue: the GNET-1 RTL in SystemC against the bare Verilated model with the same
// inputs at each evaluation.
//
// The inputs are recorded while the wrapped box carries traffic, then played to a fresh model
// without SystemC, transactors or memories. overhead_pct: CPU time of the wrapped box over that of
// the bare model, for as many evaluations. Rates are a CPU second's.
#include <benchmark/benchmark.h>
#include <array>
#include <cstring>
#include <ctime>
#include <memory>
#include <systemc>
#include <vector>

#include "models/net/eth.h"
#include "models/net/frame/ethernet_header.h"
#include "rtl/gnet1/box/gnet1_rtl.h"

namespace longhaul::bench {
namespace {

using cosim::Gnet1Model;
using cosim::Gnet1Pins;

constexpr std::uint64_t kBytePs = 8'000;
constexpr std::uint64_t kSlicePs = 100'000'000;  // 100 us: one iteration

/// All inputs of gnet1_top at one evaluation, as Verilator keeps them.
struct Inputs {
  std::uint64_t ps = 0;
  std::array<std::uint64_t, 4> sram_rdata{};
  std::uint32_t rxd = 0;
  std::uint32_t bus_wdata = 0;
  std::uint16_t bus_address = 0;
  std::uint8_t clocks = 0;
  std::uint8_t rx_clk = 0;
  std::uint8_t rx_dv = 0;
  std::uint8_t rx_er = 0;
  std::uint8_t bus = 0;

  static Inputs of(const Gnet1Pins& pins) {
    Inputs in;
    for (std::size_t i = 0; i < in.sram_rdata.size(); ++i)
      in.sram_rdata[i] = pins.sram[i].read_data.get();
    std::memcpy(&in.rxd, pins.gmii_rx[0].data, sizeof in.rxd);
    in.bus_wdata = pins.bus.write_data.get();
    in.bus_address = static_cast<std::uint16_t>(pins.bus.address.get());
    in.clocks = static_cast<std::uint8_t>(*pins.clk_31m25.byte | *pins.clk_62m5.byte << 1 |
                                          *pins.clk_125m.byte << 2 | *pins.arst_n.byte << 3);
    in.rx_clk = *pins.rx_clk[0].byte;
    in.rx_dv = *pins.gmii_rx[0].valid.byte;
    in.rx_er = *pins.gmii_rx[0].error.byte;
    in.bus = static_cast<std::uint8_t>(*pins.bus.select.byte | *pins.bus.write.byte << 1);
    return in;
  }
  void apply(Gnet1Pins& pins) const {
    for (std::size_t i = 0; i < sram_rdata.size(); ++i) pins.sram[i].read_data.set(sram_rdata[i]);
    std::memcpy(pins.gmii_rx[0].data, &rxd, sizeof rxd);
    pins.bus.write_data.set(bus_wdata);
    pins.bus.address.set(bus_address);
    *pins.clk_31m25.byte = clocks & 1U;
    *pins.clk_62m5.byte = clocks >> 1U & 1U;
    *pins.clk_125m.byte = clocks >> 2U & 1U;
    *pins.arst_n.byte = clocks >> 3U & 1U;
    *pins.rx_clk[0].byte = rx_clk;
    *pins.gmii_rx[0].valid.byte = rx_dv;
    *pins.gmii_rx[0].error.byte = rx_er;
    *pins.bus.select.byte = bus & 1U;
    *pins.bus.write.byte = bus >> 1U & 1U;
  }
};

/// Stands between the scheduler and the model, and notes the inputs of each evaluation while it is
/// asked to.
class Recorder final : public cosim::RtlModel {
 public:
  explicit Recorder(Gnet1Model model) : model_(std::move(model)) {}
  void eval(std::uint64_t ps) override {
    if (recording) {
      log.push_back(Inputs::of(model_.pins));
      log.back().ps = ps;
    }
    model_.rtl->eval(ps);
  }
  const Gnet1Pins& pins() const { return model_.pins; }
  std::vector<Inputs> log;
  bool recording = true;

 private:
  Gnet1Model model_;
};

/// The device at a port: frames of 1518 B with the least gap, or none; takes what comes.
class Partner final : public sc_core::sc_module, public EthTransmitter {
 public:
  Partner(const sc_core::sc_module_name& name, EthPort& port)
      : sc_module(name), frame_(Frame::allocate(1514)), port_(port) {
    port.eth_tx.bind(*this);
    std::memset(frame_.writable().data(), 0x5a, 1514);
    SC_HAS_PROCESS(Partner);
    SC_METHOD(send_method);
  }
  sc_core::sc_time transmit(const FrameRef&) override { return sc_core::SC_ZERO_TIME; }
  void sent(const FrameRef&) override { ++taken; }
  bool carrier() const override { return true; }
  void enable(bool) override {}
  BitRate mac_rate() const override { return {1'000'000'000}; }

  bool sends = false;
  std::uint64_t taken = 0;

 private:
  void send_method() {
    EthReceiver& receiver = port_.eth_rx;
    if (sends) receiver.begin(frame_);
    next_trigger(from_ps((8 + 1518 + 12) * kBytePs));
  }
  FrameRef frame_;
  EthPort& port_;
};

struct Bench {
  Recorder* recorder = nullptr;  // the box's
  std::unique_ptr<cosim::Gnet1Rtl> box;
  std::vector<std::unique_ptr<Partner>> partners;

  explicit Bench(const char* name) {
    box = std::make_unique<cosim::Gnet1Rtl>(name);
    box->set_model_source([this] {
      auto between = std::make_unique<Recorder>(cosim::make_gnet1_model());
      recorder = between.get();
      const Gnet1Pins pins = between->pins();
      return Gnet1Model{std::move(between), pins};
    });
    for (std::size_t i = 0; i < 4; ++i) {
      partners.push_back(
          std::make_unique<Partner>(("partner" + std::to_string(i)).c_str(), box->port(i)));
    }
  }
  void load(bool on) {
    for (auto& partner : partners) partner->sends = on;
  }
};

Bench* bench = nullptr;

/// Time that this process has had of a core: the machine may be busy with other things.
double cpu_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

double bare_ns_an_evaluation = 0;

void report(benchmark::State& state, double evaluations) {
  const double slices = static_cast<double>(state.iterations());
  state.counters["clocks_125MHz/s"] =
      benchmark::Counter(slices * kSlicePs / kBytePs, benchmark::Counter::kIsRate);
  state.counters["evals/s"] = benchmark::Counter(evaluations, benchmark::Counter::kIsRate);
}

void run_wrapped(benchmark::State& state, bool load) {
  bench->load(load);
  bench->recorder->recording = false;
  sc_core::sc_start(from_ps(kSlicePs));
  const std::uint64_t before = bench->box->block().evaluations();
  const double start = cpu_ns();
  for (auto _ : state) sc_core::sc_start(from_ps(kSlicePs));
  const double took_ns = cpu_ns() - start;
  const auto evaluations = static_cast<double>(bench->box->block().evaluations() - before);
  report(state, evaluations);
  if (load && bare_ns_an_evaluation > 0) {
    state.counters["overhead_pct"] = (took_ns / evaluations / bare_ns_an_evaluation - 1) * 100;
  }
}

void BM_WrappedFullRate(benchmark::State& state) { run_wrapped(state, true); }
void BM_WrappedIdle(benchmark::State& state) { run_wrapped(state, false); }

/// The recorded slice: reset and registers, then four ports at full rate.
void BM_BareFullRate(benchmark::State& state) {
  const std::vector<Inputs>& log = bench->recorder->log;
  double evaluations = 0;
  double took_ns = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Gnet1Model model = cosim::make_gnet1_model();
    std::size_t i = 0;
    for (; log[i].ps < bench->box->block().zero_ps() + kSlicePs; ++i) {
      log[i].apply(model.pins);
      model.rtl->eval(log[i].ps);
    }
    evaluations += static_cast<double>(log.size() - i);
    state.ResumeTiming();
    const double start = cpu_ns();
    for (; i < log.size(); ++i) {
      log[i].apply(model.pins);
      model.rtl->eval(log[i].ps);
    }
    took_ns += cpu_ns() - start;
  }
  bare_ns_an_evaluation = took_ns / evaluations;
  report(state, evaluations);
}
BENCHMARK(BM_BareFullRate)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_WrappedFullRate)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_WrappedIdle)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace longhaul::bench

int sc_main(int argc, char** argv) {
  using namespace longhaul::bench;
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  Bench design("box");
  bench = &design;
  design.load(true);
  sc_core::sc_start(longhaul::from_ps(
      2 * kSlicePs));  // recorded: the second slice is what the bare model is timed with
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
