// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/wan/wan_box.h"
#include "platform/cosim/object/rtl_object.h"
#include "platform/portmap/block_map.h"
#include "platform/portmap/block_part.h"
#include "platform/portmap/mapped_block.h"
#include "platform/portmap/mapped_port.h"

namespace longhaul::portmap {

/// A box in a long path that is implemented by a block of RTL.
class MappedBox final : public sc_core::sc_module, public wan::WanBox, public BlockPart {
 public:
  MappedBox(const sc_core::sc_module_name& name, const BlockMap& map,
            const cosim::RtlObject& object, const BlockParams& params);

  std::vector<wan::NamedPort> ports() override;
  nlohmann::json describe_params() const override;

 private:
  void start_of_simulation() override;

  MappedBlock block_;
  std::vector<std::pair<std::string, std::unique_ptr<MappedPort>>> ports_;
};

}  // namespace longhaul::portmap
