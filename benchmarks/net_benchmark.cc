// SPDX-License-Identifier: Apache-2.0
// What a segment costs the simulator in the protocol stacks of two modelled hosts: wall time from a
// write to a read, both hosts, without adapters, buses and memory. A transfer's ACKs are in it.
#include <benchmark/benchmark.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <string>

#include "models/host/kernel/tick_timers.h"
#include "models/host/net/stack.h"
#include "models/memory/backing_store.h"
#include "tests/unit/models/host/net/fake_device.h"

namespace longhaul::host {
namespace {

constexpr std::uint64_t kMs = 1'000'000'000;
constexpr std::uint64_t kUserBytes = 65536;

struct Bus : sc_core::sc_module {
  tlm_utils::simple_target_socket<Bus> target{"target"};
  explicit Bus(const sc_core::sc_module_name& name) : sc_module(name) {
    target.register_b_transport(this, &Bus::access);
  }
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

struct Host {
  KernelParams kernel;
  cpu::Core core;
  Bus bus;
  Processor processor;
  memory::BackingStore store;
  MemoryPool pool;
  TickTimers timers;
  Stack stack;
  testing::FakeDevice device;

  Host(const std::string& name, const NetParams& net, const tcp::TcpParams& tcp,
       const testing::FakeDeviceParams& wire, std::uint8_t n)
      : core((name + "_core").c_str(), cpu::CoreParams{}, units::MiB(1)),
        bus((name + "_bus").c_str()),
        processor((name + "_cpu").c_str(), core, kernel),
        store(units::MiB(256), name),
        pool(store.mapping(), 4096, 1),
        timers((name + "_timers").c_str(), {&processor}),
        stack((name + "_stack").c_str(), net, tcp, pool, timers),
        device((name + "_device").c_str(), processor, pool, wire, n) {
    core.core_initiator.bind(bus.target);
    InterfaceAddresses addresses;
    addresses.ipv4 = address_from("10.0.0." + std::to_string(n), 0, "benchmark");
    Interface& interface = stack.add_interface(addresses);
    interface.attach(device);
  }
};

class Sender final : public Process {
 public:
  bool go = false;
  Sender(const sc_core::sc_module_name& name, Host& host)
      : Process(name, host.processor), host_(host) {}

 private:
  void main() override {
    const std::uint64_t user = host_.pool.allocate(kUserBytes);
    const auto socket = host_.stack.tcp_socket();
    while (!go) {
      const Syscall call(*this);
      sleep(kMs);
    }
    socket->connect(*this, address_from("10.0.0.2", 5001, "benchmark"));
    while (go) socket->send(*this, user, kUserBytes);
    socket->close(*this);
  }
  Host& host_;
};

class Reader final : public Process {
 public:
  Reader(const sc_core::sc_module_name& name, Host& host)
      : Process(name, host.processor), host_(host) {}

 private:
  void main() override {
    const std::uint64_t user = host_.pool.allocate(kUserBytes);
    const auto listener = host_.stack.tcp_socket();
    listener->listen(*this, 5001, 5);
    const auto socket = listener->accept(*this);
    while (socket->receive(*this, user, kUserBytes) != 0) {
    }
    socket->close(*this);
  }
  Host& host_;
};

struct Pair {
  Host a;
  Host b;
  Sender sender;
  Reader reader;

  Pair(const std::string& name, const testing::FakeDeviceParams& wire)
      : a(name + "_a", net(), tcp(), wire, 1),
        b(name + "_b", net(), tcp(), wire, 2),
        sender((name + "_sender").c_str(), a),
        reader((name + "_reader").c_str(), b) {
    a.device.join(b.device);
    b.device.join(a.device);
  }
  static NetParams net() {
    NetParams params;
    params.send_buffer.value = units::MiB(4);
    params.receive_buffer.value = units::MiB(4);
    return params;
  }
  static tcp::TcpParams tcp() {
    tcp::TcpParams params;
    params.cwnd_unit.value = "segments";
    params.window_start.value = 4;
    params.delayed_ack.value = {40, sc_core::SC_MS};
    return params;
  }
};

testing::FakeDeviceParams wire(std::uint32_t mtu, std::uint32_t buffer_bytes) {
  testing::FakeDeviceParams params;
  params.mtu = mtu;
  params.buffer_bytes = buffer_bytes;
  return params;
}

std::unique_ptr<Pair> standard;
std::unique_ptr<Pair> jumbo;

void run(benchmark::State& state, Pair& pair) {
  pair.sender.go = true;
  sc_core::sc_start(from_ps(50 * kMs));
  const std::uint64_t before = pair.b.stack.segments_in.value();
  const std::uint64_t acks_before = pair.a.stack.segments_in.value();
  const std::uint64_t begin_ps = now_ps();
  const std::uint64_t bytes_before = pair.b.stack.data_bytes_in.value();
  for (auto unused : state) sc_core::sc_start(from_ps(kMs));
  const std::uint64_t segments = pair.b.stack.segments_in.value() - before;
  state.SetItemsProcessed(static_cast<std::int64_t>(segments));
  state.counters["ns_per_segment"] =
      benchmark::Counter(static_cast<double>(segments) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["acks_per_segment"] =
      static_cast<double>(pair.a.stack.segments_in.value() - acks_before) /
      static_cast<double>(segments);
  state.counters["gbps"] = static_cast<double>(pair.b.stack.data_bytes_in.value() - bytes_before) *
                           8000.0 / static_cast<double>(now_ps() - begin_ps);
  pair.sender.go = false;
}

void standard_frames(benchmark::State& state) { run(state, *standard); }
void jumbo_frames(benchmark::State& state) { run(state, *jumbo); }

BENCHMARK(standard_frames)->Iterations(300)->Unit(benchmark::kMillisecond);
BENCHMARK(jumbo_frames)->Iterations(300)->Unit(benchmark::kMillisecond);

}  // namespace

/// SystemC elaborates once: both pairs are there, one of them is busy.
void elaborate() {
  standard = std::make_unique<Pair>("standard", wire(1500, 2048));
  jumbo = std::make_unique<Pair>("jumbo", wire(9198, 16384));
}

}  // namespace longhaul::host

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  longhaul::host::elaborate();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
