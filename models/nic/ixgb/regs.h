// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/nic/intel/descriptors.h"
#include "models/nic/ixgb/registers.h"

/// The 82597EX's registers (registers.h, from rtl/nic/nic.rdl) and its descriptors, which are those
/// that Intel's controllers share.
namespace longhaul::nic::ixgb::regs {

namespace rx_status = intel::rx_status;
namespace rx_error = intel::rx_error;
namespace tx = intel::tx;

}  // namespace longhaul::nic::ixgb::regs
