// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace longhaul {

/// A part of a topology as a user knows it: its parameters, and those that may change while the
/// simulation runs.
class Tunable {
 public:
  virtual ~Tunable() = default;
  /// Every parameter with value, evidence and source (longhaul::describe).
  virtual nlohmann::json describe_params() const = 0;
  /// Parameters that may change while it runs, by name.
  virtual std::vector<std::string> changeable() const { return {}; }
  /// Changes one of them, between two instants, for what comes from then on; describe_params()
  /// tells the new value. Throws ConfigError, which starts with `where`, for a value that cannot
  /// be.
  virtual void change(const std::string& /*name*/, const nlohmann::json& /*value*/,
                      const std::string& /*where*/) {}
};

}  // namespace longhaul
