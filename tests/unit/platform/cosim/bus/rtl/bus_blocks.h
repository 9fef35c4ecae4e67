// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "platform/cosim/bus/apb_pins.h"
#include "platform/cosim/bus/axi_pins.h"
#include "platform/cosim/bus/axi_stream_pins.h"
#include "platform/cosim/bus/wishbone_pins.h"
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

struct ApbRegs {
  std::unique_ptr<RtlModel> model;
  BitPin clock;
  ApbPins pins;
};
ApbRegs make_apb_regs(bool waits);

enum class WishboneKind { kCombinational, kRegistered, kPipelined };
struct WishboneRegs {
  std::unique_ptr<RtlModel> model;
  BitPin clock;
  WishbonePins pins;
};
WishboneRegs make_wishbone_regs(WishboneKind kind);

struct WishboneCopy {
  std::unique_ptr<RtlModel> model;
  BitPin clock;
  WishbonePins pins;
  Pin start, from, to, words, sel, busy, error;
};
WishboneCopy make_wishbone_copy(bool pipelined);

struct AxiStreamFifo {
  std::unique_ptr<RtlModel> model;
  BitPin clock;
  AxiStreamPins in, out;
};
AxiStreamFifo make_axi_stream_fifo();

}  // namespace longhaul::cosim::bus_test
