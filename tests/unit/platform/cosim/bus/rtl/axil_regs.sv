// SPDX-License-Identifier: Apache-2.0
// Registers behind AXI4-Lite, for tests of the bus's transactors.
//
// 0x00 to 0x3f are memory, byte by byte. 0x40 to 0x7f answer with SLVERR, 0x80 to 0xbf with DECERR,
// and a read of 0xc0 or above is never answered. With Combinational the READYs follow the VALIDs in
// the same clock; without, they are registered and rise at random.
module axil_regs #(
  parameter int unsigned DataWidth     = 32,
  parameter bit          Combinational = 0,
  localparam int unsigned StrbWidth    = DataWidth / 8
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [7:0]           awaddr_i,
  input  logic                 awvalid_i,
  output logic                 awready_o,
  input  logic [DataWidth-1:0] wdata_i,
  input  logic [StrbWidth-1:0] wstrb_i,
  input  logic                 wvalid_i,
  output logic                 wready_o,
  output logic [1:0]           bresp_o,
  output logic                 bvalid_o,
  input  logic                 bready_i,
  input  logic [7:0]           araddr_i,
  input  logic                 arvalid_i,
  output logic                 arready_o,
  output logic [DataWidth-1:0] rdata_o,
  output logic [1:0]           rresp_o,
  output logic                 rvalid_o,
  input  logic                 rready_i,
  output logic                 irq_o
);
  localparam int unsigned Words  = 64 / StrbWidth;
  localparam int unsigned LaneW  = $clog2(StrbWidth);
  localparam int unsigned IndexW = $clog2(Words);

  logic [DataWidth-1:0] words_q [Words];
  logic [15:0] lfsr_q;
  logic aw_full_q, w_full_q, ar_full_q;
  logic [7:0] aw_q, ar_q;
  logic [DataWidth-1:0] w_q;
  logic [StrbWidth-1:0] strb_q;
  logic aw_ready_q, w_ready_q, ar_ready_q;

  assign awready_o = Combinational ? awvalid_i && !aw_full_q : aw_ready_q;
  assign wready_o  = Combinational ? wvalid_i && !w_full_q : w_ready_q;
  assign arready_o = Combinational ? arvalid_i && !ar_full_q && !rvalid_o : ar_ready_q;
  assign irq_o = words_q[0][0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lfsr_q <= 16'hace1;
      aw_full_q <= 0;
      w_full_q <= 0;
      ar_full_q <= 0;
      aw_ready_q <= 0;
      w_ready_q <= 0;
      ar_ready_q <= 0;
      bvalid_o <= 0;
      rvalid_o <= 0;
      for (int unsigned i = 0; i < Words; i++) words_q[i] <= '0;
    end else begin
      lfsr_q <= {lfsr_q[14:0], lfsr_q[15] ^ lfsr_q[13] ^ lfsr_q[12] ^ lfsr_q[10]};
      aw_ready_q <= !aw_full_q && !(awvalid_i && awready_o) && lfsr_q[0];
      w_ready_q <= !w_full_q && !(wvalid_i && wready_o) && lfsr_q[3];
      ar_ready_q <= !ar_full_q && !rvalid_o && !(arvalid_i && arready_o) && lfsr_q[5];
      if (awvalid_i && awready_o) begin
        aw_full_q <= 1;
        aw_q <= awaddr_i;
      end
      if (wvalid_i && wready_o) begin
        w_full_q <= 1;
        w_q <= wdata_i;
        strb_q <= wstrb_i;
      end
      if (bvalid_o && bready_i) bvalid_o <= 0;
      if (aw_full_q && w_full_q && !bvalid_o && (Combinational || lfsr_q[7])) begin
        aw_full_q <= 0;
        w_full_q <= 0;
        bvalid_o <= 1;
        bresp_o <= aw_q[7] ? 2'b11 : {aw_q[6], 1'b0};
        if (aw_q[7:6] == 0) begin
          for (int unsigned i = 0; i < StrbWidth; i++) begin
            if (strb_q[i]) words_q[aw_q[LaneW+:IndexW]][8*i+:8] <= w_q[8*i+:8];
          end
        end
      end
      if (arvalid_i && arready_o) begin
        ar_full_q <= 1;
        ar_q <= araddr_i;
      end
      if (rvalid_o && rready_i) rvalid_o <= 0;
      if (ar_full_q && !rvalid_o && ar_q[7:6] != 3 && (Combinational || lfsr_q[9])) begin
        ar_full_q <= 0;
        rvalid_o <= 1;
        rresp_o <= ar_q[7] ? 2'b11 : {ar_q[6], 1'b0};
        rdata_o <= words_q[ar_q[LaneW+:IndexW]];
      end
    end
  end
endmodule
