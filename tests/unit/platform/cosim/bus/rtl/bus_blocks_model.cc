// SPDX-License-Identifier: Apache-2.0
// Verilator's headers, seen after SystemC's, would ask SystemC for the time: they come first.
#include "VApbRegs.h"
#include "VApbRegsNoWaits.h"
#include "VAxiDma32.h"
#include "VAxiDma512.h"
#include "VAxiDma64.h"
#include "VAxiStreamFifo.h"
#include "VAxilRegs32.h"
#include "VAxilRegs64Comb.h"
#include "VWishboneCopy.h"
#include "VWishboneCopyPipelined.h"
#include "VWishboneRegs.h"
#include "VWishboneRegsComb.h"
#include "VWishboneRegsPipelined.h"

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

template <class Model>
ApbRegs make_apb() {
  auto model = std::make_unique<VerilatedModel<Model>>("apb_regs");
  Model& v = model->pins();
  ApbRegs block;
  block.clock = {&v.clk_i};
  ApbPins& p = block.pins;
  p.reset = {PORT(rst_ni, 1), true};
  p.psel = PORT(psel_i, 1);
  p.penable = PORT(penable_i, 1);
  p.paddr = PORT(paddr_i, 8);
  p.pwrite = PORT(pwrite_i, 1);
  p.pwdata = PORT(pwdata_i, 32);
  p.pstrb = PORT(pstrb_i, 4);
  p.prdata = PORT(prdata_o, 32);
  p.pready = PORT(pready_o, 1);
  p.pslverr = PORT(pslverr_o, 1);
  block.model = std::move(model);
  return block;
}

template <class Model>
WishboneRegs make_regs(bool pipelined) {
  auto model = std::make_unique<VerilatedModel<Model>>("wishbone_regs");
  Model& v = model->pins();
  WishboneRegs block;
  block.clock = {&v.clk_i};
  WishbonePins& p = block.pins;
  p.pipelined = pipelined;
  p.reset = {PORT(rst_i, 1), false};
  p.cyc = PORT(cyc_i, 1);
  p.stb = PORT(stb_i, 1);
  p.we = PORT(we_i, 1);
  p.adr = PORT(adr_i, 8);
  p.sel = PORT(sel_i, 4);
  p.write_data = PORT(dat_i, 32);
  p.read_data = PORT(dat_o, 32);
  p.ack = PORT(ack_o, 1);
  p.err = PORT(err_o, 1);
  p.rty = PORT(rty_o, 1);
  p.stall = PORT(stall_o, 1);
  block.model = std::move(model);
  return block;
}

template <class Model>
WishboneCopy make_copy(bool pipelined) {
  auto model = std::make_unique<VerilatedModel<Model>>("wishbone_copy");
  Model& v = model->pins();
  WishboneCopy block;
  block.clock = {&v.clk_i};
  WishbonePins& p = block.pins;
  p.pipelined = pipelined;
  p.word_addresses = true;
  p.reset = {PORT(rst_i, 1), false};
  p.cyc = PORT(cyc_o, 1);
  p.stb = PORT(stb_o, 1);
  p.we = PORT(we_o, 1);
  p.adr = PORT(adr_o, 16);
  p.sel = PORT(sel_o, 4);
  p.write_data = PORT(dat_o, 32);
  p.read_data = PORT(dat_i, 32);
  p.ack = PORT(ack_i, 1);
  p.err = PORT(err_i, 1);
  p.stall = PORT(stall_i, 1);
  block.start = PORT(start_i, 1);
  block.from = PORT(from_i, 16);
  block.to = PORT(to_i, 16);
  block.words = PORT(words_i, 5);
  block.sel = PORT(sel_i, 4);
  block.busy = PORT(busy_o, 1);
  block.error = PORT(error_o, 1);
  block.model = std::move(model);
  return block;
}

AxiStreamFifo make_fifo() {
  auto model = std::make_unique<VerilatedModel<VAxiStreamFifo>>("axi_stream_fifo");
  VAxiStreamFifo& v = model->pins();
  AxiStreamFifo block;
  block.clock = {&v.clk_i};
  block.in.reset = {PORT(rst_ni, 1), true};
  block.in.tvalid = PORT(in_tvalid_i, 1);
  block.in.tready = PORT(in_tready_o, 1);
  block.in.tdata = PORT(in_tdata_i, 64);
  block.in.tkeep = PORT(in_tkeep_i, 8);
  block.in.tlast = PORT(in_tlast_i, 1);
  block.in.tuser = PORT(in_tuser_i, 1);
  block.out.reset = block.in.reset;
  block.out.tvalid = PORT(out_tvalid_o, 1);
  block.out.tready = PORT(out_tready_i, 1);
  block.out.tdata = PORT(out_tdata_o, 64);
  block.out.tkeep = PORT(out_tkeep_o, 8);
  block.out.tlast = PORT(out_tlast_o, 1);
  block.out.tuser = PORT(out_tuser_o, 1);
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

ApbRegs make_apb_regs(bool waits) {
  return waits ? make_apb<VApbRegs>() : make_apb<VApbRegsNoWaits>();
}

WishboneRegs make_wishbone_regs(WishboneKind kind) {
  if (kind == WishboneKind::kPipelined) return make_regs<VWishboneRegsPipelined>(true);
  if (kind == WishboneKind::kRegistered) return make_regs<VWishboneRegs>(false);
  return make_regs<VWishboneRegsComb>(false);
}

WishboneCopy make_wishbone_copy(bool pipelined) {
  return pipelined ? make_copy<VWishboneCopyPipelined>(true) : make_copy<VWishboneCopy>(false);
}

AxiStreamFifo make_axi_stream_fifo() { return make_fifo(); }

}  // namespace longhaul::cosim::bus_test
