// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "platform/cosim/rtl_model.h"
#include "platform/cosim/trace_sink.h"
#include "rtl/gnet1/box/gnet1_pins.h"

namespace longhaul::cosim {

/// A Verilated gnet1_top, its pins, and the current counters of its ports: sixteen a port, in the
/// order of their registers.
struct Gnet1Model {
  std::unique_ptr<RtlModel> rtl;
  Gnet1Pins pins;
  const std::uint32_t* counters = nullptr;
};

/// Makes a new model with all inputs low.
Gnet1Model make_gnet1_model();
/// Makes a new model that is compiled with tracing, with all inputs low. It sends its signals to
/// `sink`, except those inside the modules of rtl/common. `sink` must outlive the model.
Gnet1Model make_traced_gnet1_model(TraceSink& sink);

}  // namespace longhaul::cosim
