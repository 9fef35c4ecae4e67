// SPDX-License-Identifier: Apache-2.0
// A device behind the PCI-X core of rtl/pcix that copies words of memory, for tests of the pins.
//
// Registers: 0 from, 4 to, 8 words (1 to 256) and start, C words that were copied in all, 10 the
// byte strobes of the last word. An access at 1C is answered with SLVERR. The interrupt request
// rises with the end of a copy, and falls with the next write to 8; a write of 0 only clears it.
module pcix_copy (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        clk_req_o,
  input  logic [63:0] ad_i,
  output logic [63:0] ad_o,
  output logic        ad_oe_o,
  output logic        ad64_oe_o,
  input  logic [7:0]  cbe_ni,
  output logic [7:0]  cbe_no,
  output logic        cbe_oe_o,
  output logic        cbe64_oe_o,
  input  logic        par_i,
  output logic        par_o,
  output logic        par_oe_o,
  input  logic        par64_i,
  output logic        par64_o,
  output logic        par64_oe_o,
  input  logic        frame_ni,
  output logic        frame_no,
  output logic        frame_oe_o,
  input  logic        irdy_ni,
  output logic        irdy_no,
  output logic        irdy_oe_o,
  input  logic        trdy_ni,
  output logic        trdy_no,
  input  logic        stop_ni,
  output logic        stop_no,
  input  logic        devsel_ni,
  output logic        devsel_no,
  output logic        target_oe_o,
  input  logic        idsel_i,
  output logic        req_no,
  input  logic        gnt_ni,
  input  logic        req64_ni,
  output logic        req64_no,
  output logic        req64_oe_o,
  input  logic        ack64_ni,
  output logic        ack64_no,
  output logic        ack64_oe_o,
  input  logic        perr_ni,
  output logic        perr_no,
  output logic        perr_oe_o,
  output logic        inta_oe_o,
  // A MAC that is silent.
  input  logic        mac_clk_i,
  output logic [7:0]  txd_o,
  output logic        tx_en_o,
  input  logic [7:0]  rxd_i,
  input  logic        rx_dv_i
);
  localparam logic [11:0] RegError = 12'h01C;

  typedef enum logic [2:0] {StIdle, StAsk, StRead, StSend, StEnd} state_e;

  state_e      state_q;
  logic        rst_n, pcix_req, req_oe, serr_oe, irq_q;
  logic [31:0] from_q, to_q, copied_q;
  logic [8:0]  words_q, at_q;
  logic [7:0]  strobes_q;
  logic [63:0] mem_q [256];

  logic        awready, wready, arready, rvalid, rlast, bvalid, awvalid_q;
  logic [63:0] rdata;
  logic [1:0]  rresp, bresp;
  logic [3:0]  rid, bid;
  logic [11:0] l_awaddr, l_araddr;
  logic        l_awvalid, l_wvalid, l_bvalid, l_bready, l_arvalid, l_rvalid, l_rready;
  logic [31:0] l_wdata, l_rdata;
  logic [3:0]  l_wstrb;
  logic [1:0]  l_bresp, l_rresp;
  logic [2:0]  l_awprot, l_arprot;
  logic        writes, starts;

  pcix_top #(
    .VendorId(16'h1234), .DeviceId(16'h5678), .Revision(8'h9A), .SubsystemVendorId(16'h4321),
    .SubsystemId(16'h8765), .Bar0Log2(12), .Bar0Is64(1'b0)
  ) u_core (
    .clk_i, .rst_pin_ni(rst_ni), .rst_no(rst_n), .clk_req_o(pcix_req), .ad_i, .ad_o, .ad_oe_o,
    .ad64_oe_o, .cbe_ni, .cbe_no, .cbe_oe_o, .cbe64_oe_o, .par_i, .par_o, .par_oe_o, .par64_i,
    .par64_o, .par64_oe_o, .frame_ni, .frame_no, .frame_oe_o, .irdy_ni, .irdy_no, .irdy_oe_o,
    .trdy_ni, .trdy_no, .stop_ni, .stop_no, .devsel_ni, .devsel_no, .target_oe_o, .idsel_i,
    .req_no, .req_oe_o(req_oe), .gnt_ni, .req64_ni, .req64_no, .req64_oe_o, .ack64_ni, .ack64_no,
    .ack64_oe_o, .perr_ni, .perr_no, .perr_oe_o, .serr_oe_o(serr_oe), .inta_oe_o, .irq_i(irq_q),
    .s_axi_awid('0), .s_axi_awaddr({32'b0, to_q}), .s_axi_awlen(8'(words_q - 9'd1)),
    .s_axi_awsize(3'd3), .s_axi_awburst(2'b01), .s_axi_awlock(1'b0), .s_axi_awcache('0),
    .s_axi_awprot('0), .s_axi_awvalid(awvalid_q), .s_axi_awready(awready),
    .s_axi_wdata(mem_q[at_q[7:0]]), .s_axi_wstrb(at_q + 9'd1 == words_q ? strobes_q : 8'hFF),
    .s_axi_wlast(at_q + 9'd1 == words_q), .s_axi_wvalid(state_q == StSend),
    .s_axi_wready(wready), .s_axi_bid(bid), .s_axi_bresp(bresp), .s_axi_bvalid(bvalid),
    .s_axi_bready(1'b1), .s_axi_arid('0), .s_axi_araddr({32'b0, from_q}),
    .s_axi_arlen(8'(words_q - 9'd1)), .s_axi_arsize(3'd3), .s_axi_arburst(2'b01),
    .s_axi_arlock(1'b0), .s_axi_arcache('0), .s_axi_arprot('0),
    .s_axi_arvalid(state_q == StAsk), .s_axi_arready(arready), .s_axi_rid(rid),
    .s_axi_rdata(rdata), .s_axi_rresp(rresp), .s_axi_rlast(rlast), .s_axi_rvalid(rvalid),
    .s_axi_rready(1'b1), .m_axil_awaddr(l_awaddr), .m_axil_awprot(l_awprot),
    .m_axil_awvalid(l_awvalid), .m_axil_awready(writes), .m_axil_wdata(l_wdata),
    .m_axil_wstrb(l_wstrb), .m_axil_wvalid(l_wvalid), .m_axil_wready(writes),
    .m_axil_bresp(l_bresp), .m_axil_bvalid(l_bvalid), .m_axil_bready(l_bready),
    .m_axil_araddr(l_araddr), .m_axil_arprot(l_arprot), .m_axil_arvalid(l_arvalid),
    .m_axil_arready(!l_rvalid), .m_axil_rdata(l_rdata), .m_axil_rresp(l_rresp),
    .m_axil_rvalid(l_rvalid), .m_axil_rready(l_rready));

  assign writes  = l_awvalid && l_wvalid && !l_bvalid;
  assign l_bresp = 2'b00;
  assign starts  = writes && l_awaddr == 12'h008 && l_wdata[8:0] != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      {l_bvalid, l_rvalid} <= '0;
      from_q               <= '0;
      to_q                 <= '0;
      strobes_q            <= 8'hFF;
    end else begin
      if (l_bready) l_bvalid <= 1'b0;
      if (l_rready) l_rvalid <= 1'b0;
      if (writes) begin
        l_bvalid <= 1'b1;
        unique case (l_awaddr)
          12'h000: for (int i = 0; i < 4; i++) if (l_wstrb[i]) from_q[8*i +: 8] <= l_wdata[8*i +: 8];
          12'h004: to_q      <= l_wdata;
          12'h010: strobes_q <= l_wdata[7:0];
          default: ;
        endcase
      end
      if (l_arvalid && !l_rvalid) begin
        l_rvalid <= 1'b1;
        l_rresp  <= l_araddr == RegError ? 2'b10 : 2'b00;
        unique case (l_araddr)
          12'h000: l_rdata <= from_q;
          12'h004: l_rdata <= to_q;
          default: l_rdata <= copied_q;
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      state_q   <= StIdle;
      awvalid_q <= 1'b0;
      irq_q     <= 1'b0;
      copied_q  <= '0;
    end else begin
      if (awready) awvalid_q <= 1'b0;
      if (writes && l_awaddr == 12'h008) irq_q <= 1'b0;
      unique case (state_q)
        StIdle: if (starts) begin
          words_q <= l_wdata[8:0];
          at_q    <= '0;
          state_q <= StAsk;
        end
        StAsk: if (arready) state_q <= StRead;
        StRead: if (rvalid) begin
          mem_q[at_q[7:0]] <= rdata;
          at_q             <= rlast ? '0 : at_q + 9'd1;
          if (rlast) begin
            state_q   <= StSend;
            awvalid_q <= 1'b1;
          end
        end
        StSend: if (wready) begin
          at_q <= at_q + 9'd1;
          if (at_q + 9'd1 == words_q) state_q <= StEnd;
        end
        default: if (bvalid) begin
          copied_q <= copied_q + 32'(words_q);
          irq_q    <= 1'b1;
          state_q  <= StIdle;
        end
      endcase
    end
  end

  assign clk_req_o = pcix_req || state_q != StIdle;
  assign txd_o     = '0;
  assign tx_en_o   = 1'b0;

  logic unused;
  assign unused = ^{req_oe, serr_oe, bid, rid, bresp, rresp, l_awprot, l_arprot, mac_clk_i, rxd_i, rx_dv_i};
endmodule
