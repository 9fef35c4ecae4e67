// SPDX-License-Identifier: Apache-2.0
// The drivers of the N110 and of the T110 in the catalogue.
#include "models/common/param_json.h"
#include "models/host/drivers/chelsio/offload/toe_driver.h"
#include "models/host/drivers/chelsio/t1_board.h"
#include "models/host/drivers/driver_type.h"

namespace longhaul::host::chelsio {
namespace {

MakeBoard t1_board(T1Board::Kind kind) {
  return [kind](RegisterAccess& registers) { return std::make_unique<T1Board>(registers, kind); };
}

}  // namespace

LONGHAUL_PLUGIN(cxgb_driver) {
  DriverType type{};
  type.name = "cxgb";
  type.title = "Chelsio's driver cxgb 2.1.1 of the N110";
  type.ids = {{0x1425, 0x0007}};  // subr.c: t1_pci_tbl
  type.make = [](const DriverRequest& request) -> std::unique_ptr<NetDevice> {
    const CxgbDriverParams params = cxgb_driver_params(request.params, request.where);
    return std::make_unique<CxgbDriver>(request.module_name.c_str(), request.setup, params,
                                        t1_board(T1Board::Kind::kN110), describe(params));
  };
  type.describe_defaults = [] { return describe_defaults(CxgbDriverParams{}); };
  driver_types().add(std::move(type));
}

LONGHAUL_PLUGIN(cxgbtoe_driver) {
  DriverType type{};
  type.name = "cxgbtoe";
  type.title = "Chelsio's drivers cxgbtoe 2.1.1 and chtoe of the T110";
  type.ids = {{0x1425, 0x0006}, {0x1425, 0x0008}};  // illumos ch_subr.c, Linux subr.c
  type.make = [](const DriverRequest& request) -> std::unique_ptr<NetDevice> {
    const MakeBoard board = t1_board(request.ids.device == 0x0006 ? T1Board::Kind::kT110Fibre
                                                                  : T1Board::Kind::kT110Cx4);
    const ToeDriverParams params =
        toe_driver_params(request.params, request.setup.net, request.where);
    const char* const name = request.module_name.c_str();
    if (params.offload())
      return std::make_unique<ToeDriver>(name, request.setup, params, board, describe(params));
    return std::make_unique<CxgbDriver>(name, request.setup, params, board, describe(params));
  };
  type.describe_defaults = [] { return describe_defaults(ToeDriverParams{}); };
  driver_types().add(std::move(type));
}

}  // namespace longhaul::host::chelsio
