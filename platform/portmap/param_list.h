// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/common/param.h"
#include "models/common/param_json.h"

namespace longhaul::portmap {

/// Parameters of a part that a port map names, all of one type. The texts that they point to must
/// outlive this object.
template <class T>
class ParamList {
 public:
  void add(Param<T> param) { params_.push_back(std::move(param)); }
  const std::vector<Param<T>>& params() const { return params_; }

  /// Reads these parameters from a part's, and returns the other parameters. Throws ConfigError
  /// whose message starts with `where` for a value that a parameter cannot have.
  nlohmann::json take(nlohmann::json params, const std::string& where) {
    if (!params.is_object()) return params;
    for (Param<T>& param : params_) {
      if (!params.contains(param.name)) continue;
      One one{param};
      configure(one, {{param.name, params.at(param.name)}}, where);
      params.erase(param.name);
    }
    return params;
  }
  /// The parameters in the form of longhaul::describe() and describe_defaults(), appended to
  /// `list`.
  nlohmann::json describe(nlohmann::json list) const {
    for (Param<T> param : params_) {
      for (nlohmann::json& each : longhaul::describe(One{param})) list.push_back(std::move(each));
    }
    return list;
  }
  nlohmann::json describe_defaults(nlohmann::json list) const {
    for (Param<T> param : params_) {
      for (nlohmann::json& each : longhaul::describe_defaults(One{param}))
        list.push_back(std::move(each));
    }
    return list;
  }

 private:
  /// One parameter as a struct of parameters.
  struct One {
    Param<T>& param;
    auto fields() { return std::tie(param); }
  };

  std::vector<Param<T>> params_;
};

}  // namespace longhaul::portmap
