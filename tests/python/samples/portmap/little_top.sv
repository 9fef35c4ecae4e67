// SPDX-License-Identifier: Apache-2.0
// A block with all kinds of pins and next to nothing behind them: for tests of port maps.
module little_top #(
  parameter int unsigned Lanes = 1
) (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        rx_clk,
  input  logic [15:0] s_axil_awaddr,
  input  logic        s_axil_awvalid,
  output logic        s_axil_awready,
  input  logic [31:0] s_axil_wdata,
  input  logic [3:0]  s_axil_wstrb,
  input  logic        s_axil_wvalid,
  output logic        s_axil_wready,
  output logic [1:0]  s_axil_bresp,
  output logic        s_axil_bvalid,
  input  logic        s_axil_bready,
  input  logic [15:0] s_axil_araddr,
  input  logic        s_axil_arvalid,
  output logic        s_axil_arready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0]  s_axil_rresp,
  output logic        s_axil_rvalid,
  input  logic        s_axil_rready,
  output logic        irq,
  output logic [7:0]  gmii_txd,
  output logic        gmii_tx_en,
  output logic        gmii_tx_er,
  input  logic [7:0]  gmii_rxd,
  input  logic        gmii_rx_dv,
  input  logic        gmii_rx_er,
  input  logic [47:0] station,
  output logic [7:0]  led
);
  logic [31:0] scratch_q;
  assign s_axil_awready = s_axil_awvalid && s_axil_wvalid && !s_axil_bvalid;
  assign s_axil_wready  = s_axil_awready;
  assign s_axil_bresp   = 2'b00;
  assign s_axil_arready = !s_axil_rvalid;
  assign s_axil_rresp   = 2'b00;
  assign irq            = scratch_q[0];
  assign gmii_txd       = 8'h00;
  assign gmii_tx_en     = 1'b0;
  assign gmii_tx_er     = 1'b0;
  assign led            = station[7:0] ^ gmii_rxd ^ {6'd0, gmii_rx_dv, gmii_rx_er ^ rx_clk};
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      scratch_q     <= 32'(Lanes);
      s_axil_bvalid <= 1'b0;
      s_axil_rvalid <= 1'b0;
    end else begin
      if (s_axil_awready) begin
        s_axil_bvalid <= 1'b1;
        for (int i = 0; i < 4; i++) begin
          if (s_axil_wstrb[i]) scratch_q[8*i +: 8] <= s_axil_wdata[8*i +: 8];
        end
      end else if (s_axil_bready) begin
        s_axil_bvalid <= 1'b0;
      end
      if (s_axil_arvalid && s_axil_arready) begin
        s_axil_rvalid <= 1'b1;
        s_axil_rdata  <= s_axil_araddr == 16'd4 ? station[31:0] : scratch_q;
      end else if (s_axil_rready) begin
        s_axil_rvalid <= 1'b0;
      end
    end
  end
endmodule
