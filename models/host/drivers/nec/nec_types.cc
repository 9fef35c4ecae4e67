// SPDX-License-Identifier: Apache-2.0
// The drivers of NEC-TOE's adapters in the catalogue.
#include "models/common/param_json.h"
#include "models/host/drivers/chelsio/offload/toe_driver.h"
#include "models/host/drivers/driver_type.h"
#include "models/host/drivers/nec/gigabit_board.h"
#include "models/host/drivers/nec/nec_params.h"

namespace longhaul::host::nec {
namespace {

std::unique_ptr<NetDevice> make(const DriverRequest& request, const NecDriverParams& defaults) {
  const NecDriverParams params =
      nec_driver_params(defaults, request.params, request.setup.net, request.where);
  const chelsio::MakeBoard board = [](chelsio::RegisterAccess& registers) {
    return std::make_unique<GigabitBoard>(registers);
  };
  const char* const name = request.module_name.c_str();
  if (params.offloads())
    return std::make_unique<chelsio::ToeDriver>(name, request.setup, params, board,
                                                describe(params));
  return std::make_unique<chelsio::CxgbDriver>(name, request.setup, params, board,
                                               describe(params));
}

}  // namespace

LONGHAUL_PLUGIN(nec_drivers) {
  DriverType parallel{};
  parallel.name = "nectoe-parallel";
  parallel.title = "Driver of NEC-TOE's parallel offload engine";
  parallel.ids = {{0x1033, 0x7001}};
  parallel.make = [](const DriverRequest& request) { return make(request, parallel_driver()); };
  parallel.describe_defaults = [] { return describe_defaults(parallel_driver()); };
  driver_types().add(std::move(parallel));

  DriverType pipeline{};
  pipeline.name = "nectoe-pipeline";
  pipeline.title = "Driver of NEC-TOE's pipeline offload engine";
  pipeline.ids = {{0x1033, 0x7002}};
  pipeline.make = [](const DriverRequest& request) { return make(request, pipeline_driver()); };
  pipeline.describe_defaults = [] { return describe_defaults(pipeline_driver()); };
  driver_types().add(std::move(pipeline));
}

}  // namespace longhaul::host::nec
