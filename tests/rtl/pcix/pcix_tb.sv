// SPDX-License-Identifier: Apache-2.0
// The PCI-X core under test, on a bus whose other agents are in Python.
//
// pins_o tells the bus of each clock, and what the core drives. agent_i is what others drive in
// the next clock. Both have the fields of tests/rtl/pcix/pcix_pins.py. Control signals are
// high when they are asserted. A signal that nobody drives is not asserted; AD is noise then.
module pcix_tb #(
  parameter  int unsigned Bar0Log2   = 12,
  parameter  bit          Bar0Is64   = 1'b1,
  parameter  int unsigned Bar1Log2   = 8,
  parameter  int unsigned Tags       = 8,
  parameter  int unsigned ReadWords  = 1024,
  parameter  int unsigned WriteWords = 512,
  localparam int unsigned AddrBits   = Bar0Log2 + (Bar1Log2 != 0 ? 1 : 0)
) (
  input  logic         rst_ni,
  input  logic         irq_i,
  input  logic [63:0]  noise_i,   // AD when nobody drives it
  input  logic [96:0]  agent_i,
  output logic [96:0]  pins_o,
  output logic         ready_o    // the core is out of reset
);
  logic [3:0]        s_axi_awid;
  logic [63:0]       s_axi_awaddr;
  logic [7:0]        s_axi_awlen;
  logic [2:0]        s_axi_awsize;
  logic [1:0]        s_axi_awburst;
  logic              s_axi_awlock;
  logic [3:0]        s_axi_awcache;
  logic [2:0]        s_axi_awprot;
  logic              s_axi_awvalid;
  logic              s_axi_awready;
  logic [63:0]       s_axi_wdata;
  logic [7:0]        s_axi_wstrb;
  logic              s_axi_wlast;
  logic              s_axi_wvalid;
  logic              s_axi_wready;
  logic [3:0]        s_axi_bid;
  logic [1:0]        s_axi_bresp;
  logic              s_axi_bvalid;
  logic              s_axi_bready;
  logic [3:0]        s_axi_arid;
  logic [63:0]       s_axi_araddr;
  logic [7:0]        s_axi_arlen;
  logic [2:0]        s_axi_arsize;
  logic [1:0]        s_axi_arburst;
  logic              s_axi_arlock;
  logic [3:0]        s_axi_arcache;
  logic [2:0]        s_axi_arprot;
  logic              s_axi_arvalid;
  logic              s_axi_arready;
  logic [3:0]        s_axi_rid;
  logic [63:0]       s_axi_rdata;
  logic [1:0]        s_axi_rresp;
  logic              s_axi_rlast;
  logic              s_axi_rvalid;
  logic              s_axi_rready;
  logic [AddrBits-1:0] m_axil_awaddr;
  logic [2:0]        m_axil_awprot;
  logic              m_axil_awvalid;
  logic              m_axil_awready;
  logic [31:0]       m_axil_wdata;
  logic [3:0]        m_axil_wstrb;
  logic              m_axil_wvalid;
  logic              m_axil_wready;
  logic [1:0]        m_axil_bresp;
  logic              m_axil_bvalid;
  logic              m_axil_bready;
  logic [AddrBits-1:0] m_axil_araddr;
  logic [2:0]        m_axil_arprot;
  logic              m_axil_arvalid;
  logic              m_axil_arready;
  logic [31:0]       m_axil_rdata;
  logic [1:0]        m_axil_rresp;
  logic              m_axil_rvalid;
  logic              m_axil_rready;

  logic clk = 1'b0;
  always #(3750 * 1ps) clk = !clk;

  logic [96:0] agent_q;
  always_ff @(posedge clk) agent_q <= agent_i;

  // ---- The bus ----

  logic [63:0] ad, core_ad;
  logic [7:0]  cbe, core_cbe;
  logic        par, core_par, par64, core_par64;
  logic        frame, irdy, trdy, stop, devsel, req64, ack64, perr;
  logic        core_frame_n, core_irdy_n, core_trdy_n, core_stop_n, core_devsel_n, core_req64_n;
  logic        core_ack64_n, core_perr_n, core_req_n, req_oe, serr, inta;
  logic        ad_oe, ad64_oe, cbe_oe, cbe64_oe, par_oe, par64_oe, frame_oe, irdy_oe, target_oe;
  logic        req64_oe, ack64_oe, perr_oe;

  assign ad[31:0]  = ad_oe ? core_ad[31:0] : agent_q[85] ? agent_q[31:0] : noise_i[31:0];
  assign ad[63:32] = ad64_oe ? core_ad[63:32] : agent_q[86] ? agent_q[63:32] : noise_i[63:32];
  assign cbe[3:0]  = cbe_oe ? core_cbe[3:0] : agent_q[87] ? agent_q[67:64] : 4'hF;
  assign cbe[7:4]  = cbe64_oe ? core_cbe[7:4] : agent_q[88] ? agent_q[71:68] : 4'hF;
  assign par       = par_oe ? core_par : agent_q[89] ? agent_q[72] : noise_i[0];
  assign par64     = par64_oe ? core_par64 : agent_q[90] ? agent_q[73] : noise_i[1];
  assign frame     = frame_oe && !core_frame_n || agent_q[91] && agent_q[74];
  assign irdy      = irdy_oe && !core_irdy_n || agent_q[92] && agent_q[75];
  assign trdy      = target_oe && !core_trdy_n || agent_q[93] && agent_q[76];
  assign stop      = target_oe && !core_stop_n || agent_q[93] && agent_q[77];
  assign devsel    = target_oe && !core_devsel_n || agent_q[93] && agent_q[78];
  assign req64     = req64_oe && !core_req64_n || agent_q[94] && agent_q[79];
  assign ack64     = ack64_oe && !core_ack64_n || agent_q[95] && agent_q[80];
  assign perr      = perr_oe && !core_perr_n || agent_q[96] && agent_q[81];

  assign pins_o = {perr_oe, ack64_oe, req64_oe, target_oe, irdy_oe, frame_oe, par64_oe, par_oe,
                   cbe64_oe, cbe_oe, ad64_oe, ad_oe, req_oe && !core_req_n, inta, serr, perr, ack64,
                   req64, devsel, stop, trdy, irdy, frame, par64, par, cbe, ad};

  // ---- The core ----

  logic       clk_req;
  logic [4:0] still_q;  // clocks since the core needs none, and nobody drives the bus
  logic       quiet;

  assign quiet = !clk_req && agent_q[96:74] == '0;

  always_ff @(posedge clk) begin
    if (!quiet || !ready_o) still_q <= '0;
    else if (still_q != 5'd16) still_q <= still_q + 5'd1;
  end

  // The clock may stand still: no output moves, whatever else happens.
  StillWithoutRequest: assert property (
    @(posedge clk) disable iff (!ready_o)
    still_q == 5'd16 && quiet |=>
    $stable({core_ad, core_cbe, core_par, core_par64, core_frame_n, core_irdy_n, core_trdy_n,
             core_stop_n, core_devsel_n, core_req64_n, core_ack64_n, core_perr_n, core_req_n, serr,
             inta, ad_oe, ad64_oe, cbe_oe, cbe64_oe, par_oe, par64_oe, frame_oe, irdy_oe,
             target_oe, req64_oe, ack64_oe, perr_oe, s_axi_bvalid_core, s_axi_rvalid_core,
             m_axil_awvalid_core, m_axil_wvalid_core, m_axil_arvalid_core}));
  SeenStill: cover property (@(posedge clk) disable iff (!ready_o) still_q == 5'd16);

  // cocotbext-axi looks right after the clock's edge: its inputs move half a clock later.
  logic              s_axi_awready_core;
  logic              s_axi_wready_core;
  logic [3:0]        s_axi_bid_core;
  logic [1:0]        s_axi_bresp_core;
  logic              s_axi_bvalid_core;
  logic              s_axi_arready_core;
  logic [3:0]        s_axi_rid_core;
  logic [63:0]       s_axi_rdata_core;
  logic [1:0]        s_axi_rresp_core;
  logic              s_axi_rlast_core;
  logic              s_axi_rvalid_core;
  logic [AddrBits-1:0] m_axil_awaddr_core;
  logic [2:0]        m_axil_awprot_core;
  logic              m_axil_awvalid_core;
  logic [31:0]       m_axil_wdata_core;
  logic [3:0]        m_axil_wstrb_core;
  logic              m_axil_wvalid_core;
  logic              m_axil_bready_core;
  logic [AddrBits-1:0] m_axil_araddr_core;
  logic [2:0]        m_axil_arprot_core;
  logic              m_axil_arvalid_core;
  logic              m_axil_rready_core;

  pcix_top #(
    .VendorId(16'h1234), .DeviceId(16'h5678), .Revision(8'h9A), .SubsystemVendorId(16'h4321),
    .SubsystemId(16'h8765), .Bar0Log2(Bar0Log2), .Bar0Is64(Bar0Is64), .Bar1Log2(Bar1Log2),
    .Tags(Tags), .ReadWords(ReadWords), .WriteWords(WriteWords)
  ) u_core (
    .clk_i(clk), .rst_pin_ni(rst_ni), .rst_no(ready_o), .clk_req_o(clk_req), .ad_i(ad), .ad_o(core_ad),
    .ad_oe_o(ad_oe), .ad64_oe_o(ad64_oe), .cbe_ni(cbe), .cbe_no(core_cbe), .cbe_oe_o(cbe_oe),
    .cbe64_oe_o(cbe64_oe), .par_i(par), .par_o(core_par), .par_oe_o(par_oe), .par64_i(par64),
    .par64_o(core_par64), .par64_oe_o(par64_oe), .frame_ni(!frame), .frame_no(core_frame_n),
    .frame_oe_o(frame_oe), .irdy_ni(!irdy), .irdy_no(core_irdy_n), .irdy_oe_o(irdy_oe),
    .trdy_ni(!trdy), .trdy_no(core_trdy_n), .stop_ni(!stop), .stop_no(core_stop_n),
    .devsel_ni(!devsel), .devsel_no(core_devsel_n), .target_oe_o(target_oe),
    .idsel_i(agent_q[82]), .req_no(core_req_n), .req_oe_o(req_oe), .gnt_ni(!agent_q[83]),
    .req64_ni(!req64), .req64_no(core_req64_n), .req64_oe_o(req64_oe), .ack64_ni(!ack64),
    .ack64_no(core_ack64_n), .ack64_oe_o(ack64_oe), .perr_ni(!perr), .perr_no(core_perr_n),
    .perr_oe_o(perr_oe), .serr_oe_o(serr), .inta_oe_o(inta), .irq_i,
    .s_axi_awid, .s_axi_awaddr, .s_axi_awlen, .s_axi_awsize, .s_axi_awburst, .s_axi_awlock,
    .s_axi_awcache, .s_axi_awprot, .s_axi_awvalid, .s_axi_awready(s_axi_awready_core),
    .s_axi_wdata, .s_axi_wstrb, .s_axi_wlast, .s_axi_wvalid, .s_axi_wready(s_axi_wready_core),
    .s_axi_bid(s_axi_bid_core), .s_axi_bresp(s_axi_bresp_core), .s_axi_bvalid(s_axi_bvalid_core),
    .s_axi_bready, .s_axi_arid, .s_axi_araddr, .s_axi_arlen, .s_axi_arsize, .s_axi_arburst,
    .s_axi_arlock, .s_axi_arcache, .s_axi_arprot, .s_axi_arvalid,
    .s_axi_arready(s_axi_arready_core), .s_axi_rid(s_axi_rid_core),
    .s_axi_rdata(s_axi_rdata_core), .s_axi_rresp(s_axi_rresp_core),
    .s_axi_rlast(s_axi_rlast_core), .s_axi_rvalid(s_axi_rvalid_core), .s_axi_rready,
    .m_axil_awaddr(m_axil_awaddr_core), .m_axil_awprot(m_axil_awprot_core),
    .m_axil_awvalid(m_axil_awvalid_core), .m_axil_awready, .m_axil_wdata(m_axil_wdata_core),
    .m_axil_wstrb(m_axil_wstrb_core), .m_axil_wvalid(m_axil_wvalid_core), .m_axil_wready,
    .m_axil_bresp, .m_axil_bvalid, .m_axil_bready(m_axil_bready_core),
    .m_axil_araddr(m_axil_araddr_core), .m_axil_arprot(m_axil_arprot_core),
    .m_axil_arvalid(m_axil_arvalid_core), .m_axil_arready, .m_axil_rdata, .m_axil_rresp,
    .m_axil_rvalid, .m_axil_rready(m_axil_rready_core));

  always_ff @(negedge clk) begin
    s_axi_awready  <= s_axi_awready_core && ready_o;
    s_axi_wready   <= s_axi_wready_core && ready_o;
    s_axi_bid      <= s_axi_bid_core;
    s_axi_bresp    <= s_axi_bresp_core;
    s_axi_bvalid   <= s_axi_bvalid_core && ready_o;
    s_axi_arready  <= s_axi_arready_core && ready_o;
    s_axi_rid      <= s_axi_rid_core;
    s_axi_rdata    <= s_axi_rdata_core;
    s_axi_rresp    <= s_axi_rresp_core;
    s_axi_rlast    <= s_axi_rlast_core;
    s_axi_rvalid   <= s_axi_rvalid_core && ready_o;
    m_axil_awaddr  <= m_axil_awaddr_core;
    m_axil_awprot  <= m_axil_awprot_core;
    m_axil_awvalid <= m_axil_awvalid_core && ready_o;
    m_axil_wdata   <= m_axil_wdata_core;
    m_axil_wstrb   <= m_axil_wstrb_core;
    m_axil_wvalid  <= m_axil_wvalid_core && ready_o;
    m_axil_bready  <= m_axil_bready_core && ready_o;
    m_axil_araddr  <= m_axil_araddr_core;
    m_axil_arprot  <= m_axil_arprot_core;
    m_axil_arvalid <= m_axil_arvalid_core && ready_o;
    m_axil_rready  <= m_axil_rready_core && ready_o;
  end
endmodule
