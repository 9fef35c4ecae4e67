// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "models/common/catalog.h"
#include "models/wan/wan_box.h"

namespace longhaul::wan {

/// A request to build a box.
struct BoxRequest {
  const char* module_name;
  nlohmann::json params;
  std::string where;   ///< begins the messages of errors
  std::uint64_t seed;  ///< of its random streams
};

/// A type of box in a long path.
struct BoxType {
  const char* name;
  const char* title;
  /// Builds the box, during elaboration. Throws ConfigError for a request that cannot be built.
  std::function<std::unique_ptr<WanBox>(const BoxRequest& request)> make;
  std::function<nlohmann::json()> describe_defaults;  ///< in the form of
                                                      ///< longhaul::describe_defaults()
  bool rtl = false;  ///< it contains RTL whose signals can be traced
  Origin origin{};
};

/// All types of boxes. The types of this folder are always in it.
Catalog<BoxType>& box_types();

}  // namespace longhaul::wan
