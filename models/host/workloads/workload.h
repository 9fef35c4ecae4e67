// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/common/catalog.h"
#include "models/common/param.h"
#include "models/host/kernel/memory_pool.h"
#include "models/host/kernel/process.h"
#include "models/host/net/stack.h"

namespace longhaul::host {

/// Receives the progress and the results of workloads.
class WorkloadListener {
 public:
  virtual ~WorkloadListener() = default;
  /// A status text for people: "stream 1 of iperf: connected".
  virtual void phase(const std::string& text) = 0;
  /// The measured traffic is about to begin (true), or is over. Called once for each connection, or
  /// for a program with many connections.
  virtual void measuring(bool begins) = 0;
  /// A result. Names of numbers carry their unit. "error" tells why a program could not do its
  /// work.
  virtual void report(const std::string& name, const nlohmann::json& result) = 0;
  /// A program has ended.
  virtual void ended(const std::string& name) = 0;
};

/// The host of a workload.
struct WorkloadHost {
  Stack& stack;
  MemoryPool& pool;
  std::vector<Processor*> processors;
  WorkloadListener& listener;
  /// Becomes true when the measured traffic is over, so servers need not wait for more.
  const bool* measured = nullptr;
};

/// Parameters of all workloads.
struct WorkloadParams {
  Param<std::uint32_t> cpu{"cpu",
                           0,
                           "processor that its programs run on",
                           {Evidence::kChosen, "the user's: processor that its programs run on"}};
  Param<sc_core::sc_time> start{"start",
                                sc_core::SC_ZERO_TIME,
                                "simulated time before which it does not start",
                                {Evidence::kChosen, "the user's: not before this time"}};
  auto fields() { return std::tie(cpu, start); }
};

/// A program of a workload, with user memory. It starts when its start time has come and the
/// network is up.
class WorkloadProgram : public Process {
 public:
  WorkloadProgram(const std::string& name, const WorkloadHost& host, const WorkloadParams& params);
  /// Whether it runs without end, like a server that is never stopped.
  virtual bool is_endless() const { return false; }

 protected:
  virtual void run() = 0;
  Stack& stack() { return host_.stack; }
  /// Waits for the start time, then until the interface to `peer` (any interface if null) has link.
  void get_ready(const Address* peer);
  std::uint64_t user_memory(std::uint64_t bytes);
  /// A connected socket that `prepare` has set up; null, after a report, if there is none. A peer
  /// that refuses is called again for ten seconds, since its server may still be starting.
  std::unique_ptr<TcpSocket> connected(const Address& peer,
                                       const std::function<void(TcpSocket&)>& prepare);
  bool is_measured() const { return host_.measured != nullptr && *host_.measured; }
  void measuring(bool begins) { host_.listener.measuring(begins); }
  void phase(const std::string& text) { host_.listener.phase(label_ + ": " + text); }
  void report(const nlohmann::json& result) { host_.listener.report(label_, result); }
  void sleep_for(std::uint64_t ps);
  /// The kernel copies for the program, in its own call.
  void copy(std::uint64_t source, std::uint64_t target, std::uint64_t bytes);
  /// Reads exactly `bytes`, or fewer at the end of the stream.
  std::uint64_t receive_all(TcpSocket& socket, std::uint64_t user, std::uint64_t user_bytes,
                            std::uint64_t bytes);

 private:
  void main() final;

  const WorkloadHost host_;
  const std::string label_;
  const std::uint64_t start_ps_;
};

/// Programs that belong together, such as one client with four streams.
struct Workload {
  std::string label;
  nlohmann::json params;  ///< with evidence and source, in the form of describe()
  std::vector<std::unique_ptr<WorkloadProgram>> programs;
  std::uint32_t listens = 0;  ///< TCP port that it serves; 0: none
  bool done() const;
};

/// A type of workload.
struct WorkloadType {
  using Make = Workload(const std::string& label, const WorkloadHost& host,
                        const nlohmann::json& params, const std::string& where);
  const char* name;
  const char* title;
  Make* make;
  nlohmann::json (*describe_defaults)();  ///< in the form of longhaul::describe_defaults()
  Origin origin{};
};

/// All types of workloads. The types of models/host are always in it.
Catalog<WorkloadType>& workload_types();

/// Makes a workload of a type, during elaboration. `label` begins its reports and names its SystemC
/// objects. Throws ConfigError whose message starts with `where` for an unknown type or wrong
/// parameters.
Workload make_workload(const std::string& type, const std::string& label, const WorkloadHost& host,
                       const nlohmann::json& params, const std::string& where);

/// "bytes", "seconds" and "goodput_gbps" of a transfer.
nlohmann::json transfer_result(std::uint64_t bytes, std::uint64_t ps);
const char* to_text(SocketError error);

}  // namespace longhaul::host
