// SPDX-License-Identifier: Apache-2.0
// Regenerates a gigabit line: bytes received at one GMII port leave at the other port, on clk_125m.
//
// rx_clk[n] is the transmit clock of the far end of port n. It may differ from clk_125m by up to
// 200 ppm. Frames keep their bytes, their preamble and their errors. The gaps between frames absorb
// the clock difference.
module regenerator_top (
  input  logic            clk_125m,
  input  logic            arst_n,      // low for at least four clocks of each domain
  input  logic [1:0]      rx_clk,
  input  logic [1:0][7:0] rxd,
  input  logic [1:0]      rx_dv,
  input  logic [1:0]      rx_er,
  output logic [1:0][7:0] txd,
  output logic [1:0]      tx_en,
  output logic [1:0]      tx_er
);
  logic rst_n;
  sync_reset u_reset (.clk_i(clk_125m), .arst_ni(arst_n), .rst_no(rst_n));

  for (genvar port = 0; port < 2; port++) begin : gen_way
    logic rx_rst_n;
    sync_reset u_rx_reset (.clk_i(rx_clk[port]), .arst_ni(arst_n), .rst_no(rx_rst_n));

    regenerator_way u_way (
      .rx_clk_i(rx_clk[port]), .rx_rst_ni(rx_rst_n), .rxd_i(rxd[port]), .rx_dv_i(rx_dv[port]), .rx_er_i(rx_er[port]),
      .tx_clk_i(clk_125m), .tx_rst_ni(rst_n), .txd_o(txd[1-port]), .tx_en_o(tx_en[1-port]), .tx_er_o(tx_er[1-port]));
  end
endmodule
