// SPDX-License-Identifier: Apache-2.0
// A 10-gigabit NIC: registers on AXI4-Lite, host memory over AXI4, XGMII of 64 bits. README.md has
// its picture, its clocks, and what each module may expect of the others.
//
// rst_ni may come from any clock. All three clocks have to run while it is low, and a few clocks
// longer. The requests for clocks are for a clock gate that opens at once: each is a function of
// registers of all domains. TLM twin: models/nic/ixgb. Test: tests/rtl/nic/nic_top_bench.py.
module nic_top
  import nic_pkg::*;
#(
  parameter int unsigned IdBits        = 4,
  parameter int unsigned RxBufferBytes = 262144,                    // a power of two
  parameter int unsigned TxBufferWords = nic_tx_pkg::BufferWords,   // a power of two
  parameter int unsigned RxEntries     = 512,     // descriptors on chip, a power of two
  parameter int unsigned TxEntries     = 128,
  parameter int unsigned LargestFetch  = 64,      // descriptors that one read fetches, at most
  parameter int unsigned DmaEngines    = 2,       // 1: reads and writes take turns
  parameter int unsigned Slots         = 4,       // read bursts under way, 2 to 16
  parameter int unsigned LinkClocks    = 1563     // that the lanes take to align, 10 us
) (
  input  logic              bus_clk_i,
  input  logic              core_clk_i,           // 156.25 MHz, and XGMII's transmit clock
  input  logic              rx_clk_i,             // 156.25 MHz of the far end
  input  logic              rst_ni,
  input  logic              test_mode_i,          // clocks within do not stop; constant
  output logic              bus_clk_req_o,        // the clock must not stand still
  output logic              core_clk_req_o,
  output logic              rx_clk_req_o,
  // AXI4-Lite: registers.
  input  logic [16:0]       s_axil_awaddr,
  input  logic [2:0]        s_axil_awprot,
  input  logic              s_axil_awvalid,
  output logic              s_axil_awready,
  input  logic [31:0]       s_axil_wdata,
  input  logic [3:0]        s_axil_wstrb,
  input  logic              s_axil_wvalid,
  output logic              s_axil_wready,
  output logic [1:0]        s_axil_bresp,
  output logic              s_axil_bvalid,
  input  logic              s_axil_bready,
  input  logic [16:0]       s_axil_araddr,
  input  logic [2:0]        s_axil_arprot,
  input  logic              s_axil_arvalid,
  output logic              s_axil_arready,
  output logic [31:0]       s_axil_rdata,
  output logic [1:0]        s_axil_rresp,
  output logic              s_axil_rvalid,
  input  logic              s_axil_rready,
  // AXI4: host memory.
  output logic [IdBits-1:0] m_axi_awid,
  output logic [63:0]       m_axi_awaddr,
  output logic [7:0]        m_axi_awlen,
  output logic [2:0]        m_axi_awsize,
  output logic [1:0]        m_axi_awburst,
  output logic              m_axi_awlock,
  output logic [3:0]        m_axi_awcache,
  output logic [2:0]        m_axi_awprot,
  output logic              m_axi_awvalid,
  input  logic              m_axi_awready,
  output logic [63:0]       m_axi_wdata,
  output logic [7:0]        m_axi_wstrb,
  output logic              m_axi_wlast,
  output logic              m_axi_wvalid,
  input  logic              m_axi_wready,
  input  logic [IdBits-1:0] m_axi_bid,
  input  logic [1:0]        m_axi_bresp,
  input  logic              m_axi_bvalid,
  output logic              m_axi_bready,
  output logic [IdBits-1:0] m_axi_arid,
  output logic [63:0]       m_axi_araddr,
  output logic [7:0]        m_axi_arlen,
  output logic [2:0]        m_axi_arsize,
  output logic [1:0]        m_axi_arburst,
  output logic              m_axi_arlock,
  output logic [3:0]        m_axi_arcache,
  output logic [2:0]        m_axi_arprot,
  output logic              m_axi_arvalid,
  input  logic              m_axi_arready,
  input  logic [IdBits-1:0] m_axi_rid,
  input  logic [63:0]       m_axi_rdata,
  input  logic [1:0]        m_axi_rresp,
  input  logic              m_axi_rlast,
  input  logic              m_axi_rvalid,
  output logic              m_axi_rready,
  output logic              irq_o,                // level; of core_clk_i
  input  logic [4:0]        bus_mode_i,           // PCI-X speed, PCI-X, 64 bit, 66 MHz; constant
  // The wire.
  output logic [63:0]       xgmii_txd_o,          // of core_clk_i
  output logic [7:0]        xgmii_txc_o,
  input  logic [63:0]       xgmii_rxd_i,          // of rx_clk_i
  input  logic [7:0]        xgmii_rxc_i,
  // The board, of core_clk_i.
  output logic              led_o,
  output logic              eeprom_sk_o,
  output logic              eeprom_cs_o,
  output logic              eeprom_di_o,
  input  logic              eeprom_do_i,
  output logic              mdc_o,
  output logic              mdio_o,
  output logic              mdio_oe_o,
  input  logic              mdio_i
);
  localparam int unsigned SlotBits     = $clog2(Slots);
  localparam int unsigned LineFifoLog2 = 4;

  // ---- Resets ----

  logic bus_rst_n, core_rst_n, rx_rst_n;
  sync_reset u_bus_reset (.clk_i(bus_clk_i), .arst_ni(rst_ni), .rst_no(bus_rst_n));
  sync_reset u_core_reset (.clk_i(core_clk_i), .arst_ni(rst_ni), .rst_no(core_rst_n));
  sync_reset u_rx_reset (.clk_i(rx_clk_i), .arst_ni(rst_ni), .rst_no(rx_rst_n));

  // ---- Bus ----

  logic        access_write, access_read, access_done, axil_busy;
  logic [16:0] access_addr;
  logic [31:0] access_wdata, access_rdata;
  logic [3:0]  access_strobes;

  nic_axil u_axil (
    .bus_clk_i, .bus_rst_ni(bus_rst_n),
    .s_axil_awaddr, .s_axil_awprot, .s_axil_awvalid, .s_axil_awready, .s_axil_wdata, .s_axil_wstrb,
    .s_axil_wvalid, .s_axil_wready, .s_axil_bresp, .s_axil_bvalid, .s_axil_bready, .s_axil_araddr,
    .s_axil_arprot, .s_axil_arvalid, .s_axil_arready, .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid,
    .s_axil_rready,
    .bus_busy_o(axil_busy), .core_clk_i, .core_rst_ni(core_rst_n), .write_o(access_write),
    .read_o(access_read), .addr_o(access_addr), .data_o(access_wdata),
    .strobes_o(access_strobes), .done_i(access_done), .data_i(access_rdata));

  logic                ar_valid, ar_ready, r_valid, aw_valid, aw_ready, w_valid, w_ready;
  logic                b_valid, b_error, core_busy, dma_busy, dma_clk;
  logic [SlotBits-1:0] ar_id, r_id;
  burst_t              ar, aw;
  read_beat_t          r;
  write_beat_t         w;

  nic_axi #(.Slots(Slots), .IdBits(IdBits)) u_axi (
    .core_clk_i(dma_clk), .core_rst_ni(core_rst_n), .ar_valid_i(ar_valid), .ar_ready_o(ar_ready),
    .ar_id_i(ar_id), .ar_i(ar), .r_valid_o(r_valid), .r_id_o(r_id), .r_o(r),
    .aw_valid_i(aw_valid), .aw_ready_o(aw_ready), .aw_i(aw), .w_valid_i(w_valid),
    .w_ready_o(w_ready), .w_i(w), .b_valid_o(b_valid), .b_error_o(b_error),
    .bus_clk_i, .bus_rst_ni(bus_rst_n),
    .m_axi_awid, .m_axi_awaddr, .m_axi_awlen, .m_axi_awsize, .m_axi_awburst, .m_axi_awlock,
    .m_axi_awcache, .m_axi_awprot, .m_axi_awvalid, .m_axi_awready, .m_axi_wdata, .m_axi_wstrb,
    .m_axi_wlast, .m_axi_wvalid, .m_axi_wready, .m_axi_bid, .m_axi_bresp, .m_axi_bvalid,
    .m_axi_bready, .m_axi_arid, .m_axi_araddr, .m_axi_arlen, .m_axi_arsize, .m_axi_arburst,
    .m_axi_arlock, .m_axi_arcache, .m_axi_arprot, .m_axi_arvalid, .m_axi_arready, .m_axi_rid,
    .m_axi_rdata, .m_axi_rresp, .m_axi_rlast, .m_axi_rvalid, .m_axi_rready);

  // ---- Line ----

  logic [63:0] rxd_q;
  logic [7:0]  rxc_q;

  always_ff @(posedge rx_clk_i) begin
    if (!rx_rst_n) begin
      rxd_q <= XgmiiIdles;
      rxc_q <= '1;
    end else begin
      rxd_q <= xgmii_rxd_i;
      rxc_q <= xgmii_rxc_i;
    end
  end

  logic       rx_word_valid, rx_fits, rx_busy, fault_busy, rx_local_fault, rx_remote_fault;
  line_word_t rx_word, line_word;
  logic       line_word_valid, local_fault;
  logic [LineFifoLog2:0] rx_level, line_level;

  nic_mac_rx u_mac_rx (
    .clk_i(rx_clk_i), .rst_ni(rx_rst_n), .xgmii_rxd_i(rxd_q), .xgmii_rxc_i(rxc_q),
    .word_valid_o(rx_word_valid), .word_o(rx_word), .busy_o(rx_busy));

  nic_link_fault u_link_fault (
    .clk_i(rx_clk_i), .rst_ni(rx_rst_n), .xgmii_rxd_i(rxd_q), .xgmii_rxc_i(rxc_q),
    .local_fault_o(rx_local_fault), .remote_fault_o(rx_remote_fault), .busy_o(fault_busy));

  // The core takes a word in each clock. Gaps and preambles make up for a far end whose clock is
  // faster.
  async_fifo #(.Width($bits(line_word_t)), .DepthLog2(LineFifoLog2)) u_line (
    .wr_clk_i(rx_clk_i), .wr_rst_ni(rx_rst_n), .wr_valid_i(rx_word_valid),
    .wr_ready_o(rx_fits), .wr_data_i(rx_word), .wr_level_o(rx_level), .rd_clk_i(core_clk_i),
    .rd_rst_ni(core_rst_n), .rd_valid_o(line_word_valid), .rd_ready_i(1'b1),
    .rd_data_o(line_word), .rd_level_o(line_level));

  sync_bits u_fault (
    .clk_i(core_clk_i), .rst_ni(core_rst_n), .d_i(rx_local_fault), .q_o(local_fault));

  // ---- Core ----

  nic_core #(
    .RxBufferBytes(RxBufferBytes), .TxBufferWords(TxBufferWords), .RxEntries(RxEntries),
    .TxEntries(TxEntries), .LargestFetch(LargestFetch), .DmaEngines(DmaEngines), .Slots(Slots),
    .LinkClocks(LinkClocks)
  ) u_core (
    .clk_i(core_clk_i), .rst_ni(core_rst_n), .test_mode_i, .busy_o(core_busy),
    .dma_busy_o(dma_busy), .dma_clk_o(dma_clk), .write_i(access_write), .read_i(access_read),
    .addr_i(access_addr), .data_i(access_wdata), .strobes_i(access_strobes), .done_o(access_done),
    .data_o(access_rdata), .ar_valid_o(ar_valid), .ar_ready_i(ar_ready), .ar_id_o(ar_id),
    .ar_o(ar), .r_valid_i(r_valid), .r_id_i(r_id), .r_i(r), .aw_valid_o(aw_valid),
    .aw_ready_i(aw_ready), .aw_o(aw), .w_valid_o(w_valid), .w_ready_i(w_ready), .w_o(w),
    .b_valid_i(b_valid), .b_error_i(b_error), .irq_o, .local_fault_i(local_fault),
    .word_valid_i(line_word_valid), .word_i(line_word), .xgmii_txd_o, .xgmii_txc_o,
    .bus_mode_i, .led_o, .eeprom_sk_o, .eeprom_cs_o, .eeprom_di_o, .eeprom_do_i, .mdc_o,
    .mdio_o, .mdio_oe_o, .mdio_i);

  // ---- Requests for clocks ----

  assign rx_clk_req_o   = {rxc_q, rxd_q} != {8'hFF, XgmiiIdles} || rx_busy || fault_busy ||
                          rx_word_valid || rx_level != '0;
  assign core_clk_req_o = core_busy || axil_busy || rx_word_valid || rx_level != '0 ||
                          rx_local_fault != local_fault;
  assign bus_clk_req_o  = axil_busy || dma_busy;

  logic unused_line;
  assign unused_line = ^{rx_remote_fault, line_level};

  always_ff @(posedge rx_clk_i) begin : checks
    if (rx_rst_n) begin
      // No word of the line finds the way to the core full.
      LineFits: assert (!rx_word_valid || rx_fits);
    end
  end
endmodule
