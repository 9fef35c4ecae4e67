// SPDX-License-Identifier: Apache-2.0
// Verilator's headers come first. After SystemC's headers, they would take the time from SystemC.
#include "Vgnet1.h"
#include "Vgnet1___024root.h"

#include "platform/cosim/verilated_model.h"
#include "rtl/gnet1/box/gnet1_counters.h"
#include "rtl/gnet1/box/gnet1_model.h"

namespace longhaul::cosim {

Gnet1Model make_gnet1_model() {
  auto model = std::make_unique<VerilatedModel<Vgnet1>>("gnet1");
  const Gnet1Pins pins = gnet1_pins(model->pins());
  const std::uint32_t* const counters = gnet1_counters(*model->pins().rootp);
  return {std::move(model), pins, counters};
}

}  // namespace longhaul::cosim
