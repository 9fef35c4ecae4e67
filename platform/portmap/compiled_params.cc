// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/compiled_params.h"

#include <fmt/format.h>

namespace longhaul::portmap {

CompiledParams::CompiledParams(const std::vector<CompiledEntry>& entries) : entries_(&entries) {
  for (const CompiledEntry& entry : entries) {
    list_.add({entry.name.c_str(),
               entry.value,
               entry.description.c_str(),
               {Evidence::kChosen, "its port map"},
               entry.values});
  }
}

nlohmann::json CompiledParams::take(nlohmann::json params, const std::string& where) {
  params = list_.take(std::move(params), where);
  for (std::size_t i = 0; i < list_.params().size(); ++i) {
    const Param<std::string>& param = list_.params()[i];
    const std::string& compiled = (*entries_)[i].value;
    if (param.value == compiled) continue;
    throw ConfigError(fmt::format("{}.{}: this RTL object is compiled with {}, not with {}", where,
                                  param.name, compiled, param.value));
  }
  return params;
}

}  // namespace longhaul::portmap
