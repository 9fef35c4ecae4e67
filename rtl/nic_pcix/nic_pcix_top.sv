// SPDX-License-Identifier: Apache-2.0
// The NIC of rtl/nic behind the PCI-X core of rtl/pcix: an adapter down to the pins of its slot.
//
// clk_i and rst_ni are CLK and RST# of the slot. In a slot that is not PCI-X the NIC stays in
// reset. The pins of the bus are those of pcix_top. README.md tells how it is run.
// Test: tests/system/test_pcix_pins.py.
module nic_pcix_top (
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic         clk_req_o,       // CLK must not stand still
  input  logic [63:0]  ad_i,
  output logic [63:0]  ad_o,
  output logic         ad_oe_o,
  output logic         ad64_oe_o,
  input  logic [7:0]   cbe_ni,
  output logic [7:0]   cbe_no,
  output logic         cbe_oe_o,
  output logic         cbe64_oe_o,
  input  logic         par_i,
  output logic         par_o,
  output logic         par_oe_o,
  input  logic         par64_i,
  output logic         par64_o,
  output logic         par64_oe_o,
  input  logic         frame_ni,
  output logic         frame_no,
  output logic         frame_oe_o,
  input  logic         irdy_ni,
  output logic         irdy_no,
  output logic         irdy_oe_o,
  input  logic         trdy_ni,
  output logic         trdy_no,
  input  logic         stop_ni,
  output logic         stop_no,
  input  logic         devsel_ni,
  output logic         devsel_no,
  output logic         target_oe_o,
  input  logic         idsel_i,
  output logic         req_no,
  output logic         req_oe_o,
  input  logic         gnt_ni,
  input  logic         req64_ni,
  output logic         req64_no,
  output logic         req64_oe_o,
  input  logic         ack64_ni,
  output logic         ack64_no,
  output logic         ack64_oe_o,
  input  logic         perr_ni,
  output logic         perr_no,
  output logic         perr_oe_o,
  output logic         serr_oe_o,
  output logic         inta_oe_o,
  input  logic         core_clk_i,
  input  logic         rx_clk_i,
  output logic         core_clk_req_o,
  output logic         rx_clk_req_o,
  input  logic [4:0]   bus_mode_i,
  output logic [63:0]  xgmii_txd_o,
  output logic [7:0]   xgmii_txc_o,
  input  logic [63:0]  xgmii_rxd_i,
  input  logic [7:0]   xgmii_rxc_i,
  output logic         led_o,
  output logic         eeprom_sk_o,
  output logic         eeprom_cs_o,
  output logic         eeprom_di_o,
  input  logic         eeprom_do_i,
  output logic         mdc_o,
  output logic         mdio_o,
  output logic         mdio_oe_o,
  input  logic         mdio_i
);
  localparam int unsigned IdBits = 4;

  logic              rst_n, pcix_clk_req, nic_clk_req, irq;
  logic [16:0]       axil_awaddr;
  logic [2:0]        axil_awprot;
  logic              axil_awvalid;
  logic              axil_awready;
  logic [31:0]       axil_wdata;
  logic [3:0]        axil_wstrb;
  logic              axil_wvalid;
  logic              axil_wready;
  logic [1:0]        axil_bresp;
  logic              axil_bvalid;
  logic              axil_bready;
  logic [16:0]       axil_araddr;
  logic [2:0]        axil_arprot;
  logic              axil_arvalid;
  logic              axil_arready;
  logic [31:0]       axil_rdata;
  logic [1:0]        axil_rresp;
  logic              axil_rvalid;
  logic              axil_rready;
  logic [IdBits-1:0] axi_awid;
  logic [63:0]       axi_awaddr;
  logic [7:0]        axi_awlen;
  logic [2:0]        axi_awsize;
  logic [1:0]        axi_awburst;
  logic              axi_awlock;
  logic [3:0]        axi_awcache;
  logic [2:0]        axi_awprot;
  logic              axi_awvalid;
  logic              axi_awready;
  logic [63:0]       axi_wdata;
  logic [7:0]        axi_wstrb;
  logic              axi_wlast;
  logic              axi_wvalid;
  logic              axi_wready;
  logic [IdBits-1:0] axi_bid;
  logic [1:0]        axi_bresp;
  logic              axi_bvalid;
  logic              axi_bready;
  logic [IdBits-1:0] axi_arid;
  logic [63:0]       axi_araddr;
  logic [7:0]        axi_arlen;
  logic [2:0]        axi_arsize;
  logic [1:0]        axi_arburst;
  logic              axi_arlock;
  logic [3:0]        axi_arcache;
  logic [2:0]        axi_arprot;
  logic              axi_arvalid;
  logic              axi_arready;
  logic [IdBits-1:0] axi_rid;
  logic [63:0]       axi_rdata;
  logic [1:0]        axi_rresp;
  logic              axi_rlast;
  logic              axi_rvalid;
  logic              axi_rready;

  // ---- The bus ----

  pcix_top #(
    .VendorId(16'h8086), .DeviceId(16'h1A48), .Revision(8'h02), .ClassCode(24'h020000),
    .SubsystemVendorId(16'h8086), .SubsystemId(16'hA01F), .Bar0Log2(17), .Bar0Is64(1'b0),
    .IdBits(IdBits)
  ) u_pcix (
    .clk_i, .rst_pin_ni(rst_ni), .rst_no(rst_n), .clk_req_o(pcix_clk_req), .irq_i(irq), .ad_i,
    .ad_o, .ad_oe_o, .ad64_oe_o, .cbe_ni, .cbe_no, .cbe_oe_o, .cbe64_oe_o, .par_i, .par_o,
    .par_oe_o, .par64_i, .par64_o, .par64_oe_o, .frame_ni, .frame_no, .frame_oe_o, .irdy_ni,
    .irdy_no, .irdy_oe_o, .trdy_ni, .trdy_no, .stop_ni, .stop_no, .devsel_ni, .devsel_no,
    .target_oe_o, .idsel_i, .req_no, .req_oe_o, .gnt_ni, .req64_ni, .req64_no, .req64_oe_o,
    .ack64_ni, .ack64_no, .ack64_oe_o, .perr_ni, .perr_no, .perr_oe_o, .serr_oe_o, .inta_oe_o,
    .m_axil_awaddr(axil_awaddr), .m_axil_awprot(axil_awprot), .m_axil_awvalid(axil_awvalid),
    .m_axil_awready(axil_awready), .m_axil_wdata(axil_wdata), .m_axil_wstrb(axil_wstrb),
    .m_axil_wvalid(axil_wvalid), .m_axil_wready(axil_wready), .m_axil_bresp(axil_bresp),
    .m_axil_bvalid(axil_bvalid), .m_axil_bready(axil_bready), .m_axil_araddr(axil_araddr),
    .m_axil_arprot(axil_arprot), .m_axil_arvalid(axil_arvalid), .m_axil_arready(axil_arready),
    .m_axil_rdata(axil_rdata), .m_axil_rresp(axil_rresp), .m_axil_rvalid(axil_rvalid),
    .m_axil_rready(axil_rready), .s_axi_awid(axi_awid), .s_axi_awaddr(axi_awaddr),
    .s_axi_awlen(axi_awlen), .s_axi_awsize(axi_awsize), .s_axi_awburst(axi_awburst),
    .s_axi_awlock(axi_awlock), .s_axi_awcache(axi_awcache), .s_axi_awprot(axi_awprot),
    .s_axi_awvalid(axi_awvalid), .s_axi_awready(axi_awready), .s_axi_wdata(axi_wdata),
    .s_axi_wstrb(axi_wstrb), .s_axi_wlast(axi_wlast), .s_axi_wvalid(axi_wvalid),
    .s_axi_wready(axi_wready), .s_axi_bid(axi_bid), .s_axi_bresp(axi_bresp),
    .s_axi_bvalid(axi_bvalid), .s_axi_bready(axi_bready), .s_axi_arid(axi_arid),
    .s_axi_araddr(axi_araddr), .s_axi_arlen(axi_arlen), .s_axi_arsize(axi_arsize),
    .s_axi_arburst(axi_arburst), .s_axi_arlock(axi_arlock), .s_axi_arcache(axi_arcache),
    .s_axi_arprot(axi_arprot), .s_axi_arvalid(axi_arvalid), .s_axi_arready(axi_arready),
    .s_axi_rid(axi_rid), .s_axi_rdata(axi_rdata), .s_axi_rresp(axi_rresp),
    .s_axi_rlast(axi_rlast), .s_axi_rvalid(axi_rvalid), .s_axi_rready(axi_rready));

  // ---- The NIC ----

  nic_top #(.IdBits(IdBits)) u_nic (
    .bus_clk_i(clk_i), .rst_ni(rst_n), .bus_clk_req_o(nic_clk_req), .irq_o(irq), .core_clk_i,
    .rx_clk_i, .test_mode_i(1'b0), .core_clk_req_o, .rx_clk_req_o, .bus_mode_i,
    .xgmii_txd_o, .xgmii_txc_o, .xgmii_rxd_i, .xgmii_rxc_i, .led_o, .eeprom_sk_o, .eeprom_cs_o, .eeprom_di_o, .eeprom_do_i,
    .mdc_o, .mdio_o, .mdio_oe_o, .mdio_i, .s_axil_awaddr(axil_awaddr),
    .s_axil_awprot(axil_awprot), .s_axil_awvalid(axil_awvalid), .s_axil_awready(axil_awready),
    .s_axil_wdata(axil_wdata), .s_axil_wstrb(axil_wstrb), .s_axil_wvalid(axil_wvalid),
    .s_axil_wready(axil_wready), .s_axil_bresp(axil_bresp), .s_axil_bvalid(axil_bvalid),
    .s_axil_bready(axil_bready), .s_axil_araddr(axil_araddr), .s_axil_arprot(axil_arprot),
    .s_axil_arvalid(axil_arvalid), .s_axil_arready(axil_arready), .s_axil_rdata(axil_rdata),
    .s_axil_rresp(axil_rresp), .s_axil_rvalid(axil_rvalid), .s_axil_rready(axil_rready),
    .m_axi_awid(axi_awid), .m_axi_awaddr(axi_awaddr), .m_axi_awlen(axi_awlen),
    .m_axi_awsize(axi_awsize), .m_axi_awburst(axi_awburst), .m_axi_awlock(axi_awlock),
    .m_axi_awcache(axi_awcache), .m_axi_awprot(axi_awprot), .m_axi_awvalid(axi_awvalid),
    .m_axi_awready(axi_awready), .m_axi_wdata(axi_wdata), .m_axi_wstrb(axi_wstrb),
    .m_axi_wlast(axi_wlast), .m_axi_wvalid(axi_wvalid), .m_axi_wready(axi_wready),
    .m_axi_bid(axi_bid), .m_axi_bresp(axi_bresp), .m_axi_bvalid(axi_bvalid),
    .m_axi_bready(axi_bready), .m_axi_arid(axi_arid), .m_axi_araddr(axi_araddr),
    .m_axi_arlen(axi_arlen), .m_axi_arsize(axi_arsize), .m_axi_arburst(axi_arburst),
    .m_axi_arlock(axi_arlock), .m_axi_arcache(axi_arcache), .m_axi_arprot(axi_arprot),
    .m_axi_arvalid(axi_arvalid), .m_axi_arready(axi_arready), .m_axi_rid(axi_rid),
    .m_axi_rdata(axi_rdata), .m_axi_rresp(axi_rresp), .m_axi_rlast(axi_rlast),
    .m_axi_rvalid(axi_rvalid), .m_axi_rready(axi_rready));

  assign clk_req_o = pcix_clk_req || nic_clk_req;
endmodule
