// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "platform/cosim/rtl_model.h"
#include "platform/cosim/trace_sink.h"
#include "rtl/gnet1/box/gnet1_pins.h"

namespace longhaul::cosim {

/// A Verilated gnet1_top, its pins, and its ports' counters as they are now: sixteen for each port,
/// in the order of their registers.
struct Gnet1Model {
  std::unique_ptr<RtlModel> rtl;
  Gnet1Pins pins;
  const std::uint32_t* counters = nullptr;
};

/// A fresh one, all inputs low.
Gnet1Model make_gnet1_model();
/// The same with tracing compiled in: its signals, but for those inside the modules of rtl/common,
/// go to `sink`, which outlives it.
Gnet1Model make_traced_gnet1_model(TraceSink& sink);

}  // namespace longhaul::cosim
