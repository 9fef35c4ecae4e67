// SPDX-License-Identifier: Apache-2.0
// Verilator's headers come first. After SystemC's headers, they would take the time from SystemC.
#include "VregeneratorTraced.h"

#include "platform/cosim/traced_model.h"
#include "rtl/regenerator/box/regenerator_model.h"

namespace longhaul::cosim::regenerator {

Model make_traced_model(TraceSink& sink) {
  auto model = std::make_unique<TracedModel<VregeneratorTraced>>("regenerator", sink);
  const Pins pins = pins_of(model->pins());
  return {std::move(model), pins};
}

}  // namespace longhaul::cosim::regenerator
