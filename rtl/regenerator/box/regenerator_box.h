// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "models/common/param.h"
#include "models/wan/wan_box.h"
#include "platform/cosim/rtl_block.h"
#include "platform/cosim/wave_trace.h"
#include "platform/cosim/wire/wire_port.h"
#include "platform/observe/traced_part.h"
#include "rtl/regenerator/box/regenerator_model.h"

namespace longhaul::cosim::regenerator {

constexpr double kFarthestPpm = 200;

/// Offsets of the clocks. Set the offsets of the links (`a_ppm`, `b_ppm`) to the same values.
struct Params {
  Param<double> clock_ppm{"clock_ppm",
                          0,
                          "offset of the box's clock, ppm",
                          {Evidence::kChosen, "rtl/regenerator/README.md"},
                          Range<double>{-kFarthestPpm / 2, kFarthestPpm / 2}};
  Param<double> west_ppm{"west_ppm",
                         0,
                         "offset of the clock that the west port receives with, ppm",
                         {Evidence::kChosen, "rtl/regenerator/README.md"},
                         Range<double>{-kFarthestPpm / 2, kFarthestPpm / 2}};
  Param<double> east_ppm{"east_ppm",
                         0,
                         "offset of the clock that the east port receives with, ppm",
                         {Evidence::kChosen, "rtl/regenerator/README.md"},
                         Range<double>{-kFarthestPpm / 2, kFarthestPpm / 2}};
  auto fields() { return std::tie(clock_ppm, west_ppm, east_ppm); }
};

/// The regenerator as its RTL (rtl/regenerator), Verilated: a box with the ports west and east.
///
/// It is powered up before SystemC's time zero. A receive clock stops while no frame arrives.
class RegeneratorBox final : public sc_core::sc_module,
                             public wan::WanBox,
                             public observe::TracedPart {
 public:
  RegeneratorBox(const sc_core::sc_module_name& name, const Params& params);

  std::vector<wan::NamedPort> ports() override {
    return {{"west", &west_.port}, {"east", &east_.port}};
  }
  nlohmann::json describe_params() const override;
  /// Replaces the model by the traced one. Its signals go to the scope `rtl`. Call it before the
  /// simulation starts.
  void trace(const observe::WaveScope& scope) override;

 private:
  void start_of_simulation() override;

  const Params params_;
  std::function<Model()> make_model_ = make_model;
  std::unique_ptr<WaveTrace> trace_;  // only if traced; outlives the model
  Model model_;
  RtlBlock block_{"rtl"};
  WirePort west_{"west", block_};
  WirePort east_{"east", block_};
};

}  // namespace longhaul::cosim::regenerator
