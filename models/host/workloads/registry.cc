// SPDX-License-Identifier: Apache-2.0
#include "models/host/workloads/registry.h"

#include <array>

#include "models/common/param.h"
#include "models/host/workloads/iperf.h"
#include "models/host/workloads/ping.h"

namespace longhaul::host {
namespace {

struct Entry {
  const char* type;
  std::unique_ptr<Program> (*make)(const ProgramRequest&);
};

template <class Kind>
std::unique_ptr<Program> make(const ProgramRequest& request) {
  return std::make_unique<Kind>(request);
}

// One line for each program.
constexpr std::array kPrograms{
    Entry{"iperf_client", make<IperfClient>},
    Entry{"iperf_server", make<IperfServer>},
    Entry{"ping", make<Ping>},
};

}  // namespace

std::unique_ptr<Program> make_program(const std::string& type, const ProgramRequest& request) {
  for (const Entry& entry : kPrograms) {
    if (type == entry.type) return entry.make(request);
  }
  fail_unknown_name("program", type, program_types(), request.where);
}

std::vector<std::string> program_types() {
  std::vector<std::string> types;
  for (const Entry& entry : kPrograms) types.emplace_back(entry.type);
  return types;
}

}  // namespace longhaul::host
