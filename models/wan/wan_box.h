// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "models/net/eth.h"

namespace longhaul::wan {

/// What a topology needs of any box that sits in a long path: two ports and its parameters. Boxes are modules that implement
/// this; platform/assembly/registry.cc has one line for each.
class WanBox {
 public:
  virtual ~WanBox() = default;
  virtual EthPort& west() = 0;
  virtual EthPort& east() = 0;
  /// Every parameter with value, evidence and source (longhaul::describe).
  virtual nlohmann::json describe_params() const = 0;
};

}  // namespace longhaul::wan
