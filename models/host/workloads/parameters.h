// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/common/param_json.h"
#include "models/host/workloads/workload.h"

namespace longhaul::host {

/// The environment for making programs. `where` begins the messages of errors.
struct Making {
  const std::string& label;
  const WorkloadHost& host;
  const std::string& where;
};

/// The `make` function of a WorkloadType. Reads the user's parameters over those of `Defaults`, and
/// calls `Build` with them.
template <auto Defaults, auto Build>
Workload make_of_params(const std::string& label, const WorkloadHost& host,
                        const nlohmann::json& json, const std::string& where) {
  auto params = Defaults();
  configure(params, json, where);
  Workload made = Build(params, Making{label, host, where});
  made.params = describe(params);
  return made;
}

/// A workload of `count` programs, LABEL_0 and so on. `arguments` follow name and host in their
/// constructor.
template <class Program, class... Arguments>
Workload programs_of(std::uint32_t count, const Making& making, const Arguments&... arguments) {
  Workload workload;
  for (std::uint32_t i = 0; i < count; ++i) {
    workload.programs.push_back(std::make_unique<Program>(making.label + "_" + std::to_string(i),
                                                          making.host, arguments...));
  }
  return workload;
}

/// A workload of one program, LABEL.
template <class Program, class... Arguments>
Workload one_program(const Making& making, const Arguments&... arguments) {
  Workload workload;
  workload.programs.push_back(std::make_unique<Program>(making.label, making.host, arguments...));
  return workload;
}

/// A type of workload, with the `Defaults` of its parameters and the `Build` function of its
/// programs.
template <auto Defaults, auto Build>
WorkloadType workload_type(const char* name, const char* title) {
  return {name, title, make_of_params<Defaults, Build>,
          [] { return longhaul::describe_defaults(Defaults()); }};
}

}  // namespace longhaul::host
