// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/host/modelled_host.h"
#include "platform/assembly/config.h"
#include "platform/assembly/software.h"

namespace longhaul::assembly {

/// A modelled operating system with its programs, with the same reports as a guest.
class HostSoftware final : public Software, private host::HostListener {
 public:
  /// Throws ConfigError for an illegal configuration.
  HostSoftware(const MachineConfig& config, const Cores& cores, guest::GuestListener& listener);

  pcix::MsiReceiver& msi_receiver() override { return host_.router(); }
  pcix::IntxReceiver& intx_receiver() override { return host_.router(); }
  void use(memory::MemorySystem& memory) override { host_.use(memory); }
  void join(const std::vector<host::AdapterPlace>& adapters, std::uint32_t slots) override {
    host_.join(adapters, slots, name_);
  }
  void measured() override { host_.measured(); }
  std::unique_ptr<observe::TcpTable> tcp_table(const std::string& kernel_layout) override;
  void watch(observe::SoftwareWatcher* watcher) override;
  void describe_params(nlohmann::json& list, const std::string& place) const override;

 private:
  void phase(const std::string& text) override { listener_.on_phase(name_, text); }
  void report(const std::string& name, const std::string& bytes) override {
    listener_.on_report(name_, name, bytes);
  }
  void over() override {
    listener_.on_phase(name_, "done");
    listener_.on_power_off(name_, guest::PowerOff::kOff);
  }
  void failed(std::exception_ptr why) override { listener_.on_failure(name_, why); }

  const std::string name_;
  guest::GuestListener& listener_;
  host::ModelledHost host_;
};

}  // namespace longhaul::assembly
