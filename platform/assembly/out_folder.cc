// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/out_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "models/common/echo.h"
#include "platform/assembly/box_control.h"
#include "platform/assembly/rtl_coverage.h"

namespace longhaul::assembly {
namespace {

namespace fs = std::filesystem;

std::string report_folder(const MachineConfig& machine) {
  return "guests/" + machine.name + "/report";
}

/// Returns the names of the files in the folder that a run of this configuration may replace.
std::vector<std::string> outputs(const SimulationConfig& config) {
  std::vector<std::string> names{"sim.json",         "series.csv",         "spans.bin",
                                 "record.bin",       "device.bin",         "waves.fst",
                                 "waves.gtkw",       BoxControl::kLogFile, "connections.csv",
                                 "connections.json", RtlCoverage::kFolder};
  for (const LinkConfig& link : config.links) names.push_back(link.name + ".pcapng");
  for (const MachineConfig& machine : config.machines) {
    names.push_back("profile-" + machine.name + ".blocks");
    names.push_back("profile-" + machine.name + ".stacks");
    names.push_back("profile-" + machine.name + ".symbols");
  }
  const std::size_t files = names.size();
  for (std::size_t i = 0; i < files; ++i) names.push_back(names[i] + ".part");
  for (const MachineConfig& machine : config.machines) {
    names.push_back("guests/" + machine.name + "/console.log");
    names.push_back(report_folder(machine));
  }
  return names;
}

}  // namespace

void check_out_folder(const SimulationConfig& config) {
  const std::string folder = echo(config.out, kMostPath);
  std::error_code error;
  if (!fs::is_directory(config.out, error))
    throw ConfigError(fmt::format("out: {} is no folder", folder));
  if (::access(config.out.c_str(), W_OK | X_OK) != 0)
    throw ConfigError(fmt::format("out: nothing can be written into {}", folder));
  const fs::path out(config.out);
  if (fs::exists(out / kRunMark, error)) return;
  for (const std::string& name : outputs(config)) {
    if (!fs::exists(fs::symlink_status(out / name, error))) continue;
    throw ConfigError(
        fmt::format("out: {} has {} and no {}, so it is not a run's; wants another folder", folder,
                    name, kRunMark));
  }
}

void claim_out_folder(const SimulationConfig& config) {
  const fs::path out(config.out);
  std::ofstream mark(out / kRunMark);
  mark << "The folder of a run of longhaul-sim, which the next run into it replaces.\n";
  mark.close();
  if (!mark) throw std::system_error(errno, std::generic_category(), (out / kRunMark).string());
  fs::remove_all(out / RtlCoverage::kFolder);
  for (const MachineConfig& machine : config.machines) fs::remove_all(out / report_folder(machine));
}

}  // namespace longhaul::assembly
