// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/driver_type.h"

#include <algorithm>

#include "models/host/builtin.h"

namespace longhaul::host {

Catalog<DriverType>& driver_types() {
  static Catalog<DriverType> types("driver");
  builtin::add_host();
  return types;
}

std::unique_ptr<NetDevice> make_driver(const DriverRequest& request) {
  std::string known;
  for (const DriverType& type : driver_types().all()) {
    if (std::find(type.ids.begin(), type.ids.end(), request.ids) != type.ids.end())
      return type.make(request);
    for (const pcix::FunctionIds& ids : type.ids)
      known += fmt::format("{}{:04x}:{:04x}", known.empty() ? "" : ", ", ids.vendor, ids.device);
  }
  throw ConfigError(fmt::format(
      "{}: no driver for {:04x}:{:04x} in slot {}, function {}; there are drivers for {}",
      request.where, request.ids.vendor, request.ids.device, request.setup.slot,
      request.setup.function, known));
}

}  // namespace longhaul::host
