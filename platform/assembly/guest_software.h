// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/assembly/config.h"
#include "platform/assembly/software.h"
#include "platform/guest/guest_cpu.h"

namespace longhaul::assembly {

/// A real guest: its process, its interrupts, and the core to which its work is charged.
class GuestSoftware final : public Software {
 public:
  /// Throws ConfigError for illegal parameters.
  GuestSoftware(const MachineConfig& config, const SimulationConfig& simulation, Bytes memory,
                std::uint64_t seed, cpu::Core& core, guest::GuestListener& listener);

  const memory::MemoryMapping* mapping() const override { return &mapping_; }
  pcix::MsiReceiver& msi_receiver() override { return interrupts_; }
  pcix::IntxReceiver& intx_receiver() override { return interrupts_; }
  void use(memory::MemorySystem& memory) override;
  guest::GuestProcess* guest() override { return &guest_.process(); }
  guest::BlockProfile* profile() override { return guest_.profile(); }
  std::unique_ptr<observe::TcpTable> tcp_table(const std::string& kernel_layout) override;
  void watch(observe::SoftwareWatcher* watcher) override { guest_.watch(watcher); }
  void listen(guest::ExchangeListener* listener) override { guest_.listen(listener); }

 private:
  guest::InterruptController interrupts_{"interrupts"};
  guest::GuestCpu guest_;
  memory::MemoryMapping mapping_;
  const std::string own_layout_;  // layout of its own kernel
};

}  // namespace longhaul::assembly
