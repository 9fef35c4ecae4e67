// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/host_software.h"

#include "platform/assembly/host_config.h"
#include "platform/assembly/host_tcp_table.h"
#include "platform/assembly/machine.h"

namespace longhaul::assembly {

HostSoftware::HostSoftware(const MachineConfig& config, const Cores& cores,
                           guest::GuestListener& listener)
    : name_(config.name),
      listener_(listener),
      host_(read_host(config.host, config.name + ".host"), cores, *this) {}

void HostSoftware::describe_params(nlohmann::json& list, const std::string& place) const {
  const std::string prefix = place + ".host.";
  for (const auto& [part, params] : host_.describe_params())
    append_params(list, prefix + part, params);
}

std::unique_ptr<observe::TcpTable> HostSoftware::tcp_table(const std::string& /*kernel_layout*/) {
  return std::make_unique<HostTcpTable>(host_.stack());
}

void HostSoftware::watch(observe::SoftwareWatcher* watcher) { host_.stack().watch(watcher); }

}  // namespace longhaul::assembly
