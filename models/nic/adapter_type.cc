// SPDX-License-Identifier: Apache-2.0
#include "models/nic/adapter_type.h"

namespace longhaul {
namespace builtin {
void add_nic();
}

namespace nic {

Catalog<AdapterType>& adapter_types() {
  static Catalog<AdapterType> types("adapter");
  builtin::add_nic();
  return types;
}

void refuse_second_function(const AdapterRequest& request, const char* what) {
  if (request.function0 != nullptr)
    throw ConfigError(fmt::format("{}.function: {} has function 0 only", request.where, what));
}

}  // namespace nic
}  // namespace longhaul
