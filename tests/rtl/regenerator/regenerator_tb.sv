// SPDX-License-Identifier: Apache-2.0
// The regenerator with a player and a recorder at each port, and receive clocks that the test sets:
// femtoseconds a half period.
//
// While alien_i is high, port 0 listens to ext_* and what port 1 sends shows on ext_*: for a GMII
// bench that was not written for this block.
`timescale 1fs/1fs
module regenerator_tb;
  longint unsigned rx_half0_i = 4_000_000, rx_half1_i = 4_000_000;
  logic            arst_ni = 1'b0;

  logic clk_125m = 1'b0, rx_clk0 = 1'b0, rx_clk1 = 1'b0;
  always #4_000_000 clk_125m = !clk_125m;
  initial begin
    #1_234_567;
    forever #(rx_half0_i) rx_clk0 = !rx_clk0;
  end
  initial begin
    #2_345_678;
    forever #(rx_half1_i) rx_clk1 = !rx_clk1;
  end

  logic [1:0]      play_dv, play_er, rx_dv, rx_er, tx_en, tx_er;
  logic [1:0][7:0] play_data, rxd, txd;
  int unsigned     load0_i = 0, load1_i = 0, frames0_o, frames1_o, idle0_o, idle1_o;
  logic [1:0]      playing_o;
  logic            alien_i = 1'b0, ext_rx_dv_i = 1'b0, ext_rx_er_i = 1'b0, ext_tx_en_o, ext_tx_er_o;
  logic [7:0]      ext_rxd_i = '0, ext_txd_o;

  assign rxd   = {play_data[1], alien_i ? ext_rxd_i : play_data[0]};
  assign rx_dv = {play_dv[1], alien_i ? ext_rx_dv_i : play_dv[0]};
  assign rx_er = {play_er[1], alien_i ? ext_rx_er_i : play_er[0]};
  assign {ext_txd_o, ext_tx_en_o, ext_tx_er_o} = {txd[1], tx_en[1], tx_er[1]};

  regenerator_top u_block (
    .clk_125m, .arst_n(arst_ni), .rx_clk({rx_clk1, rx_clk0}), .rxd, .rx_dv, .rx_er, .txd, .tx_en, .tx_er);

  bench_gmii_source #(.Port(0)) u_source0 (
    .clk_i(rx_clk0), .load_i(load0_i), .data_o(play_data[0]), .dv_o(play_dv[0]), .er_o(play_er[0]), .busy_o(playing_o[0]));
  bench_gmii_source #(.Port(1)) u_source1 (
    .clk_i(rx_clk1), .load_i(load1_i), .data_o(play_data[1]), .dv_o(play_dv[1]), .er_o(play_er[1]), .busy_o(playing_o[1]));
  bench_gmii_sink #(.Port(0)) u_sink0 (
    .clk_i(clk_125m), .data_i(txd[0]), .en_i(tx_en[0]), .er_i(tx_er[0]), .frames_o(frames0_o), .idle_o(idle0_o));
  bench_gmii_sink #(.Port(1)) u_sink1 (
    .clk_i(clk_125m), .data_i(txd[1]), .en_i(tx_en[1]), .er_i(tx_er[1]), .frames_o(frames1_o), .idle_o(idle1_o));
endmodule
