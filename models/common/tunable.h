// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace longhaul {

/// A part of a topology as a user sees it: its parameters, and which of them may change while the
/// simulation runs.
class Tunable {
 public:
  virtual ~Tunable() = default;
  /// All parameters with value, evidence and source (longhaul::describe).
  virtual nlohmann::json describe_params() const = 0;
  /// The names of the parameters that may change while the simulation runs.
  virtual std::vector<std::string> changeable() const { return {}; }
  /// Changes one of these parameters between two instants. The new value applies to all that comes
  /// later, and describe_params() shows it. Throws ConfigError whose message starts with `where` if
  /// the value is not legal.
  virtual void change(const std::string& /*name*/, const nlohmann::json& /*value*/,
                      const std::string& /*where*/) {}
};

}  // namespace longhaul
