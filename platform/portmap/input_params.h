// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "platform/portmap/param_list.h"
#include "platform/portmap/pin_place.h"

namespace longhaul::portmap {

/// An input that a parameter of the part sets from power-up on.
struct InputEntry {
  std::string name;  ///< of the parameter
  PinPlace pin;
  std::uint64_t value = 0;  ///< default value
  std::string description;
};

/// The values of a block's inputs that are parameters. `entries` must outlive this object.
class InputParams {
 public:
  InputParams() = default;
  explicit InputParams(const std::vector<InputEntry>& entries);

  /// Reads the inputs from a part's parameters, and returns the other parameters. Throws
  /// ConfigError whose message starts with `where` for a value that does not fit the pin.
  nlohmann::json take(nlohmann::json params, const std::string& where) {
    return list_.take(std::move(params), where);
  }
  /// The parameters in the form of longhaul::describe() and describe_defaults(), appended to
  /// `list`.
  nlohmann::json describe(nlohmann::json list) const { return list_.describe(std::move(list)); }
  nlohmann::json describe_defaults(nlohmann::json list) const {
    return list_.describe_defaults(std::move(list));
  }
  /// The pin of each input, and its value.
  std::vector<std::pair<PinPlace, std::uint64_t>> values() const;

 private:
  const std::vector<InputEntry>* entries_ = nullptr;
  ParamList<std::uint64_t> list_;
};

}  // namespace longhaul::portmap
