// SPDX-License-Identifier: Apache-2.0
// nic_read, nic_write and nic_axi under test: three requesters of each, and the pins of AXI4.
module nic_dma_tb
  import nic_pkg::*;
#(
  parameter  int unsigned BurstBytes = 2048,
  parameter  int unsigned Slots      = 4,
  localparam int unsigned SlotBits   = $clog2(Slots)
) (
  input  logic             rst_ni,
  input  int unsigned      bus_half_ps_i,      // half of a bus clock
  input  logic             stop_i,
  input  logic             hold_i,             // no address goes to the bus
  output logic             read_idle_o,
  output logic             write_idle_o,
  // Requesters, one field each.
  input  logic [2:0]       rd_req_valid_i,
  output logic [2:0]       rd_req_ready_o,
  input  logic [236:0]     rd_req_i,
  output logic [2:0]       rd_valid_o,
  input  logic [2:0]       rd_ready_i,
  output logic [215:0]     rd_data_o,
  input  logic [2:0]       wr_req_valid_i,
  output logic [2:0]       wr_req_ready_o,
  input  logic [236:0]     wr_req_i,
  input  logic [2:0]       wr_word_valid_i,
  output logic [2:0]       wr_word_ready_o,
  input  logic [191:0]     wr_word_i,
  output logic [2:0]       wr_done_o,
  output logic [2:0]       wr_answered_o,
  output logic             wr_error_o
);
  // The bus. Those that the test bench drives have no other driver.
  logic [3:0]       m_axi_awid;
  logic [63:0]      m_axi_awaddr;
  logic [7:0]       m_axi_awlen;
  logic [2:0]       m_axi_awsize;
  logic [1:0]       m_axi_awburst;
  logic             m_axi_awlock;
  logic [3:0]       m_axi_awcache;
  logic [2:0]       m_axi_awprot;
  logic             m_axi_awvalid;
  logic             m_axi_awready;
  logic [63:0]      m_axi_wdata;
  logic [7:0]       m_axi_wstrb;
  logic             m_axi_wlast;
  logic             m_axi_wvalid;
  logic             m_axi_wready;
  logic [3:0]       m_axi_bid;
  logic [1:0]       m_axi_bresp;
  logic             m_axi_bvalid;
  logic             m_axi_bready;
  logic [3:0]       m_axi_arid;
  logic [63:0]      m_axi_araddr;
  logic [7:0]       m_axi_arlen;
  logic [2:0]       m_axi_arsize;
  logic [1:0]       m_axi_arburst;
  logic             m_axi_arlock;
  logic [3:0]       m_axi_arcache;
  logic [2:0]       m_axi_arprot;
  logic             m_axi_arvalid;
  logic             m_axi_arready;
  logic [3:0]       m_axi_rid;
  logic [63:0]      m_axi_rdata;
  logic [1:0]       m_axi_rresp;
  logic             m_axi_rlast;
  logic             m_axi_rvalid;
  logic             m_axi_rready;

  logic clk = 1'b0;
  always #(3200 * 1ps) clk = !clk;
  logic bus_clk = 1'b0;
  always #((bus_half_ps_i < 1000 ? 3750 : bus_half_ps_i) * 1ps) bus_clk = !bus_clk;

  logic core_rst_n, bus_rst_n;
  sync_reset u_core_reset (.clk_i(clk), .arst_ni(rst_ni), .rst_no(core_rst_n));
  sync_reset u_bus_reset (.clk_i(bus_clk), .arst_ni(rst_ni), .rst_no(bus_rst_n));

  logic                ar_valid, ar_ready, r_valid, aw_valid, aw_ready, w_valid, w_ready;
  logic                b_valid, b_error;
  logic [SlotBits-1:0] ar_id, r_id;
  burst_t              ar, aw;
  read_beat_t          r;
  write_beat_t         w;

  nic_read #(.BurstBytes(BurstBytes), .Slots(Slots)) u_read (
    .clk_i(clk), .rst_ni(core_rst_n), .stop_i, .idle_o(read_idle_o),
    .req_valid_i(rd_req_valid_i), .req_ready_o(rd_req_ready_o), .req_i(rd_req_i),
    .data_valid_o(rd_valid_o), .data_ready_i(rd_ready_i), .data_o(rd_data_o),
    .ar_valid_o(ar_valid), .ar_ready_i(ar_ready && !hold_i), .ar_id_o(ar_id), .ar_o(ar),
    .r_valid_i(r_valid), .r_id_i(r_id), .r_i(r));

  nic_write #(.BurstBytes(BurstBytes)) u_write (
    .clk_i(clk), .rst_ni(core_rst_n), .stop_i, .idle_o(write_idle_o),
    .req_valid_i(wr_req_valid_i), .req_ready_o(wr_req_ready_o), .req_i(wr_req_i),
    .word_valid_i(wr_word_valid_i), .word_ready_o(wr_word_ready_o), .word_i(wr_word_i),
    .done_o(wr_done_o), .answered_o(wr_answered_o), .error_o(wr_error_o),
    .aw_valid_o(aw_valid), .aw_ready_i(aw_ready && !hold_i), .aw_o(aw), .w_valid_o(w_valid),
    .w_ready_i(w_ready), .w_o(w), .b_valid_i(b_valid), .b_error_i(b_error));

  // cocotbext-axi looks right after the clock's edge: what it sees moves half a clock later.
  logic [3:0]  awid, arid;
  logic [63:0] awaddr, araddr, wdata;
  logic [7:0]  awlen, arlen, wstrb;
  logic        awvalid, wlast, wvalid, bready, arvalid, rready;

  nic_axi #(.Slots(Slots)) u_axi (
    .core_clk_i(clk), .core_rst_ni(core_rst_n), .ar_valid_i(ar_valid && !hold_i),
    .ar_ready_o(ar_ready), .ar_id_i(ar_id), .ar_i(ar), .r_valid_o(r_valid), .r_id_o(r_id), .r_o(r),
    .aw_valid_i(aw_valid && !hold_i), .aw_ready_o(aw_ready), .aw_i(aw), .w_valid_i(w_valid),
    .w_ready_o(w_ready), .w_i(w), .b_valid_o(b_valid), .b_error_o(b_error),
    .bus_clk_i(bus_clk), .bus_rst_ni(bus_rst_n), .m_axi_awid(awid), .m_axi_awaddr(awaddr),
    .m_axi_awlen(awlen), .m_axi_awsize, .m_axi_awburst, .m_axi_awlock, .m_axi_awcache,
    .m_axi_awprot, .m_axi_awvalid(awvalid), .m_axi_awready, .m_axi_wdata(wdata),
    .m_axi_wstrb(wstrb), .m_axi_wlast(wlast), .m_axi_wvalid(wvalid), .m_axi_wready, .m_axi_bid,
    .m_axi_bresp, .m_axi_bvalid, .m_axi_bready(bready), .m_axi_arid(arid),
    .m_axi_araddr(araddr), .m_axi_arlen(arlen), .m_axi_arsize, .m_axi_arburst, .m_axi_arlock,
    .m_axi_arcache, .m_axi_arprot, .m_axi_arvalid(arvalid), .m_axi_arready, .m_axi_rid,
    .m_axi_rdata, .m_axi_rresp, .m_axi_rlast, .m_axi_rvalid, .m_axi_rready(rready));

  always_ff @(negedge bus_clk) begin
    m_axi_awid    <= awid;
    m_axi_awaddr  <= awaddr;
    m_axi_awlen   <= awlen;
    m_axi_awvalid <= awvalid && bus_rst_n;
    m_axi_wdata   <= wdata;
    m_axi_wstrb   <= wstrb;
    m_axi_wlast   <= wlast;
    m_axi_wvalid  <= wvalid && bus_rst_n;
    m_axi_bready  <= bready && bus_rst_n;
    m_axi_arid    <= arid;
    m_axi_araddr  <= araddr;
    m_axi_arlen   <= arlen;
    m_axi_arvalid <= arvalid && bus_rst_n;
    m_axi_rready  <= rready && bus_rst_n;
  end
endmodule
