// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/kernel_layout.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "models/common/param.h"
#include "platform/json/json_text.h"

namespace longhaul::guest {

KernelLayout::KernelLayout(const std::string& path) : path_(path) {
  std::ifstream in(path);
  if (!in) throw ConfigError("kernel_layout: " + path + " cannot be read");
  const auto [json, wrong] = parse_json({std::istreambuf_iterator<char>(in), {}});
  if (!wrong.empty()) throw ConfigError("kernel_layout: " + path + ": " + wrong);
  try {
    hz_ = json.at("hz").get<std::uint32_t>();
    for (const auto& [name, address] : json.at("symbols").items())
      symbols_[name] = address.get<std::uint64_t>();
    for (const auto& [name, field] : json.at("fields").items()) {
      const Field read{field.at("offset").get<std::uint32_t>(),
                       field.at("bytes").get<std::uint32_t>(), field.value("mask", ~0ULL)};
      if (read.mask == 0 || read.offset > 65536 || read.bytes > 65536)
        throw ConfigError(fmt::format("kernel_layout: {}: field {}", path, name));
      fields_[name] = read;
    }
  } catch (const nlohmann::json::exception&) {
    throw ConfigError("kernel_layout: " + path +
                      R"(: wants {"hz", "symbols", "fields"} as numbers)");
  }
  if (hz_ == 0) throw ConfigError("kernel_layout: " + path + ": hz is 0");
}

KernelLayout::Field KernelLayout::field(const std::string& name) const {
  const auto found = fields_.find(name);
  if (found == fields_.end())
    throw ConfigError("kernel_layout: " + path_ + " has no field '" + name + "'");
  return found->second;
}

std::uint64_t KernelLayout::symbol(const std::string& name) const {
  const auto found = symbols_.find(name);
  if (found == symbols_.end())
    throw ConfigError("kernel_layout: " + path_ + " has no symbol '" + name + "'");
  return found->second;
}

}  // namespace longhaul::guest
