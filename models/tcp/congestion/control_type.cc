// SPDX-License-Identifier: Apache-2.0
#include "models/tcp/congestion/control_type.h"

#include "models/tcp/congestion/config.h"

namespace longhaul {
namespace builtin {
void add_congestion();
}

namespace tcp {

Catalog<ControlType>& congestion_controls() {
  static Catalog<ControlType> controls("congestion control");
  builtin::add_congestion();
  return controls;
}

std::unique_ptr<CongestionControl> make_congestion_control(const CongestionConfig& config) {
  if (const ControlType* const type = congestion_controls().look(config.congestion_control))
    return type->make(config);
  fail_unknown_name("congestion_control", config.congestion_control, congestion_controls().names(),
                    "tcp");
}

}  // namespace tcp
}  // namespace longhaul
