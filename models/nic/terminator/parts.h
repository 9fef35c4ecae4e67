// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "models/common/register_bank.h"
#include "models/nic/terminator/params.h"
#include "models/nic/terminator/response_queue.h"
#include "models/nic/terminator/sge_control.h"
#include "models/pcix/dma_engine.h"

namespace longhaul::nic::terminator {

/// The parts of the device that the units of the SGE share.
struct SgeParts {
  const TerminatorParams& params;  ///< read at each use: the device may change the speeds
  RegisterBank& bank;
  pcix::DmaEngine& dma;
  SgeControl& control;
  ResponseQueue& responses;
  /// Called when a transfer met an abort, or bus mastering is disabled.
  std::function<void(pcix::DmaStatus)> bus_error;
};

}  // namespace longhaul::nic::terminator
