// SPDX-License-Identifier: Apache-2.0
#include "models/net/switch/switch_type.h"

#include "models/common/param_json.h"
#include "models/net/switch/switch.h"

namespace longhaul {
namespace builtin {
void add_net();
}

Catalog<SwitchType>& switch_types() {
  static Catalog<SwitchType> types("switch");
  builtin::add_net();
  return types;
}

LONGHAUL_PLUGIN(switches) {
  for (const KnownSwitch& known : known_switches()) {
    SwitchType type{};
    type.name = known.name;
    type.title = known.title;
    type.make = [params = known.params](const SwitchRequest& request) {
      SwitchParams own = params;
      configure(own, request.params, request.where);
      return std::make_unique<Switch>(request.module_name, request.ports, own);
    };
    type.describe_defaults = [params = known.params] { return describe_defaults(params); };
    switch_types().add(std::move(type));
  }
}

}  // namespace longhaul
