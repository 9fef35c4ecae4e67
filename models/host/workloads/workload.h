// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/common/param.h"
#include "models/host/kernel/memory_pool.h"
#include "models/host/kernel/process.h"
#include "models/host/net/stack.h"

namespace longhaul::host {

/// Is told what workloads do and what came of them.
class WorkloadListener {
 public:
  virtual ~WorkloadListener() = default;
  /// For people who wait: "stream 1 of iperf: connected".
  virtual void phase(const std::string& text) = 0;
  /// A result; names of numbers carry their unit.
  virtual void report(const std::string& name, const nlohmann::json& result) = 0;
};

/// Where a workload runs.
struct WorkloadHost {
  Stack& stack;
  MemoryPool& pool;
  std::vector<Processor*> processors;
  WorkloadListener& listener;
};

/// What all workloads can be told.
struct WorkloadParams {
  Param<std::uint32_t> cpu{"cpu", 0, {Evidence::kChosen, "the user's: processor that its programs run on"}};
  Param<sc_core::sc_time> start{
      "start", sc_core::SC_ZERO_TIME, {Evidence::kChosen, "the user's: not before this time"}};
  auto fields() { return std::tie(cpu, start); }
};

/// A program of a workload: user memory, and a start when its time has come and the network is up.
class WorkloadProgram : public Process {
 public:
  WorkloadProgram(const std::string& name, const WorkloadHost& host, const WorkloadParams& params);

 protected:
  Stack& stack() { return host_.stack; }
  const std::string& label() const { return label_; }
  /// Waits for the start, then until the interface to `peer` (any of them if null) has link.
  void get_ready(const Address* peer);
  std::uint64_t user_memory(std::uint64_t bytes);
  void phase(const std::string& text) { host_.listener.phase(label_ + ": " + text); }
  void report(const nlohmann::json& result) { host_.listener.report(label_, result); }
  void sleep_for(std::uint64_t ps);
  /// Reads exactly so many bytes, or fewer at the end of the stream.
  std::uint64_t receive_all(TcpSocket& socket, std::uint64_t user, std::uint64_t user_bytes, std::uint64_t bytes);

 private:
  const WorkloadHost host_;
  const std::string label_;
  const std::uint64_t start_ps_;
};

/// Programs that belong together: one client with four streams, say.
struct Workload {
  std::vector<std::unique_ptr<WorkloadProgram>> programs;
  bool done() const;
};

/// Makes a workload of a kind; `label` begins its reports and names its SystemC objects. Throws ConfigError, which starts with `where`,
/// on an unknown kind or wrong parameters. During elaboration.
Workload make_workload(const std::string& kind, const std::string& label, const WorkloadHost& host,
                       const nlohmann::json& params, const std::string& where);
std::vector<std::string> workload_kinds();

/// "bytes", "seconds", "goodput_gbps" of a transfer.
nlohmann::json transfer_result(std::uint64_t bytes, std::uint64_t ps);
const char* to_text(SocketError error);

}  // namespace longhaul::host
