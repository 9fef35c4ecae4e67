// SPDX-License-Identifier: Apache-2.0
#include "models/wan/nistnet/nistnet.h"

#include "models/common/param_json.h"

namespace longhaul::wan {

Nistnet::Nistnet(const sc_core::sc_module_name& name, const NistnetParams& params)
    : sc_core::sc_module(name),
      cpu("cpu", params.cpu.halt_exit()),
      bus(params.bus, params.adapter.burst().count, params.cpu.memory_latency(), sc_module::name()),
      path("path", params, cpu),
      west("west", params.adapter, params.cpu, params.bus.interrupt_latency(), cpu, bus,
           path.input(PacketPath::kWest)),
      east("east", params.adapter, params.cpu, params.bus.interrupt_latency(), cpu, bus,
           path.input(PacketPath::kEast)),
      params_(params) {
  path.join(west, east);
}

nlohmann::json Nistnet::describe_params() const { return describe(params_); }

}  // namespace longhaul::wan
