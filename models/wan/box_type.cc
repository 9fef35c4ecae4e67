// SPDX-License-Identifier: Apache-2.0
#include "models/wan/box_type.h"

namespace longhaul {
namespace builtin {
void add_wan();
}

namespace wan {

Catalog<BoxType>& box_types() {
  static Catalog<BoxType> types("box");
  builtin::add_wan();
  return types;
}

}  // namespace wan
}  // namespace longhaul
