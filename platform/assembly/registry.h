// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/nic/adapter.h"
#include "models/wan/wan_box.h"

namespace longhaul::assembly {

/// What a factory gets: a module name, the parameters to read, the object's place for messages, and
/// what is its own alone.
struct PartRequest {
  const char* module_name;
  nlohmann::json params;
  std::string where;
  std::uint32_t
      index;  ///< unique among the parts of this kind in the simulation (for default MAC addresses)
  std::uint64_t seed;                 ///< for its random stream
  nic::Adapter* function0 = nullptr;  ///< adapters: the one whose second function this is
};

/// Builds the adapter or box of type `type`; throws ConfigError that names the nearest type if
/// there is none.
std::unique_ptr<nic::Adapter> make_adapter(const std::string& type, const PartRequest& request);
std::unique_ptr<wan::WanBox> make_box(const std::string& type, const PartRequest& request);

std::vector<std::string> adapter_types();
std::vector<std::string> box_types();

}  // namespace longhaul::assembly
