// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/config_check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "models/common/echo.h"
#include "models/common/param_json.h"
#include "models/nic/blocks/mac_address.h"
#include "platform/assembly/host_config.h"
#include "platform/assembly/json_object.h"

namespace longhaul::assembly {
namespace {

/// Largest number of lines of series.csv. A line has some hundred numbers, so this is some 10 GB.
constexpr std::uint64_t kMostRows = 10'000'000;
/// Largest number of register accesses by the scenario itself. Each is a line of control.csv.
constexpr std::uint64_t kMostAccesses = 1'000'000;

void check_machines(const SimulationConfig& config) {
  if (config.machines.empty()) throw ConfigError("machines: wants at least one");
  const auto is_guest = [](const MachineConfig& machine) { return machine.guest.has_value(); };
  const auto has_console = [](const MachineConfig& machine) {
    return machine.guest && machine.guest->console;
  };
  if (std::count_if(config.machines.begin(), config.machines.end(), has_console) > 1)
    throw ConfigError("guest.console: wants one guest at most that has it");
  if (std::any_of(config.machines.begin(), config.machines.end(), is_guest)) {
    if (config.kernel.empty()) throw ConfigError("kernel: missing, and a machine has a guest");
    if (config.guest_root.empty())
      throw ConfigError("guest_root: missing, and a machine has a guest");
  }
}

void check_series(const SimulationConfig& config) {
  const std::uint64_t period_ps = to_ps(config.observe.series_period);
  if (period_ps == 0) return;
  const std::uint64_t limit_ps = to_ps(config.limit);
  const std::uint64_t rows = limit_ps / period_ps;
  if (rows <= kMostRows) return;
  throw ConfigError(
      fmt::format("observe.series_period: {} makes {} rows in the limit of {}, {} are the most; "
                  "wants {} or more",
                  to_text(config.observe.series_period), rows, to_text(config.limit), kMostRows,
                  to_text(from_ps((limit_ps + kMostRows - 1) / kMostRows))));
}

void check_control(const SimulationConfig& config) {
  for (std::size_t i = 0; i < config.control.size(); ++i) {
    const ControlStep& step = config.control[i];
    const std::uint64_t accesses = std::uint64_t{step.times} * step.accesses.size();
    if (accesses <= kMostAccesses) continue;
    throw ConfigError(fmt::format("control[{}].times: {} times {} accesses are {}, {} are the most",
                                  i, step.times, step.accesses.size(), accesses, kMostAccesses));
  }
}

/// Checks that each interface of a modelled host has a link, and that each real guest with adapters
/// has at least one.
void check_cables(const SimulationConfig& config) {
  std::set<std::string> ends;
  for (const LinkConfig& link : config.links) ends.insert({link.a, link.b});
  for (const MachineConfig& machine : config.machines) {
    std::vector<std::string> loose;
    for (const DeviceConfig& device : machine.devices) {
      if (ends.count(machine.name + "." + device.name) == 0)
        loose.push_back(machine.name + "." + device.name);
    }
    if (machine.guest && !loose.empty() && loose.size() == machine.devices.size())
      throw ConfigError(fmt::format("links: none joins an adapter of {}, wants one of {}",
                                    machine.name, echo(loose)));
    if (machine.host.is_null()) continue;
    for (const host::InterfaceConfig& interface :
         read_host(machine.host, machine.name + ".host").interfaces) {
      const std::string port = machine.name + "." + interface.device;
      if (std::find(loose.begin(), loose.end(), port) != loose.end())
        throw ConfigError(
            fmt::format("links: none joins {}, an interface of {}'s host", port, machine.name));
    }
  }
}

/// Checks that no address belongs to two interfaces of modelled hosts. Addresses of guests are not
/// in the configuration; Python checks them.
void check_addresses(const SimulationConfig& config) {
  std::map<std::string, std::string> owners;
  const auto take = [&owners](const std::optional<host::Address>& address,
                              const std::string& place) {
    if (!address) return;
    const auto [owner, fresh] = owners.emplace(to_text(*address), place);
    if (!fresh)
      throw ConfigError(
          fmt::format("{}: {} is the address of {} already", place, owner->first, owner->second));
  };
  for (const MachineConfig& machine : config.machines) {
    if (machine.host.is_null()) continue;
    const std::string where = machine.name + ".host";
    const host::HostConfig read = at_place(where, [&] { return read_host(machine.host, where); });
    for (std::size_t i = 0; i < read.interfaces.size(); ++i) {
      const std::string place = fmt::format("{}.interfaces[{}]", where, i);
      take(read.interfaces[i].addresses.ipv4, place + ".ipv4");
      take(read.interfaces[i].addresses.ipv6, place + ".ipv6");
    }
  }
}

/// Checks that no station address is given to two adapters. Default addresses differ by the
/// adapter's number.
void check_stations(const SimulationConfig& config) {
  std::map<MacAddress, std::string> owners;
  for (const MachineConfig& machine : config.machines) {
    for (const DeviceConfig& device : machine.devices) {
      const std::string where = machine.name + "." + device.name;
      const std::string text = text_of(device.params, "mac", "", where);
      if (text.empty()) continue;
      const auto [owner, fresh] =
          owners.emplace(nic::parse_mac_address(text, where + ".mac"), where);
      if (!fresh)
        throw ConfigError(fmt::format("{}.mac: {} is the address of {} already", where, echo(text),
                                      owner->second));
    }
  }
}

void check_file(const std::string& path, const std::string& place, int access, const char* wanted) {
  std::error_code error;
  const bool is_file = std::filesystem::is_regular_file(path, error);
  if (is_file && ::access(path.c_str(), access) == 0) return;
  const char* what = !error && is_file                      ? "may not be used"
                     : std::filesystem::exists(path, error) ? "is no file"
                                                            : "is not there";
  throw ConfigError(fmt::format("{}: {} {}, wants {}", place, echo(path, kMostPath), what, wanted));
}

}  // namespace

void check_config(const SimulationConfig& config) {
  if (config.out.empty())
    throw ConfigError("out: is empty, wants the folder that the run writes into");
  if (config.limit == sc_core::SC_ZERO_TIME) throw ConfigError("limit: wants more than no time");
  check_machines(config);
  check_series(config);
  check_control(config);
  check_addresses(config);
  check_stations(config);
  check_cables(config);
}

void check_files(const SimulationConfig& config) {
  bool guests = false;
  for (std::size_t i = 0; i < config.machines.size(); ++i) {
    const MachineConfig& machine = config.machines[i];
    if (!machine.guest) continue;
    guests = true;
    if (!machine.guest->files.empty())
      check_file(machine.guest->files, fmt::format("machines[{}].guest.files", i), R_OK,
                 "the image of the run's files");
    if (!machine.guest->root.empty())
      check_file(machine.guest->root, fmt::format("machines[{}].guest.root", i), R_OK,
                 "the image of the guest's root");
  }
  if (!guests) return;
  check_file(config.kernel, "kernel", X_OK, "the guests' kernel, a program");
  check_file(config.guest_root, "guest_root", R_OK, "the image of the guests' root");
  for (const MachineConfig& machine : config.machines) {
    if (!machine.guest || machine.guest->kernel.empty()) continue;
    check_file(machine.guest->kernel, "kernel", X_OK, "a guest's own kernel, a program");
  }
  if (!config.kernel_blocks.empty())
    check_file(config.kernel_blocks, "kernel_blocks", R_OK, "the kernel's table of basic blocks");
}

}  // namespace longhaul::assembly
