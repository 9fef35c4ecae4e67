// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "models/host/kernel/memory_pool.h"
#include "models/host/kernel/process.h"
#include "models/host/net/stack.h"
#include "models/host/workloads/host_gate.h"

namespace longhaul::host {

/// Is told what programs have to say.
class WorkloadListener {
 public:
  virtual ~WorkloadListener() = default;
  /// `measure-begin`, `measure-end` or `status TEXT`, as a guest writes it to /proc/longhaul/phase.
  virtual void phase(const std::string& text) = 0;
  /// A program's results; `name` is the program's.
  virtual void report(const std::string& name, const nlohmann::json& results) = 0;
  virtual void ended(const std::string& name) = 0;
  /// A program could not do what it was to do.
  virtual void failed(const std::string& name, const std::string& what) = 0;
};

/// What a factory of programs gets.
struct ProgramRequest {
  std::string name;  ///< of module and report
  Processor& processor;
  Stack& stack;
  MemoryPool& pool;
  nlohmann::json params;
  std::string where;  ///< for messages
  WorkloadListener& listener;
  HostGate& gate;
  std::uint64_t seed;
};

/// A program of a workload: runs when the host is up, reports, and ends.
class Program : public Process {
 public:
  explicit Program(const ProgramRequest& request);

 protected:
  /// The program itself; throws nothing, calls fail() instead.
  virtual void run() = 0;
  void phase(const std::string& text) { listener_.phase(text); }
  void report(const nlohmann::json& results) { listener_.report(name_, results); }
  void fail(const std::string& what) { listener_.failed(name_, what); }
  std::uint64_t now() { return processor().now_ps(); }

  Stack& stack_;
  MemoryPool& pool_;

 private:
  void main() final;

  const std::string name_;
  WorkloadListener& listener_;
  HostGate& gate_;
};

/// A thread of a program, which lets it go and waits for it.
class ProgramThread : public Process {
 public:
  ProgramThread(const std::string& name, Processor& processor) : Process(name.c_str(), processor) {}
  /// From another process of the host, once.
  void go(Process& caller);
  /// Until it has ended.
  void join(Process& caller);

 protected:
  virtual void run() = 0;

 private:
  void main() final;

  bool going_ = false;
  bool ended_ = false;
  WaitQueue start_;
  WaitQueue end_;
};

/// The error of a socket as programs print it.
const char* to_text(SocketError error);
/// A buffer of a program, of `bytes`, on the node of its processor. Throws ConfigError when memory has no room for it.
std::uint64_t user_buffer(MemoryPool& pool, std::uint64_t bytes, const std::string& where);

/// Connects, and tries again every `pause_ps` as long as the peer refuses, up to `limit_ps`; null when that came to nothing.
/// `prepare` sets the socket's options.
template <class Prepare>
std::unique_ptr<TcpSocket> connect_patiently(Process& process, Stack& stack, const Address& to, std::uint64_t pause_ps,
                                             std::uint64_t limit_ps, Prepare prepare) {
  const std::uint64_t until = process.processor().now_ps() + limit_ps;
  while (true) {
    std::unique_ptr<TcpSocket> socket = stack.tcp_socket();
    prepare(*socket);
    if (socket->connect(process, to)) return socket;
    if (socket->error() != SocketError::kRefused || process.processor().now_ps() >= until) return nullptr;
    const Process::Syscall call(process);
    process.sleep(pause_ps);
  }
}

}  // namespace longhaul::host
