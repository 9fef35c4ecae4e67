// SPDX-License-Identifier: Apache-2.0
// A box of two MII ports whose PHYs have one clock: each nibble leaves at the other port a clock
// later. For tests of port maps.
module mii_box (
  input  logic       west_rx_clk,
  input  logic       west_tx_clk,
  input  logic [3:0] west_rxd,
  input  logic       west_rx_dv,
  input  logic       west_rx_er,
  output logic [3:0] west_txd,
  output logic       west_tx_en,
  output logic       west_tx_er,
  input  logic       east_rx_clk,
  input  logic       east_tx_clk,
  input  logic [3:0] east_rxd,
  input  logic       east_rx_dv,
  output logic [3:0] east_txd,
  output logic       east_tx_en
);
  logic [5:0] west_q;
  logic [4:0] east_q;
  assign west_tx_er = 1'b0;
  always_ff @(posedge west_rx_clk) west_q <= {west_rx_er, west_rx_dv, west_rxd};
  always_ff @(posedge east_rx_clk) east_q <= {east_rx_dv, east_rxd};
  always_ff @(posedge east_tx_clk) {east_tx_en, east_txd} <= west_q[4:0];
  always_ff @(posedge west_tx_clk) {west_tx_en, west_txd} <= east_q;
endmodule
