// SPDX-License-Identifier: Apache-2.0
// Verilator's headers, seen after SystemC's, would ask SystemC for the time: they come first.
#include "VAxiDma32.h"
#include "VAxiDma512.h"
#include "VAxiDma64.h"
#include "VAxilRegs32.h"
#include "VAxilRegs64Comb.h"

#include "platform/cosim/verilated_model.h"
#include "tests/unit/platform/cosim/bus/rtl/bus_blocks.h"

#include <stdexcept>

namespace longhaul::cosim::bus_test {
namespace {

// A port of the module as a pin, with the width that the module declares.
#define PORT(name, width) Pin(&v.name, 0, width)

template <class Model>
AxilRegs make_axil_regs(std::uint32_t bits) {
  auto model = std::make_unique<VerilatedModel<Model>>("axil_regs");
  Model& v = model->pins();
  AxilRegs block;
  block.clock = {&v.clk_i};
  block.reset_n = PORT(rst_ni, 1);
  block.irq = PORT(irq_o, 1);
  AxiPins& p = block.pins;
  p.reset = {block.reset_n, true};
  p.aw.addr = PORT(awaddr_i, 8);
  p.aw.valid = PORT(awvalid_i, 1);
  p.aw.ready = PORT(awready_o, 1);
  p.w.data = PORT(wdata_i, bits);
  p.w.strb = PORT(wstrb_i, bits / 8);
  p.w.valid = PORT(wvalid_i, 1);
  p.w.ready = PORT(wready_o, 1);
  p.b.resp = PORT(bresp_o, 2);
  p.b.valid = PORT(bvalid_o, 1);
  p.b.ready = PORT(bready_i, 1);
  p.ar.addr = PORT(araddr_i, 8);
  p.ar.valid = PORT(arvalid_i, 1);
  p.ar.ready = PORT(arready_o, 1);
  p.r.data = PORT(rdata_o, bits);
  p.r.resp = PORT(rresp_o, 2);
  p.r.valid = PORT(rvalid_o, 1);
  p.r.ready = PORT(rready_i, 1);
  block.model = std::move(model);
  return block;
}

template <class Model>
AxiDma make_dma(std::uint32_t bits) {
  auto model = std::make_unique<VerilatedModel<Model>>("axi_dma");
  Model& v = model->pins();
  AxiDma block;
  block.clock = {&v.clk_i};
  block.reset_n = PORT(rst_ni, 1);
  AxiPins& p = block.pins;
  p.reset = {block.reset_n, true};
  p.aw.id = PORT(awid_o, 4);
  p.aw.addr = PORT(awaddr_o, 64);
  p.aw.len = PORT(awlen_o, 8);
  p.aw.size = PORT(awsize_o, 3);
  p.aw.burst = PORT(awburst_o, 2);
  p.aw.valid = PORT(awvalid_o, 1);
  p.aw.ready = PORT(awready_i, 1);
  p.w.data = PORT(wdata_o, bits);
  p.w.strb = PORT(wstrb_o, bits / 8);
  p.w.last = PORT(wlast_o, 1);
  p.w.valid = PORT(wvalid_o, 1);
  p.w.ready = PORT(wready_i, 1);
  p.b.id = PORT(bid_i, 4);
  p.b.resp = PORT(bresp_i, 2);
  p.b.valid = PORT(bvalid_i, 1);
  p.b.ready = PORT(bready_o, 1);
  p.ar.id = PORT(arid_o, 4);
  p.ar.addr = PORT(araddr_o, 64);
  p.ar.len = PORT(arlen_o, 8);
  p.ar.size = PORT(arsize_o, 3);
  p.ar.burst = PORT(arburst_o, 2);
  p.ar.valid = PORT(arvalid_o, 1);
  p.ar.ready = PORT(arready_i, 1);
  p.r.id = PORT(rid_i, 4);
  p.r.data = PORT(rdata_i, bits);
  p.r.resp = PORT(rresp_i, 2);
  p.r.last = PORT(rlast_i, 1);
  p.r.valid = PORT(rvalid_i, 1);
  p.r.ready = PORT(rready_o, 1);
  block.valid = PORT(cmd_valid_i, 1);
  block.write = PORT(cmd_write_i, 1);
  block.data_first = PORT(cmd_data_first_i, 1);
  block.addr = PORT(cmd_addr_i, 64);
  block.len = PORT(cmd_len_i, 8);
  block.size = PORT(cmd_size_i, 3);
  block.burst = PORT(cmd_burst_i, 2);
  block.id = PORT(cmd_id_i, 4);
  block.strb = PORT(cmd_strb_i, bits / 8);
  block.stall = PORT(stall_i, 1);
  block.busy = PORT(busy_o, 1);
  block.resp = PORT(resp_o, 2);
  block.model = std::move(model);
  return block;
}

#undef PORT

}  // namespace

AxilRegs make_axil_regs_32() { return make_axil_regs<VAxilRegs32>(32); }
AxilRegs make_axil_regs_64_combinational() { return make_axil_regs<VAxilRegs64Comb>(64); }

AxiDma make_axi_dma(std::uint32_t bits) {
  if (bits == 32) return make_dma<VAxiDma32>(bits);
  if (bits == 64) return make_dma<VAxiDma64>(bits);
  if (bits == 512) return make_dma<VAxiDma512>(bits);
  throw std::invalid_argument("axi_dma: 32, 64 or 512 bits");
}

}  // namespace longhaul::cosim::bus_test
