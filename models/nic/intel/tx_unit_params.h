// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/common/units.h"
#include "models/nic/intel/engine_speed.h"

namespace longhaul::nic::intel {

/// Sizes and speeds of a transmit unit. An adapter takes them from its own Params, which give their
/// sources.
struct TxUnitParams {
  Bytes fifo;
  Bytes largest_fifo;  ///< limit of set_fifo()
  std::uint32_t fifo_granule;
  std::uint32_t descriptor_cache;
  std::uint32_t descriptor_burst;
  Frequency engine_clock;
  EngineSpeed speed;
  bool cwr_first_only;
  std::uint32_t max_frame_bytes;  ///< without FCS and VLAN tag
};

}  // namespace longhaul::nic::intel
