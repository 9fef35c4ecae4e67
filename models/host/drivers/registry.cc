// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/registry.h"

#include <fmt/format.h>

#include "models/common/param_json.h"
#include "models/host/drivers/e1000_driver.h"
#include "models/host/drivers/ixgb_driver.h"

namespace longhaul::host {
namespace {

struct Request {
  const std::string& module_name;
  const DriverSetup& setup;
  const nlohmann::json& params;
  const std::string& where;
};

std::unique_ptr<NetDevice> ixgb(const Request& request) {
  return std::make_unique<IxgbDriver>(request.module_name.c_str(), request.setup,
                                      ixgb_driver_params(request.params, request.where));
}

std::unique_ptr<NetDevice> e1000(const Request& request, bool fiber) {
  return std::make_unique<E1000Driver>(request.module_name.c_str(), request.setup,
                                       e1000_driver_params(request.params, request.where), fiber);
}
std::unique_ptr<NetDevice> e1000_fiber(const Request& request) { return e1000(request, true); }
std::unique_ptr<NetDevice> e1000_copper(const Request& request) { return e1000(request, false); }

struct DriverEntry {
  DeviceIds ids;
  std::unique_ptr<NetDevice> (*make)(const Request&);
};

// One line for each device. Ids: Linux ixgb_ids.h, e1000_hw.h.
constexpr DriverEntry kDrivers[] = {
    {{0x8086, 0x1048}, ixgb},          // 82597EX, LR
    {{0x8086, 0x1a48}, ixgb},          // 82597EX, SR
    {{0x8086, 0x1b48}, ixgb},          // 82597EX, LR (XPAK)
    {{0x8086, 0x109e}, ixgb},          // 82597EX, CX4
    {{0x8086, 0x1011}, e1000_fiber},   // 82545EM
    {{0x8086, 0x100f}, e1000_copper},  // 82545EM
    {{0x8086, 0x1012}, e1000_fiber},   // 82546EB
    {{0x8086, 0x1010}, e1000_copper},  // 82546EB
    {{0x8086, 0x1027}, e1000_fiber},   // 82545GM
    {{0x8086, 0x1026}, e1000_copper},  // 82545GM
    {{0x8086, 0x107a}, e1000_fiber},   // 82546GB
    {{0x8086, 0x1079}, e1000_copper},  // 82546GB
};

}  // namespace

std::unique_ptr<NetDevice> make_driver(const std::string& module_name, const DriverSetup& setup,
                                       const DeviceIds& ids, const nlohmann::json& params,
                                       const std::string& where) {
  std::string known;
  for (const DriverEntry& entry : kDrivers) {
    if (entry.ids.vendor == ids.vendor && entry.ids.device == ids.device)
      return entry.make({module_name, setup, params, where});
    known += fmt::format("{}{:04x}:{:04x}", known.empty() ? "" : ", ", entry.ids.vendor,
                         entry.ids.device);
  }
  throw ConfigError(fmt::format(
      "{}: no driver for {:04x}:{:04x} in slot {}, function {}; there are drivers for {}", where,
      ids.vendor, ids.device, setup.slot, setup.function, known));
}

}  // namespace longhaul::host
