// SPDX-License-Identifier: Apache-2.0
#include "models/nic/blocks/mdio_device_type.h"

namespace longhaul {
namespace builtin {
void add_nic();
}

namespace nic {

Catalog<MdioDeviceType>& mdio_device_types() {
  static Catalog<MdioDeviceType> types("management device");
  builtin::add_nic();
  return types;
}

void refuse_registers(const MdioDeviceRequest& request, const char* what) {
  if (request.registers.empty()) return;
  throw ConfigError(
      fmt::format("{}.registers: the registers of {} are its own", request.where, what));
}

}  // namespace nic
}  // namespace longhaul
