// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/common/param_json.h"

namespace longhaul::host {

/// Names of the parameters in which two systems differ.
template <class Params>
std::vector<std::string> differences(const Params& one, const Params& other) {
  const nlohmann::json a = describe(one);
  const nlohmann::json b = describe(other);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i]["value"] != b[i]["value"]) names.push_back(a[i]["name"]);
  }
  return names;
}

}  // namespace longhaul::host
