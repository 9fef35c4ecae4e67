// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/registry.h"

#include <fmt/format.h>

#include <array>

#include "models/common/echo.h"
#include "models/common/param_json.h"
#include "models/nic/e1000/e1000.h"
#include "models/nic/genesis/genesis.h"
#include "models/nic/ixgb/ixgb.h"
#include "models/wan/delay_box/delay_box.h"
#include "models/wan/gnet1/gnet1_twin.h"
#include "models/wan/nistnet/nistnet.h"
#include "platform/cosim/gnet1/gnet1_rtl.h"

namespace longhaul::assembly {
namespace {

template <class Part>
struct Entry {
  const char* type;
  std::unique_ptr<Part> (*make)(const PartRequest&);
};

std::unique_ptr<nic::Adapter> make_ixgb(const PartRequest& request) {
  if (request.function0 != nullptr)
    throw ConfigError(request.where + ".function: an ixgb has function 0 only");
  return nic::ixgb::make_ixgb(request.module_name, request.params, request.index);
}

std::unique_ptr<nic::Adapter> make_e1000(const PartRequest& request) {
  auto* const lan_a = dynamic_cast<nic::e1000::E1000*>(request.function0);
  if (request.function0 != nullptr && lan_a == nullptr)
    throw ConfigError(request.where + ".function: function 0 of its slot is no e1000");
  return nic::e1000::make_e1000(request.module_name, request.params, request.index, lan_a);
}

std::unique_ptr<nic::Adapter> make_genesis(const PartRequest& request) {
  if (request.function0 != nullptr)
    throw ConfigError(request.where + ".function: a genesis has function 0 only");
  return nic::genesis::make_genesis(request.module_name, request.params, request.index);
}

std::unique_ptr<wan::WanBox> make_delay_box(const PartRequest& request) {
  return std::make_unique<DelayBox>(
      request.module_name, delay_box_params_from(request.params, request.where, request.seed));
}

/// "model" says which of the two insides: the RTL or its twin.
std::unique_ptr<wan::WanBox> make_gnet1(const PartRequest& request) {
  nlohmann::json params = request.params;
  const std::string model = text_of(params, "model", "rtl", request.where);
  if (params.is_object()) params.erase("model");
  const wan::Gnet1Params numbers = wan::gnet1_params_from(params, request.where, request.seed);
  if (model == "rtl") return std::make_unique<cosim::Gnet1Rtl>(request.module_name, numbers);
  if (model == "tlm") return std::make_unique<wan::Gnet1Twin>(request.module_name, numbers);
  fail_unknown_name("model of gnet1", model, {"rtl", "tlm"}, request.where + ".model");
}

std::unique_ptr<wan::WanBox> make_nistnet(const PartRequest& request) {
  return std::make_unique<wan::Nistnet>(
      request.module_name, wan::nistnet_params_from(request.params, request.where, request.seed));
}

// One line for each kind of adapter and of box.
constexpr std::array kAdapters{
    Entry<nic::Adapter>{"ixgb", make_ixgb},
    Entry<nic::Adapter>{"e1000", make_e1000},
    Entry<nic::Adapter>{"genesis", make_genesis},
};
constexpr std::array kBoxes{
    Entry<wan::WanBox>{"delay_box", make_delay_box},
    Entry<wan::WanBox>{"gnet1", make_gnet1},
    Entry<wan::WanBox>{"nistnet", make_nistnet},
};

template <class Entries>
std::vector<std::string> types_of(const Entries& entries) {
  std::vector<std::string> types;
  types.reserve(entries.size());
  for (const auto& entry : entries) types.emplace_back(entry.type);
  return types;
}

template <class Entries>
auto make(const Entries& entries, const char* what, const std::string& type,
          const PartRequest& request) {
  for (const auto& entry : entries) {
    if (type == entry.type) return entry.make(request);
  }
  throw ConfigError(fmt::format("{}: no {} of type '{}'; nearest is '{}'", request.where, what,
                                echo(type), nearest(type, types_of(entries))));
}

}  // namespace

std::unique_ptr<nic::Adapter> make_adapter(const std::string& type, const PartRequest& request) {
  return make(kAdapters, "adapter", type, request);
}
std::unique_ptr<wan::WanBox> make_box(const std::string& type, const PartRequest& request) {
  return make(kBoxes, "box", type, request);
}

std::vector<std::string> adapter_types() { return types_of(kAdapters); }
std::vector<std::string> box_types() { return types_of(kBoxes); }

}  // namespace longhaul::assembly
