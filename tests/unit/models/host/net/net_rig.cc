// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/models/host/net/net_rig.h"

namespace longhaul::host::testing {

std::vector<std::unique_ptr<Cpu>> RigHost::make_cpus(const std::string& name,
                                                     const RigParams& params) {
  std::vector<std::unique_ptr<Cpu>> cpus;
  for (std::uint32_t i = 0; i < params.processors; ++i) {
    cpus.push_back(std::make_unique<Cpu>(name + "_cpu" + std::to_string(i), params.kernel));
  }
  return cpus;
}

std::vector<Processor*> RigHost::processors() {
  std::vector<Processor*> all;
  for (const auto& cpu : cpus) all.push_back(&cpu->processor);
  return all;
}

RigHost::RigHost(const std::string& name, const RigParams& params, std::uint8_t n)
    : cpus(make_cpus(name, params)),
      store(params.memory, name),
      pool(store.mapping(), 4096, 1),
      timers(std::make_unique<TickTimers>((name + "_timers").c_str(), processors())),
      stack((name + "_stack").c_str(), params.net, params.tcp, pool, *timers),
      device((name + "_device").c_str(), cpus.back()->processor, pool, params.device, n) {
  InterfaceAddresses addresses;
  addresses.ipv4 = NetTest::address(n, 0);
  addresses.ipv6 = NetTest::address(n, 0, true);
  Interface& interface = stack.add_interface(addresses);
  interface.attach(device);
}

void NetTest::build() { build(params, params); }

void NetTest::build(const RigParams& for_a, const RigParams& for_b) {
  a = std::make_unique<RigHost>("a", for_a, 1);
  b = std::make_unique<RigHost>("b", for_b, 2);
  a->device.join(b->device);
  b->device.join(a->device);
}

Program& NetTest::program(RigHost& host, const std::string& name, Program::Body body,
                          std::size_t cpu) {
  programs.push_back(std::make_unique<Program>(name.c_str(), host.processor(cpu), std::move(body)));
  return *programs.back();
}

Address NetTest::address(std::uint8_t n, std::uint16_t port, bool ipv6) {
  return address_from((ipv6 ? "fd00::" : "10.0.0.") + std::to_string(n), port, "test");
}

std::uint64_t NetTest::allocate(RigHost& host, std::uint64_t bytes) {
  (&host == a.get() ? user_a : user_b) += MemoryPool::rounded(bytes);
  return host.pool.allocate(bytes);
}

void NetTest::transfer(Transfer& plan, std::uint64_t total, std::uint64_t write,
                       std::uint64_t read) {
  const std::string id = std::to_string(plan.port);
  program(
      *b, "reader" + id,
      [this, &plan, read](Program& self) {
        const std::uint64_t user = allocate(*b, read);
        const auto listener = b->stack.tcp_socket();
        if (plan.receive_buffer != 0) listener->set_buffers(65536, plan.receive_buffer);
        listener->set_verify(plan.verify);
        listener->listen(self, plan.port, 5);
        const auto socket = listener->accept(self);
        plan.receiver = socket.get();
        while (const std::uint64_t n = socket->receive(self, user, read)) {
          plan.received += n;
          if (plan.pause_ps != 0) {
            const Process::Syscall call(self);
            self.sleep(plan.pause_ps);
          }
        }
        plan.mismatch = socket->mismatch();
        plan.receiver = nullptr;
        socket->close(self);
        listener->close(self);
        plan.receiver_done = true;
        plan.finished_ps = now_ps();
      },
      plan.receiver_cpu);
  program(
      *a, "writer" + id,
      [this, &plan, total, write](Program& self) {
        const std::uint64_t user = allocate(*a, write);
        const auto socket = a->stack.tcp_socket();
        plan.sender = socket.get();
        if (plan.send_buffer != 0) socket->set_buffers(plan.send_buffer, 65536);
        socket->set_verify(plan.verify);
        if (socket->connect(self, address(2, plan.port, plan.ipv6))) {
          while (plan.sent < total) {
            const std::uint64_t want = std::min(write, total - plan.sent);
            const std::uint64_t n = socket->send(self, user, want);
            plan.sent += n;
            if (n < want) break;
          }
        }
        plan.sender = nullptr;
        socket->close(self);
        plan.sender_done = true;
      },
      plan.sender_cpu);
}

void NetTest::expect_no_leak() {
  EXPECT_EQ(a->pool.used(), user_a);
  EXPECT_EQ(b->pool.used(), user_b);
  EXPECT_EQ(a->stack.endpoints(), 0U);
  EXPECT_EQ(b->stack.endpoints(), 0U);
  EXPECT_EQ(a->interface().slots_in_use(), 0U);
  EXPECT_EQ(b->interface().slots_in_use(), 0U);
}

}  // namespace longhaul::host::testing
