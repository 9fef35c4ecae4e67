// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/common/param.h"
#include "models/wan/wan_box.h"
#include "platform/cosim/object/rtl_object.h"
#include "platform/observe/traced_part.h"
#include "platform/portmap/block_map.h"
#include "platform/portmap/mapped_block.h"
#include "platform/portmap/mapped_port.h"

namespace longhaul::portmap {

/// Numbers of a box whose inside is RTL.
struct BoxParams {
  Param<std::string> rules{"rules",
                           "fail",
                           "what a failed assertion does: fail ends the run, count counts it",
                           {Evidence::kChosen, "docs/port_maps.md"},
                           {"fail", "count"}};
  Param<bool> gating{"gating",
                     true,
                     "clocks that may stand still, by the port map, do; a run is the same without",
                     {Evidence::kChosen, "docs/port_maps.md"}};
  auto fields() { return std::tie(rules, gating); }
};

/// A box in a long path whose inside is a block of RTL.
class MappedBox final : public sc_core::sc_module, public wan::WanBox, public observe::TracedPart {
 public:
  MappedBox(const sc_core::sc_module_name& name, const BlockMap& map,
            const cosim::RtlObject& object, const BoxParams& params);

  std::vector<wan::NamedPort> ports() override;
  nlohmann::json describe_params() const override;
  void trace(const observe::WaveScope& scope) override { block_.trace(scope); }

 private:
  void start_of_simulation() override;

  const BoxParams params_;
  MappedBlock block_;
  std::vector<std::pair<std::string, std::unique_ptr<MappedPort>>> ports_;
};

}  // namespace longhaul::portmap
