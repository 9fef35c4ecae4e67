// SPDX-License-Identifier: Apache-2.0
// AXI4's channels between the core's clock and the bus's, with the pins of a manager.
//
// Each channel crosses by a FIFO: two to three clocks of the far side. Order within a channel is
// kept. Nothing is lost. The core takes every R and B in the clock in which it comes. Bursts are of
// 64-bit beats, with incrementing addresses, to normal memory, unprivileged.
//
// It holds nothing while nic_read and nic_write are idle. Both resets have to be low together, and
// only then. Test: tests/rtl/nic/nic_dma_bench.py.
module nic_axi
  import nic_pkg::*;
#(
  parameter  int unsigned Slots     = 4,   // read IDs, as of nic_read
  parameter  int unsigned IdBits    = 4,   // of the pins
  parameter  int unsigned DepthLog2 = 4,   // of the FIFOs of W, R and B
  localparam int unsigned SlotBits  = $clog2(Slots)
) (
  // Core.
  input  logic                core_clk_i,
  input  logic                core_rst_ni,
  input  logic                ar_valid_i,
  output logic                ar_ready_o,
  input  logic [SlotBits-1:0] ar_id_i,
  input  burst_t              ar_i,
  output logic                r_valid_o,
  output logic [SlotBits-1:0] r_id_o,
  output read_beat_t          r_o,
  input  logic                aw_valid_i,
  output logic                aw_ready_o,
  input  burst_t              aw_i,
  input  logic                w_valid_i,
  output logic                w_ready_o,
  input  write_beat_t         w_i,
  output logic                b_valid_o,
  output logic                b_error_o,
  // Bus.
  input  logic                bus_clk_i,
  input  logic                bus_rst_ni,
  output logic [IdBits-1:0]   m_axi_awid,
  output logic [63:0]         m_axi_awaddr,
  output logic [7:0]          m_axi_awlen,
  output logic [2:0]          m_axi_awsize,
  output logic [1:0]          m_axi_awburst,
  output logic                m_axi_awlock,
  output logic [3:0]          m_axi_awcache,
  output logic [2:0]          m_axi_awprot,
  output logic                m_axi_awvalid,
  input  logic                m_axi_awready,
  output logic [63:0]         m_axi_wdata,
  output logic [7:0]          m_axi_wstrb,
  output logic                m_axi_wlast,
  output logic                m_axi_wvalid,
  input  logic                m_axi_wready,
  input  logic [IdBits-1:0]   m_axi_bid,
  input  logic [1:0]          m_axi_bresp,
  input  logic                m_axi_bvalid,
  output logic                m_axi_bready,
  output logic [IdBits-1:0]   m_axi_arid,
  output logic [63:0]         m_axi_araddr,
  output logic [7:0]          m_axi_arlen,
  output logic [2:0]          m_axi_arsize,
  output logic [1:0]          m_axi_arburst,
  output logic                m_axi_arlock,
  output logic [3:0]          m_axi_arcache,
  output logic [2:0]          m_axi_arprot,
  output logic                m_axi_arvalid,
  input  logic                m_axi_arready,
  input  logic [IdBits-1:0]   m_axi_rid,
  input  logic [63:0]         m_axi_rdata,
  input  logic [1:0]          m_axi_rresp,
  input  logic                m_axi_rlast,
  input  logic                m_axi_rvalid,
  output logic                m_axi_rready
);
  // Addresses: few, since each stands for many beats.
  localparam int unsigned AddressLog2 = 3;

  burst_t              aw, ar;
  write_beat_t         w;
  read_beat_t          r;
  logic [SlotBits-1:0] ar_id;

  async_fifo #(.Width($bits(burst_t)), .DepthLog2(AddressLog2)) u_aw (
    .wr_clk_i(core_clk_i), .wr_rst_ni(core_rst_ni), .wr_valid_i(aw_valid_i),
    .wr_ready_o(aw_ready_o), .wr_data_i(aw_i), .wr_level_o(), .rd_clk_i(bus_clk_i),
    .rd_rst_ni(bus_rst_ni), .rd_valid_o(m_axi_awvalid), .rd_ready_i(m_axi_awready),
    .rd_data_o(aw), .rd_level_o());

  async_fifo #(.Width($bits(write_beat_t)), .DepthLog2(DepthLog2)) u_w (
    .wr_clk_i(core_clk_i), .wr_rst_ni(core_rst_ni), .wr_valid_i(w_valid_i),
    .wr_ready_o(w_ready_o), .wr_data_i(w_i), .wr_level_o(), .rd_clk_i(bus_clk_i),
    .rd_rst_ni(bus_rst_ni), .rd_valid_o(m_axi_wvalid), .rd_ready_i(m_axi_wready),
    .rd_data_o(w), .rd_level_o());

  async_fifo #(.Width(1), .DepthLog2(DepthLog2)) u_b (
    .wr_clk_i(bus_clk_i), .wr_rst_ni(bus_rst_ni), .wr_valid_i(m_axi_bvalid),
    .wr_ready_o(m_axi_bready), .wr_data_i(m_axi_bresp[1]), .wr_level_o(), .rd_clk_i(core_clk_i),
    .rd_rst_ni(core_rst_ni), .rd_valid_o(b_valid_o), .rd_ready_i(1'b1), .rd_data_o(b_error_o),
    .rd_level_o());

  async_fifo #(.Width(SlotBits + $bits(burst_t)), .DepthLog2(AddressLog2)) u_ar (
    .wr_clk_i(core_clk_i), .wr_rst_ni(core_rst_ni), .wr_valid_i(ar_valid_i),
    .wr_ready_o(ar_ready_o), .wr_data_i({ar_id_i, ar_i}), .wr_level_o(), .rd_clk_i(bus_clk_i),
    .rd_rst_ni(bus_rst_ni), .rd_valid_o(m_axi_arvalid), .rd_ready_i(m_axi_arready),
    .rd_data_o({ar_id, ar}), .rd_level_o());

  async_fifo #(.Width(SlotBits + $bits(read_beat_t)), .DepthLog2(DepthLog2)) u_r (
    .wr_clk_i(bus_clk_i), .wr_rst_ni(bus_rst_ni), .wr_valid_i(m_axi_rvalid),
    .wr_ready_o(m_axi_rready), .wr_data_i({m_axi_rid[SlotBits-1:0], r}), .wr_level_o(),
    .rd_clk_i(core_clk_i), .rd_rst_ni(core_rst_ni), .rd_valid_o(r_valid_o), .rd_ready_i(1'b1),
    .rd_data_o({r_id_o, r_o}), .rd_level_o());

  assign r = '{last: m_axi_rlast, error: m_axi_rresp[1], data: m_axi_rdata};

  assign m_axi_awid    = '0;  // one for all: the bus keeps their order
  assign m_axi_awaddr  = aw.addr;
  assign m_axi_awlen   = aw.len;
  assign m_axi_awsize  = 3'd3;
  assign m_axi_awburst = 2'b01;
  assign m_axi_awlock  = 1'b0;
  assign m_axi_awcache = 4'b0011;
  assign m_axi_awprot  = 3'b010;
  assign m_axi_wdata   = w.data;
  assign m_axi_wstrb   = w.strobes;
  assign m_axi_wlast   = w.last;
  assign m_axi_arid    = IdBits'(ar_id);
  assign m_axi_araddr  = ar.addr;
  assign m_axi_arlen   = ar.len;
  assign m_axi_arsize  = 3'd3;
  assign m_axi_arburst = 2'b01;
  assign m_axi_arlock  = 1'b0;
  assign m_axi_arcache = 4'b0011;
  assign m_axi_arprot  = 3'b010;

  logic unused_pins;
  assign unused_pins = ^{m_axi_bid, m_axi_bresp[0], m_axi_rid, m_axi_rresp[0]};

  always_ff @(posedge bus_clk_i) begin : checks
    if (bus_rst_ni) begin
      // An answer has an ID that was given.
      ReadIdIsKnown: assert (!m_axi_rvalid || m_axi_rid < IdBits'(Slots));
    end
  end

  // Corners: each channel waits for the bus.
  AwWaits: cover property (
    @(posedge bus_clk_i) disable iff (!bus_rst_ni) m_axi_awvalid && !m_axi_awready);
  WWaits: cover property (
    @(posedge bus_clk_i) disable iff (!bus_rst_ni) m_axi_wvalid && !m_axi_wready);
  ArWaits: cover property (
    @(posedge bus_clk_i) disable iff (!bus_rst_ni) m_axi_arvalid && !m_axi_arready);
  WFull: cover property (
    @(posedge core_clk_i) disable iff (!core_rst_ni) w_valid_i && !w_ready_o);
endmodule
