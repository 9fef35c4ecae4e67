// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/host/kernel/process.h"
#include "models/host/kernel/tick_timers.h"
#include "tests/unit/times.h"

namespace longhaul::host::testing {

/// A core of 1 GHz, so that a cycle is a nanosecond, whose costs are easy to tell apart.
inline cpu::CoreParams one_gigahertz() {
  cpu::CoreParams params;
  params.clock.value = {1'000'000'000};
  params.costs.user_syscall.value = 10;
  params.costs.syscall.value = 20;
  params.costs.byte_copied.value = 500;
  params.costs.interrupt.value = 100;
  params.costs.context_switch.value = 40;
  params.costs.list_step.value = 1000;
  return params;
}

/// Kernel code that takes a tenth of what the hardware does.
inline KernelParams round_kernel() {
  KernelParams params;
  params.tick_cycles.value = 1000;
  params.wakeup_cycles.value = 7;
  params.schedule_cycles.value = 4;
  params.irq_dispatch_cycles.value = 50;
  params.softirq_cycles.value = 3;
  return params;
}

/// A bus on which a read takes 345 ns and a write nothing.
struct Bus : sc_core::sc_module {
  tlm_utils::simple_target_socket<Bus> target{"target"};
  explicit Bus(const sc_core::sc_module_name& name) : sc_module(name) {
    target.register_b_transport(this, &Bus::access);
  }
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    if (payload.is_read()) EventQueue::get().pass(345 * kNs);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// What happened, and when: "12.5 name" in nanoseconds.
struct Log {
  std::vector<std::string> lines;
  void operator()(const std::string& what) {
    lines.push_back(std::to_string(now_ps() / kNs) + " " + what);
  }
};

/// A core with its bus and processor.
struct Cpu {
  cpu::Core core;
  Bus bus;
  Processor processor;
  Cpu(const std::string& name, const KernelParams& params)
      : core((name + "_core").c_str(), one_gigahertz(), units::MiB(1)),
        bus((name + "_bus").c_str()),
        processor(name.c_str(), core, params) {
    core.core_initiator.bind(bus.target);
  }
  std::uint64_t spent(cpu::CoreState state) const {
    return core.state.spent_ps(static_cast<std::size_t>(state));
  }
};

/// A program that is a function.
class Program final : public Process {
 public:
  using Body = std::function<void(Program&)>;
  Program(const sc_core::sc_module_name& name, Processor& processor, Body body)
      : Process(name, processor), body_(std::move(body)) {}
  void work(std::uint64_t cycles) {
    processor().execute(cycles);
    processor().pay();
  }

 private:
  void main() override { body_(*this); }
  Body body_;
};

struct Handler final : InterruptHandler {
  std::function<bool()> body;
  explicit Handler(std::function<bool()> does) : body(std::move(does)) {}
  bool interrupt() override { return body(); }
};

struct Soft final : Softirq {
  std::function<bool()> body;
  explicit Soft(std::function<bool()> does) : body(std::move(does)) {}
  bool run() override { return body(); }
};

struct Timer final : KernelTimer {
  std::function<void()> body;
  explicit Timer(std::function<void()> does) : body(std::move(does)) {}
  void expired() override { body(); }
};

/// One processor without a tick; a test adds what it needs and runs to a time.
struct KernelTest : ::testing::Test {
  KernelParams params = round_kernel();
  Log log;
  std::unique_ptr<Cpu> cpu;
  std::vector<std::unique_ptr<Program>> programs;

  Processor& build() {
    cpu = std::make_unique<Cpu>("cpu", params);
    return cpu->processor;
  }
  Program& program(const std::string& name, Program::Body body) {
    programs.push_back(std::make_unique<Program>(name.c_str(), cpu->processor, std::move(body)));
    return *programs.back();
  }
  /// Runs `what` at a time as no processor's code: a device.
  template <class What>
  void at(std::uint64_t ps, What what) {
    sc_core::sc_spawn([ps, what] {
      sc_core::wait(from_ps(ps));
      what();
    });
  }
  static void run_until(std::uint64_t ps) { sc_core::sc_start(from_ps(ps - now_ps())); }
};

}  // namespace longhaul::host::testing
