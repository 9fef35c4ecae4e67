// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "platform/cosim/gnet1/gnet1_pins.h"
#include "platform/cosim/rtl_model.h"

namespace longhaul::cosim {

/// A Verilated gnet1_top and its pins.
struct Gnet1Model {
  std::unique_ptr<RtlModel> rtl;
  Gnet1Pins pins;
};

/// A fresh one, all inputs low.
Gnet1Model make_gnet1_model();

}  // namespace longhaul::cosim
