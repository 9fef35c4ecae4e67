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

/// What a box is made of.
struct BoxRequest {
  const char* module_name;
  nlohmann::json params;
  std::string where;   ///< begins the message of what cannot be
  std::uint64_t seed;  ///< for its random streams
};

/// A type of box in a long path.
struct BoxType {
  const char* name;
  const char* title;
  /// Throws ConfigError for what cannot be built. During elaboration.
  std::function<std::unique_ptr<WanBox>(const BoxRequest& request)> make;
  std::function<nlohmann::json()> describe_defaults;  ///< as longhaul::describe_defaults()
  bool rtl = false;  ///< its inside is RTL whose signals can be traced
  Origin origin{};
};

/// All types of boxes. Those of this folder are in it from the beginning.
Catalog<BoxType>& box_types();

}  // namespace longhaul::wan
