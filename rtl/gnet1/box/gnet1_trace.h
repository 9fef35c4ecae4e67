// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/cosim/wave_trace.h"

namespace longhaul::cosim {

/// Waves of rtl/gnet1 (docs/waves.md): pins, settings, counters, and of each port the
/// handshakes and words between the stages, their states and decisions.
TraceSelection gnet1_trace();

}  // namespace longhaul::cosim
