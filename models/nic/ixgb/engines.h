// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/nic/ixgb/params.h"

namespace longhaul::nic::ixgb {

/// The parameters of an adapter whose engines have the speeds called `engines`
/// (IxgbParams::engines): the defaults fit Intel's adapter, those of "rtl" are counted in the
/// clocks of rtl/nic.
IxgbParams with_engines(const std::string& engines);

}  // namespace longhaul::nic::ixgb
