// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/host_software.h"

#include "platform/assembly/host_config.h"
#include "platform/assembly/host_tcp_table.h"
#include "platform/assembly/machine.h"

namespace longhaul::assembly {

HostSoftware::HostSoftware(const MachineConfig& config, const Cores& cores, guest::GuestListener& listener)
    : name_(config.name), listener_(listener), host_(read_host(config.host, config.name + ".host"), cores, *this) {}

void HostSoftware::describe_params(nlohmann::json& list, const std::string& place) const {
  const host::HostConfig& config = host_.config();
  append_params(list, place + ".host.tcp", describe(config.profile.tcp));
  append_params(list, place + ".host.net", describe(config.profile.net));
  append_params(list, place + ".host.kernel", describe(config.profile.kernel));
  append_params(list, place + ".host.interrupts", describe(config.router));
}

std::unique_ptr<observe::TcpTable> HostSoftware::tcp_table(const std::string& /*kernel_layout*/) {
  return std::make_unique<HostTcpTable>(host_.stack());
}

void HostSoftware::watch(observe::SoftwareWatcher* watcher) { host_.stack().watch(watcher); }

}  // namespace longhaul::assembly
