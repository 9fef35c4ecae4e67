// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "platform/cosim/bus/axi_pins.h"
#include "platform/cosim/pins.h"
#include "platform/cosim/rtl_model.h"

/// The Verilated blocks of tests/unit/platform/cosim/bus/rtl, as pins.
namespace longhaul::cosim::bus_test {

struct AxilRegs {
  std::unique_ptr<RtlModel> model;
  BitPin clock;
  Pin reset_n;
  AxiPins pins;
  Pin irq;
};
AxilRegs make_axil_regs_32();
AxilRegs make_axil_regs_64_combinational();

struct AxiDma {
  std::unique_ptr<RtlModel> model;
  BitPin clock;
  Pin reset_n;
  AxiPins pins;
  Pin valid, write, data_first, addr, len, size, burst, id, strb, stall, busy, resp;
};
AxiDma make_axi_dma(std::uint32_t bits);

}  // namespace longhaul::cosim::bus_test
