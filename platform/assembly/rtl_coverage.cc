// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/rtl_coverage.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "models/common/param.h"
#include "platform/observe/output_file.h"
#include "platform/observe/sink_error.h"

namespace longhaul::assembly {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOption = "observe.coverage";
/// Last line of the file. A file without it was cut by a full disk.
constexpr const char* kEnd = "# end\n";

void write_points(const observe::CoveredPart& part, const std::string& path) {
  const std::string unfinished = path + ".part";
  bool whole = part.write_coverage(unfinished);
  if (whole) {
    std::ofstream file(unfinished, std::ios::app);
    file << kEnd;
    file.close();
    whole = file.good();
  }
  std::error_code error;
  if (whole) fs::rename(unfinished, path, error);
  if (!whole || error) throw observe::SinkError(path + ": cannot be written");
}

}  // namespace

RtlCoverage::RtlCoverage(const SimulationConfig& config,
                         const std::vector<std::unique_ptr<Machine>>& machines,
                         const std::vector<std::unique_ptr<wan::WanBox>>& boxes)
    : folder_(config.output(kFolder)) {
  if (!config.observe.coverage) return;
  const auto add = [this](const std::string& place, const auto* owner) {
    const auto* const part = dynamic_cast<const observe::CoveredPart*>(owner);
    if (part == nullptr) return;
    if (!part->covered()) {
      throw ConfigError(
          fmt::format("{}: the RTL object of {} was made without coverage; name its "
                      "port map",
                      kOption, place));
    }
    parts_.emplace_back(place, part);
  };
  for (const auto& machine : machines) {
    for (const auto& [device, adapter] : machine->adapters())
      add(machine->name() + ("." + device), adapter);
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) add(config.boxes[i].name, boxes[i].get());
  if (parts_.empty()) throw ConfigError(fmt::format("{}: no part is RTL by a port map", kOption));
}

void RtlCoverage::write() {
  if (parts_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  const auto parts = std::exchange(parts_, {});
  for (const auto& [place, part] : parts) {
    write_points(*part, folder_ + "/" + place + ".dat");
    observe::OutputFile buses(folder_ + "/" + place + ".buses.json");
    const nlohmann::json found = {{"design", part->design()}, {"buses", part->bus_coverage()}};
    const std::string text = found.dump(1) + "\n";
    buses.write(text.data(), text.size());
    buses.close();
  }
}

}  // namespace longhaul::assembly
