// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/common/observe/software_watcher.h"
#include "models/cpu/core.h"
#include "models/host/modelled_host.h"
#include "models/memory/memory_system.h"
#include "models/pcix/host_bridge.h"
#include "platform/assembly/config.h"
#include "platform/guest/block_profile.h"
#include "platform/guest/exchange_listener.h"
#include "platform/guest/guest_listener.h"
#include "platform/guest/guest_process.h"
#include "platform/observe/tcp_table.h"

namespace longhaul::assembly {

/// The software of a machine: a real guest, or a modelled operating system with its programs. It is
/// made before the machine's memory, whose bytes it may provide, and starts with the simulation.
class Software {
 public:
  virtual ~Software() = default;
  /// The bytes of its physical memory; null if it does not provide them.
  virtual const memory::MemoryMapping* mapping() const { return nullptr; }
  virtual pcix::MsiReceiver& msi_receiver() = 0;
  virtual pcix::IntxReceiver& intx_receiver() = 0;
  /// Sets the memory, before the simulation starts.
  virtual void use(memory::MemorySystem& memory) = 0;

  /// Sets the adapters, on a bus with `slots` slots, before the simulation starts.
  virtual void join(const std::vector<host::AdapterPlace>& /*adapters*/, std::uint32_t /*slots*/) {}

  /// The measured window has closed.
  virtual void measured() {}

  /// A real guest's process; null for a modelled system.
  virtual guest::GuestProcess* guest() { return nullptr; }
  /// The profile of a real guest's code in the measured window; null without a table of blocks.
  virtual guest::BlockProfile* profile() { return nullptr; }
  /// Its TCP connections. `kernel_layout` is the file that describes those of a real guest's
  /// kernel. Throws ConfigError.
  virtual std::unique_ptr<observe::TcpTable> tcp_table(const std::string& kernel_layout) = 0;
  /// Calls `watcher` from this call on.
  virtual void watch(observe::SoftwareWatcher* watcher) = 0;
  /// Reports a real guest's exchanges to `listener` from this call on; a modelled system has none.
  virtual void listen(guest::ExchangeListener* /*listener*/) {}
  /// Appends {object, name, value, evidence, source, set} of every parameter.
  virtual void describe_params(nlohmann::json& /*list*/, const std::string& /*place*/) const {}
};

/// The number of processors of a machine's software: one for a guest.
std::uint32_t processors_of(const MachineConfig& config);
using Cores = std::vector<std::unique_ptr<cpu::Core>>;
/// Makes the software of a machine's configuration. Throws ConfigError.
std::unique_ptr<Software> make_software(const MachineConfig& config,
                                        const SimulationConfig& simulation, Bytes memory,
                                        std::uint64_t seed, const Cores& cores,
                                        guest::GuestListener& listener);

}  // namespace longhaul::assembly
