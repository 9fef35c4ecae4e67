// SPDX-License-Identifier: Apache-2.0
#include "models/wan/frame_injector/frame_injector_params.h"

#include <fmt/format.h>

#include "models/common/param_json.h"
#include "models/wan/frame_injector/odd_kind.h"

namespace longhaul::wan::frame_injector {

FrameInjectorParams frame_injector_params_from(const nlohmann::json& json, const std::string& where,
                                               std::uint64_t seed) {
  FrameInjectorParams params;
  params.seed.value = seed;
  configure(params, json, where);
  static_cast<void>(odd_kinds_named(params.frames(), where + ".frames"));
  const sc_core::sc_time& every = params.cut_every();
  const sc_core::sc_time& length = params.cut_for();
  const auto refuse = [&where](const char* name, const std::string& what) {
    throw ConfigError(fmt::format("{}.{}: {}", where, name, what));
  };
  const sc_core::sc_time never{};
  if (every == never && length != never)
    refuse("cut_for", fmt::format("the cable is never cut; set cut_every to more than {}",
                                  length.to_string()));
  if (every != never && length == never)
    refuse("cut_for", fmt::format("a cut of no length; wants more than 0 s and less than {}",
                                  every.to_string()));
  if (every != never && length >= every)
    refuse("cut_for",
           fmt::format("{} is no shorter than cut_every, {}: the cable would never light",
                       length.to_string(), every.to_string()));
  return params;
}

}  // namespace longhaul::wan::frame_injector
