// SPDX-License-Identifier: Apache-2.0
#include "models/wan/nistnet/nistnet_params.h"

#include "models/common/param_json.h"
#include "models/common/param_set.h"

namespace longhaul::wan {
namespace {

constexpr Source kNistnetUser{Evidence::kChosen, "models/wan/nistnet/README.md#models"};
const Range<sc_core::sc_time> kDelays{sc_core::SC_ZERO_TIME, sc_core::sc_time(10, sc_core::SC_SEC)};

}  // namespace

NistnetSettings::NistnetSettings()
    : delay_west{"delay_west", sc_core::SC_ZERO_TIME,
                 "delay of frames that arrive at the west port", kNistnetUser, kDelays},
      delay_east{"delay_east", sc_core::SC_ZERO_TIME,
                 "delay of frames that arrive at the east port", kNistnetUser, kDelays} {}

NistnetBusParams::NistnetBusParams() {
  const Source slot{
      Evidence::kAssumed,
      "models/wan/nistnet/README.md#open-numbers: the SK-9843 is a PCI 64/66 adapter"};
  set(bus.protocol, "pci", slot);
  set(bus.clock, nic::sk9843::kFastestBus.value, slot);
}

NistnetParams nistnet_params_from(const nlohmann::json& json, const std::string& where,
                                  std::uint64_t seed) {
  NistnetParams params;
  params.settings.seed.value = seed;
  configure(params, json, where);
  return params;
}

}  // namespace longhaul::wan
