// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "models/common/param.h"
#include "platform/portmap/block_map.h"
#include "platform/portmap/board_params.h"
#include "platform/portmap/compiled_params.h"
#include "platform/portmap/input_params.h"

namespace longhaul::portmap {

/// Numbers of every part that is implemented by RTL.
struct BlockParams {
  Param<std::string> rules{
      "rules",
      "fail",
      "what a broken rule or a failed assertion does: fail ends the run, count "
      "counts it",
      {Evidence::kChosen, "docs/port_maps.md"},
      {"fail", "count"}};
  Param<bool> gating{"gating",
                     true,
                     "clocks that may stand still, by the port map, do; a run is the same without",
                     {Evidence::kChosen, "docs/port_maps.md"}};
  CompiledParams compiled;  ///< parameters of the top module
  InputParams inputs;       ///< the block's own inputs
  BoardParams board;        ///< what lies beside it
  auto fields() { return std::tie(rules, gating); }

  BlockParams() = default;
  /// With the parameters that the map brings. `map` must outlive this object.
  explicit BlockParams(const BlockMap& map)
      : compiled(map.compiled), inputs(map.inputs), board(map) {}

  /// Reads the parameters that the map brings, and returns the others (CompiledParams::take,
  /// InputParams::take, BoardParams::take).
  nlohmann::json take(nlohmann::json params, const std::string& where, std::uint32_t index) {
    params = compiled.take(std::move(params), where);
    return board.take(inputs.take(std::move(params), where), where, index);
  }
  nlohmann::json describe(nlohmann::json list) const {
    return board.describe(inputs.describe(compiled.describe(std::move(list))));
  }
  nlohmann::json describe_defaults(nlohmann::json list) const {
    list = compiled.describe_defaults(std::move(list));
    return board.describe_defaults(inputs.describe_defaults(std::move(list)));
  }
};

}  // namespace longhaul::portmap
