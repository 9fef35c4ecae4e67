// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "models/host/net/stack.h"
#include "models/host/net/stream_socket.h"
#include "models/memory/backing_store.h"
#include "tests/unit/models/host/kernel/kernel_fixture.h"
#include "tests/unit/models/host/net/fake_device.h"

namespace longhaul::host::testing {

/// What a test may change before it builds the two hosts.
struct RigParams {
  KernelParams kernel = round_kernel();
  NetParams net;
  tcp::TcpParams tcp;
  FakeDeviceParams device;
  Bytes memory = units::MiB(64);
  std::uint32_t processors = 1;
};

/// A Linux of 2004, as far as the stack's tests are concerned.
inline RigParams linux_rig() {
  RigParams params;
  params.kernel.tick_cycles.value = 0;
  params.tcp.cwnd_unit.value = "segments";
  params.tcp.rto_min.value = {200, sc_core::SC_MS};
  params.tcp.delayed_ack.value = {40, sc_core::SC_MS};
  params.tcp.time_wait.value = {1, sc_core::SC_SEC};
  params.tcp.window_start.value = 4;
  return params;
}

/// Sets the parameters that ask for a discipline (models/host/net/README.md#disciplines).
inline void ask_for(NetParams& params, const std::string& discipline) {
  params.walks_chains.value = discipline == "bsd";
  params.send_by_call.value = params.posted_reads.value = discipline == "afd";
  params.reader_acks.value = discipline == "linux-2.4";
  params.prequeue.value = discipline == "linux-2.6" || discipline == "linux-2.4";
}

/// A host: processors, memory, timers, a stack with one interface (10.0.0.n, fd00::n) on a fake
/// device.
struct RigHost {
  std::vector<std::unique_ptr<Cpu>> cpus;
  memory::BackingStore store;
  MemoryPool pool;
  std::unique_ptr<TickTimers> timers;
  Stack stack;
  FakeDevice device;

  RigHost(const std::string& name, const RigParams& params, std::uint8_t n);
  Processor& processor(std::size_t i = 0) { return cpus[i]->processor; }
  Interface& interface() { return stack.interface(0); }

 private:
  static std::vector<std::unique_ptr<Cpu>> make_cpus(const std::string& name,
                                                     const RigParams& params);
  std::vector<Processor*> processors();
};

/// Two hosts joined by their devices, and programs on them.
struct NetTest : ::testing::Test {
  RigParams params = linux_rig();
  std::unique_ptr<RigHost> a;
  std::unique_ptr<RigHost> b;
  std::vector<std::unique_ptr<Program>> programs;
  Log log;

  void build();
  void build(const RigParams& for_a, const RigParams& for_b);
  Program& program(RigHost& host, const std::string& name, Program::Body body, std::size_t cpu = 0);
  static Address address(std::uint8_t n, std::uint16_t port = 5001, bool ipv6 = false);
  static void run_until(std::uint64_t ps) { sc_core::sc_start(from_ps(ps - now_ps())); }
  /// Sends `total` bytes in verify mode from a to b in calls of `write` bytes, reads them in calls
  /// of `read`; the test runs it.
  struct Transfer {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    bool sender_done = false;
    bool receiver_done = false;
    std::optional<std::uint64_t> mismatch;
    std::uint64_t finished_ps = 0;
    std::uint64_t send_buffer = 0;  // setsockopt(); 0: the system's own
    std::uint64_t receive_buffer = 0;
    std::uint64_t pause_ps = 0;  // of the reader between calls
    bool verify = true;
    bool ipv6 = false;
    std::uint16_t port = 5001;
    std::size_t sender_cpu = 0;
    std::size_t receiver_cpu = 0;
    TcpSocket* sender = nullptr;  // while it lives
    TcpSocket* receiver = nullptr;
  };
  void transfer(Transfer& plan, std::uint64_t total, std::uint64_t write, std::uint64_t read);
  /// Every buffer has been given back, on both hosts, apart from the programs' own.
  void expect_no_leak();
  std::uint64_t user_a = 0;  // what programs allocated
  std::uint64_t user_b = 0;
  std::uint64_t allocate(RigHost& host, std::uint64_t bytes);
};

}  // namespace longhaul::host::testing
