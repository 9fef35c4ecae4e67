// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/input_params.h"

#include <tuple>

#include "models/common/low_bits.h"
#include "models/common/param_json.h"

namespace longhaul::portmap {
namespace {

/// One input as a struct of parameters.
struct One {
  Param<std::uint64_t>& param;
  auto fields() { return std::tie(param); }
};

}  // namespace

InputParams::InputParams(const std::vector<InputEntry>& entries) : entries_(&entries) {
  for (const InputEntry& entry : entries) {
    const std::uint32_t width = entry.pin.width;
    const std::uint64_t most = low_bits(width);
    params_.push_back({entry.name.c_str(),
                       entry.value,
                       entry.description.c_str(),
                       {Evidence::kChosen, "its port map"},
                       Range<std::uint64_t>{0, most}});
  }
}

nlohmann::json InputParams::take(nlohmann::json params, const std::string& where) {
  if (!params.is_object()) return params;
  for (Param<std::uint64_t>& param : params_) {
    if (!params.contains(param.name)) continue;
    One one{param};
    configure(one, {{param.name, params.at(param.name)}}, where);
    params.erase(param.name);
  }
  return params;
}

nlohmann::json InputParams::describe(nlohmann::json list) const {
  for (Param<std::uint64_t> param : params_) {
    for (nlohmann::json& each : longhaul::describe(One{param})) list.push_back(std::move(each));
  }
  return list;
}

nlohmann::json InputParams::describe_defaults(nlohmann::json list) const {
  for (Param<std::uint64_t> param : params_) {
    for (nlohmann::json& each : longhaul::describe_defaults(One{param}))
      list.push_back(std::move(each));
  }
  return list;
}

std::vector<std::pair<PinPlace, std::uint64_t>> InputParams::values() const {
  std::vector<std::pair<PinPlace, std::uint64_t>> values;
  for (std::size_t i = 0; i < params_.size(); ++i)
    values.emplace_back((*entries_)[i].pin, params_[i].value);
  return values;
}

}  // namespace longhaul::portmap
