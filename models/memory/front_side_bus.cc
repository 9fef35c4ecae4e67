// SPDX-License-Identifier: Apache-2.0
#include "models/memory/front_side_bus.h"

namespace longhaul::memory {

FrontSideBus::FrontSideBus(const sc_core::sc_module_name& name, const InterconnectParams& params,
                           std::uint64_t line_bytes, std::size_t flows)
    : sc_module(name),
      line_bytes_(line_bytes),
      line_ps_((line_bytes + params.bus_bytes() - 1) / params.bus_bytes() *
               params.bus_transfer_rate().period_ps()),
      turn_ps_(params.bus_turn_clocks() * params.bus_clock().period_ps()),
      data_("data", flows) {}

std::uint64_t FrontSideBus::quote(const Crossing& crossing, std::uint64_t at_ps) const {
  return crossing.device ? at_ps : data_.quote(crossing.flow, at_ps, work_ps(crossing));
}

void FrontSideBus::book(const Crossing& crossing, std::uint64_t at_ps, std::uint64_t end_ps) {
  if (crossing.device) return;
  data_.book(crossing.flow, at_ps, end_ps, work_ps(crossing), crossing.lines * line_bytes_,
             crossing.write);
}

}  // namespace longhaul::memory
