// SPDX-License-Identifier: Apache-2.0
// Verilator's headers come first. After SystemC's headers, they would take the time from SystemC.
#include "Vgnet1Traced.h"
#include "Vgnet1Traced___024root.h"

#include "platform/cosim/traced_model.h"
#include "rtl/gnet1/box/gnet1_counters.h"
#include "rtl/gnet1/box/gnet1_model.h"

namespace longhaul::cosim {

Gnet1Model make_traced_gnet1_model(TraceSink& sink) {
  auto model = std::make_unique<TracedModel<Vgnet1Traced>>("gnet1", sink);
  const Gnet1Pins pins = gnet1_pins(model->pins());
  const std::uint32_t* const counters = gnet1_counters(*model->pins().rootp);
  return {std::move(model), pins, counters};
}

}  // namespace longhaul::cosim
