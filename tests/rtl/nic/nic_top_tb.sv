// SPDX-License-Identifier: Apache-2.0
// nic_top under test: its pins, three clocks, and a gate in each of them.
//
// Models of the bus and of the far end run on the clocks in front of the gates. cocotbext looks
// right after a clock's edge, so outputs of the NIC reach its models half a clock later.
`timescale 1fs/1fs

// A clock and its gate. With gate_i the clock stops at the edge at which need_i is low for the
// Settle-th time. It goes on at the first edge behind the rise of need_i.
module nic_top_tb_clock #(
  parameter int unsigned Settle = 1
) (
  input  int unsigned half_fs_i,
  input  logic        gate_i,
  input  logic        need_i,
  output logic        free_o,     // in front of the gate
  output logic        gated_o,
  output int unsigned stopped_o   // clocks since it stopped
);
  int unsigned left;
  initial begin
    free_o    = 1'b0;
    gated_o   = 1'b0;
    stopped_o = 0;
    left      = Settle;
  end

  always begin
    #(half_fs_i < 1000 ? 3_200_000 : half_fs_i);
    if (free_o) begin
      gated_o = 1'b0;
      free_o  = 1'b0;
    end else begin
      left = need_i || !gate_i ? Settle : left == 0 ? 0 : left - 1;
      if (left != 0) gated_o = 1'b1;
      stopped_o = left != 0 ? 0 : stopped_o + 1;
      free_o    = 1'b1;
    end
  end
endmodule

module nic_top_tb #(
  parameter int unsigned RxBufferBytes = 32768,
  parameter int unsigned Slots         = 4
) (
  input  logic        rst_ni,
  input  int unsigned bus_half_fs_i,    // half of a bus clock; below 1000: 3.2 ns
  input  int unsigned rx_half_fs_i,
  input  logic        gate_i,           // clocks stop that nothing needs
  input  logic        test_mode_i,      // those within the NIC do not
  output int unsigned bus_stopped_o,
  output int unsigned core_stopped_o,
  output int unsigned rx_stopped_o,
  output logic [6:0][31:0] part_clocks_o,  // of the core, then of its parts, since power-up
  input  logic [4:0]  bus_mode_i,
  output logic        irq_o,
  output logic [63:0] txd_o,
  output logic [7:0]  txc_o,
  input  logic        fault_i,          // the PHY reports a local fault, whatever comes
  output logic        led_o,
  output logic        eeprom_sk_o,
  output logic        eeprom_cs_o,
  output logic        eeprom_di_o,
  input  logic        eeprom_do_i,
  output logic        mdc_o,
  output logic        mdio_o,
  output logic        mdio_oe_o,
  input  logic        mdio_i
);
  // ---- The bus and the line. Those that the test bench drives have no other driver. ----

  logic [63:0] rxd_i;
  logic [7:0]  rxc_i;
  logic [16:0] s_axil_awaddr;
  logic [2:0]  s_axil_awprot;
  logic        s_axil_awvalid;
  logic        s_axil_awready;
  logic [31:0] s_axil_wdata;
  logic [3:0]  s_axil_wstrb;
  logic        s_axil_wvalid;
  logic        s_axil_wready;
  logic [1:0]  s_axil_bresp;
  logic        s_axil_bvalid;
  logic        s_axil_bready;
  logic [16:0] s_axil_araddr;
  logic [2:0]  s_axil_arprot;
  logic        s_axil_arvalid;
  logic        s_axil_arready;
  logic [31:0] s_axil_rdata;
  logic [1:0]  s_axil_rresp;
  logic        s_axil_rvalid;
  logic        s_axil_rready;
  logic [3:0]  m_axi_awid;
  logic [63:0] m_axi_awaddr;
  logic [7:0]  m_axi_awlen;
  logic [2:0]  m_axi_awsize;
  logic [1:0]  m_axi_awburst;
  logic        m_axi_awlock;
  logic [3:0]  m_axi_awcache;
  logic [2:0]  m_axi_awprot;
  logic        m_axi_awvalid;
  logic        m_axi_awready;
  logic [63:0] m_axi_wdata;
  logic [7:0]  m_axi_wstrb;
  logic        m_axi_wlast;
  logic        m_axi_wvalid;
  logic        m_axi_wready;
  logic [3:0]  m_axi_bid;
  logic [1:0]  m_axi_bresp;
  logic        m_axi_bvalid;
  logic        m_axi_bready;
  logic [3:0]  m_axi_arid;
  logic [63:0] m_axi_araddr;
  logic [7:0]  m_axi_arlen;
  logic [2:0]  m_axi_arsize;
  logic [1:0]  m_axi_arburst;
  logic        m_axi_arlock;
  logic [3:0]  m_axi_arcache;
  logic [2:0]  m_axi_arprot;
  logic        m_axi_arvalid;
  logic        m_axi_arready;
  logic [3:0]  m_axi_rid;
  logic [63:0] m_axi_rdata;
  logic [1:0]  m_axi_rresp;
  logic        m_axi_rlast;
  logic        m_axi_rvalid;
  logic        m_axi_rready;

  // ---- Clocks. A change of a pin needs its clock, too. ----

  logic        bus_clk, core_clk, rx_clk, bus_run, core_run, rx_run;
  logic        bus_request, core_request, rx_request, gate;
  logic [71:0] rx_pins_q;
  logic [1:0]  board_pins_q;

  logic [63:0] rxd;
  logic [7:0]  rxc;

  assign gate = gate_i && rst_ni;
  assign rxd  = fault_i ? 64'h0100_009C_0100_009C : rxd_i;
  assign rxc  = fault_i ? 8'h11 : rxc_i;

  nic_top_tb_clock u_bus (
    .half_fs_i(bus_half_fs_i), .gate_i(gate), .need_i(bus_request), .free_o(bus_clk),
    .gated_o(bus_run), .stopped_o(bus_stopped_o));
  nic_top_tb_clock u_core (
    .half_fs_i(32'd3_200_000), .gate_i(gate),
    .need_i(core_request || board_pins_q != {eeprom_do_i, mdio_i}), .free_o(core_clk),
    .gated_o(core_run), .stopped_o(core_stopped_o));
  nic_top_tb_clock u_rx (
    .half_fs_i(rx_half_fs_i), .gate_i(gate),
    .need_i(rx_request || rx_pins_q != {rxd, rxc}), .free_o(rx_clk), .gated_o(rx_run),
    .stopped_o(rx_stopped_o));

  always_ff @(posedge rx_clk) rx_pins_q <= {rxd, rxc};
  always_ff @(posedge core_clk) board_pins_q <= {eeprom_do_i, mdio_i};

  // ---- The NIC ----

  logic [6:0] part_clocks;
  assign part_clocks = {u_nic.u_core.rx_clk, u_nic.u_core.mac_clk, u_nic.u_core.tx_clk,
                        u_nic.u_core.write_clk, u_nic.u_core.read_clk, u_nic.u_core.control_clk,
                        core_run};
  for (genvar i = 0; i < 7; i++) begin : gen_count
    int unsigned count_q = 0;
    always_ff @(posedge part_clocks[i]) count_q <= count_q + 1;
    assign part_clocks_o[i] = count_q;
  end

  logic [63:0] txd, awaddr, araddr, wdata;
  logic [7:0]  txc, awlen, arlen, wstrb;
  logic [3:0]  awid, arid;
  logic        awvalid, wlast, wvalid, bready, arvalid, rready;
  logic [31:0] axil_rdata;
  logic        axil_awready, axil_wready, axil_bvalid, axil_arready, axil_rvalid;

  nic_top #(.RxBufferBytes(RxBufferBytes), .Slots(Slots)) u_nic (
    .bus_clk_i(bus_run), .core_clk_i(core_run), .rx_clk_i(rx_run), .rst_ni, .test_mode_i,
    .bus_clk_req_o(bus_request), .core_clk_req_o(core_request), .rx_clk_req_o(rx_request),
    .s_axil_awaddr, .s_axil_awprot, .s_axil_awvalid, .s_axil_awready(axil_awready),
    .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready(axil_wready), .s_axil_bresp,
    .s_axil_bvalid(axil_bvalid), .s_axil_bready, .s_axil_araddr, .s_axil_arprot,
    .s_axil_arvalid, .s_axil_arready(axil_arready), .s_axil_rdata(axil_rdata), .s_axil_rresp,
    .s_axil_rvalid(axil_rvalid), .s_axil_rready, .m_axi_awid(awid), .m_axi_awaddr(awaddr),
    .m_axi_awlen(awlen), .m_axi_awsize, .m_axi_awburst, .m_axi_awlock, .m_axi_awcache,
    .m_axi_awprot, .m_axi_awvalid(awvalid), .m_axi_awready, .m_axi_wdata(wdata),
    .m_axi_wstrb(wstrb), .m_axi_wlast(wlast), .m_axi_wvalid(wvalid), .m_axi_wready, .m_axi_bid,
    .m_axi_bresp, .m_axi_bvalid, .m_axi_bready(bready), .m_axi_arid(arid),
    .m_axi_araddr(araddr), .m_axi_arlen(arlen), .m_axi_arsize, .m_axi_arburst, .m_axi_arlock,
    .m_axi_arcache, .m_axi_arprot, .m_axi_arvalid(arvalid), .m_axi_arready, .m_axi_rid,
    .m_axi_rdata, .m_axi_rresp, .m_axi_rlast, .m_axi_rvalid, .m_axi_rready(rready), .irq_o,
    .bus_mode_i, .xgmii_txd_o(txd), .xgmii_txc_o(txc), .xgmii_rxd_i(rxd),
    .xgmii_rxc_i(rxc), .led_o, .eeprom_sk_o, .eeprom_cs_o, .eeprom_di_o, .eeprom_do_i,
    .mdc_o, .mdio_o, .mdio_oe_o, .mdio_i);

  // ---- Outputs, half a clock later ----

  always_ff @(negedge bus_clk) begin
    s_axil_awready <= axil_awready && rst_ni;
    s_axil_wready  <= axil_wready && rst_ni;
    s_axil_arready <= axil_arready && rst_ni;
    s_axil_bvalid  <= axil_bvalid && rst_ni;
    s_axil_rvalid  <= axil_rvalid && rst_ni;
    s_axil_rdata   <= axil_rdata;
    m_axi_awid     <= awid;
    m_axi_awaddr   <= awaddr;
    m_axi_awlen    <= awlen;
    m_axi_awvalid  <= awvalid && rst_ni;
    m_axi_wdata    <= wdata;
    m_axi_wstrb    <= wstrb;
    m_axi_wlast    <= wlast;
    m_axi_wvalid   <= wvalid && rst_ni;
    m_axi_bready   <= bready && rst_ni;
    m_axi_arid     <= arid;
    m_axi_araddr   <= araddr;
    m_axi_arlen    <= arlen;
    m_axi_arvalid  <= arvalid && rst_ni;
    m_axi_rready   <= rready && rst_ni;
  end

  always_ff @(negedge core_clk) begin
    txd_o <= txd;
    txc_o <= txc;
  end
endmodule
