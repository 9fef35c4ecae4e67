// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/cpu/core.h"
#include "models/host/drivers/driver_type.h"
#include "models/host/drivers/net_rx.h"
#include "models/host/drivers/pci_bus.h"
#include "models/host/kernel/giant_lock.h"
#include "models/host/kernel/interrupt_router.h"
#include "models/host/kernel/irq_daemon.h"
#include "models/host/kernel/memory_pool.h"
#include "models/host/kernel/process.h"
#include "models/host/kernel/tick_timers.h"
#include "models/host/net/stack.h"
#include "models/host/profiles/os_profile.h"
#include "models/host/workloads/workload.h"
#include "models/memory/memory_system.h"

namespace longhaul::host {

/// The configuration of an interface of a host.
struct InterfaceConfig {
  std::string device;  ///< name of the adapter
  InterfaceAddresses addresses;
  nlohmann::json driver;  ///< parameters of its driver, MTU included
};

struct ProgramConfig {
  std::string type;  ///< a type of workload_types()
  nlohmann::json params;
};

/// The configuration of a modelled host.
struct HostConfig {
  OsProfile profile;
  RouterParams router;
  std::vector<InterfaceConfig> interfaces;
  std::vector<ProgramConfig> programs;
};

/// The place of an adapter.
struct AdapterPlace {
  std::string name;
  std::uint32_t slot;
  std::uint32_t function;
  pcix::FunctionIds ids;
};

/// Receives the progress of a host's programs.
class HostListener {
 public:
  virtual ~HostListener() = default;
  /// A phase, as a guest writes it to /proc/longhaul/phase.
  virtual void phase(const std::string& text) = 0;
  /// The contents of a report file.
  virtual void report(const std::string& name, const std::string& bytes) = 0;
  /// All programs have ended.
  virtual void over() = 0;
  /// A program could not do its work. This ends the run.
  virtual void failed(std::exception_ptr why) = 0;
};

/// An operating system with its programs, on the cores, memory and adapters of a machine. Its
/// modules are siblings of the machine's modules.
class ModelledHost final : private WorkloadListener {
 public:
  /// Has as many processors as there are cores. `listener` must outlive it.
  ModelledHost(const HostConfig& config, const std::vector<std::unique_ptr<cpu::Core>>& cores,
               HostListener& listener);
  ~ModelledHost() override;

  InterruptRouter& router() { return *router_; }
  Stack& stack() { return *stack_; }
  /// Sets the machine's memory; before the simulation starts and before join().
  void use(memory::MemorySystem& memory);
  /// Sets the machine's adapters: makes drivers, interfaces and programs. Throws ConfigError if
  /// they do not fit the configuration.
  void join(const std::vector<AdapterPlace>& adapters, std::uint32_t slots,
            const std::string& where);
  /// The measured traffic is over, so programs that only wait for more end.
  void measured() { measured_ = true; }
  /// Pairs of a part ("tcp", "eth0" for its driver, "iperf_client") and its parameters, with
  /// evidence and source.
  std::vector<std::pair<std::string, nlohmann::json>> describe_params() const;

 private:
  /// Opens the interfaces; programs wait for their links.
  class Boot;

  void add_interface(const InterfaceConfig& config, const AdapterPlace& place,
                     const std::string& where);
  void add_workload(const ProgramConfig& config, std::size_t index, const std::string& where);
  void boot(Process& process);

  void phase(const std::string& text) override { listener_.phase("status " + text); }
  void measuring(bool begins) override {
    listener_.phase(begins ? "measure-begin" : "measure-end");
  }
  void report(const std::string& name, const nlohmann::json& result) override;
  void ended(const std::string& name) override;
  void fail(const std::string& name, const std::string& what);

  const HostConfig config_;
  HostListener& listener_;
  std::vector<std::unique_ptr<Processor>> processors_;
  std::unique_ptr<GiantLock> giant_;  // null if the kernel has none
  std::unique_ptr<InterruptRouter> router_;
  std::unique_ptr<IrqDaemon> irq_daemon_;  // null: nobody runs it
  std::unique_ptr<TickTimers> timers_;
  std::vector<std::unique_ptr<NetRx>> receive_softirqs_;
  std::unique_ptr<MemoryPool> pool_;
  std::unique_ptr<Stack> stack_;
  std::unique_ptr<PciBus> bus_;
  std::vector<std::unique_ptr<NetDevice>> devices_;
  std::unique_ptr<Boot> boot_;
  bool measured_ = false;
  std::vector<Workload> workloads_;
  std::size_t running_ = 0;  // programs that will end
};

}  // namespace longhaul::host
