// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "platform/portmap/param_list.h"

namespace longhaul::portmap {

/// A parameter of the top module that the adapter or box has as its own. Longhaul compiles another
/// RTL object for each of its values.
struct CompiledEntry {
  std::string name;                 ///< of the part's parameter
  std::string value;                ///< that this object is compiled with
  std::vector<std::string> values;  ///< all that the map allows
  std::string description;
};

/// The values of the top module's parameters with which an RTL object is compiled. `entries` must
/// outlive this object.
class CompiledParams {
 public:
  CompiledParams() = default;
  explicit CompiledParams(const std::vector<CompiledEntry>& entries);

  /// Takes these parameters out of those of a part, and returns the others. Throws ConfigError
  /// whose message starts with `where` for a value that the map does not allow, and for a
  /// value that the object is not compiled with.
  nlohmann::json take(nlohmann::json params, const std::string& where);
  /// The parameters in the form of longhaul::describe() and describe_defaults(), appended to
  /// `list`.
  nlohmann::json describe(nlohmann::json list) const { return list_.describe(std::move(list)); }
  nlohmann::json describe_defaults(nlohmann::json list) const {
    return list_.describe_defaults(std::move(list));
  }

 private:
  const std::vector<CompiledEntry>* entries_ = nullptr;
  ParamList<std::string> list_;
};

}  // namespace longhaul::portmap
