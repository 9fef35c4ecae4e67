// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/nic/blocks/little_endian.h"
#include "models/nic/intel/descriptor_ring.h"
#include "models/nic/intel/descriptors.h"

namespace longhaul::nic::intel {

/// The interrupts that transmit descriptors with RS ask for.
struct TxReports {
  bool with_delay = false;  ///< some have IDE
  bool without = false;     ///< some have none
};

/// Returns those of the positions `begin` to `end` (exclusive), which are on chip.
inline TxReports reports_of(DescriptorRing& ring, std::uint64_t begin, std::uint64_t end) {
  TxReports reports;
  for (std::uint64_t position = begin; position < end; ++position) {
    const std::uint32_t word = read_le32(ring.slot(position) + 8);
    if ((word & tx::kRs) == 0) continue;
    ((word & tx::kIde) != 0 ? reports.with_delay : reports.without) = true;
  }
  return reports;
}

}  // namespace longhaul::nic::intel
