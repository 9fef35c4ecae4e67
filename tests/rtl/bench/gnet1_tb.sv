// SPDX-License-Identifier: Apache-2.0
// The whole box with four SRAMs, a player and a recorder per port, and clocks that the test sets:
// receive clocks in femtoseconds a half period.
//
// While loop_i is high, what port 1 sends comes back to it, as from a host that answers at once.
// While alien_i is high, port 0 listens to ext_* and what port 1 sends shows on ext_*: for a GMII
// bench that was not written for this box.
`timescale 1fs/1fs
module gnet1_tb;
  localparam int unsigned SramAddrBits = 13;  // small, so that pointers wrap and the memory fills

  longint unsigned rx_half0_i = 4_000_000, rx_half1_i = 4_000_000, rx_half2_i = 4_000_000, rx_half3_i = 4_000_000;
  logic            arst_ni = 1'b0;

  // 125, 62.5 and 31.25 MHz of one oscillator.
  logic       clk_125m = 1'b0, clk_62m5 = 1'b0, clk_31m25 = 1'b0;
  logic [1:0] divide = 2'd0;
  always begin
    #4_000_000;
    clk_125m = !clk_125m;
    if (clk_125m) begin
      divide   = divide + 2'd1;
      clk_62m5 = divide[0];
      if (divide[0]) clk_31m25 = divide[1];
    end
  end

  logic rx_clk0 = 1'b0, rx_clk1 = 1'b0, rx_clk2 = 1'b0, rx_clk3 = 1'b0;
  initial begin
    #1_234_567;
    forever #(rx_half0_i) rx_clk0 = !rx_clk0;
  end
  initial begin
    #2_345_678;
    forever #(rx_half1_i) rx_clk1 = !rx_clk1;
  end
  initial begin
    #3_456_789;
    forever #(rx_half2_i) rx_clk2 = !rx_clk2;
  end
  initial begin
    #567_890;
    forever #(rx_half3_i) rx_clk3 = !rx_clk3;
  end

  logic [3:0]       rx_clk, rx_dv, rx_er, play_dv, play_er, gtx_clk, tx_en, tx_er;
  logic [3:0][7:0]  rxd, play_data, txd;
  logic [3:0]       sram_re, sram_we, sram_oe;
  logic [3:0][35:0] sram_wdata, sram_rdata;
  logic [3:0][SramAddrBits-1:0] sram_addr;

  int unsigned load0_i = 0, load1_i = 0, load2_i = 0, load3_i = 0;
  logic [3:0]  playing_o;
  int unsigned frames0_o, frames1_o, frames2_o, frames3_o, idle0_o, idle1_o, idle2_o, idle3_o;

  logic        loop_i = 1'b0, alien_i = 1'b0, ext_rx_dv_i = 1'b0, ext_rx_er_i = 1'b0, ext_tx_en_o, ext_tx_er_o;
  logic [7:0]  ext_rxd_i = '0, ext_txd_o;

  logic        bus_sel_i = 1'b0, bus_write_i = 1'b0, bus_ack_o, gps_pps_i = 1'b0, obs_strobe_o, obs_trigger_o;
  logic [11:0] bus_addr_i = '0;
  logic [31:0] bus_wdata_i = '0, bus_rdata_o;
  logic [35:0] obs_data_o;

  assign rx_clk = {rx_clk3, rx_clk2, loop_i ? clk_125m : rx_clk1, rx_clk0};
  assign rxd    = {play_data[3:2], loop_i ? txd[1] : play_data[1], alien_i ? ext_rxd_i : play_data[0]};
  assign rx_dv  = {play_dv[3:2], loop_i ? tx_en[1] : play_dv[1], alien_i ? ext_rx_dv_i : play_dv[0]};
  assign rx_er  = {play_er[3:2], loop_i ? tx_er[1] : play_er[1], alien_i ? ext_rx_er_i : play_er[0]};
  assign {ext_txd_o, ext_tx_en_o, ext_tx_er_o} = {txd[1], tx_en[1], tx_er[1]};

  gnet1_top #(.SramAddrBits(SramAddrBits), .SampleDepthLog2(6)) u_box (
    .clk_31m25, .clk_62m5, .clk_125m, .arst_n(arst_ni), .rx_clk, .rxd, .rx_dv, .rx_er, .gtx_clk, .txd, .tx_en, .tx_er,
    .sram_addr, .sram_re, .sram_we, .sram_wdata, .sram_wdata_oe(sram_oe), .sram_rdata, .bus_sel(bus_sel_i),
    .bus_write(bus_write_i), .bus_addr(bus_addr_i), .bus_wdata(bus_wdata_i), .bus_rdata(bus_rdata_o),
    .bus_ack(bus_ack_o), .gps_pps(gps_pps_i), .obs_data(obs_data_o), .obs_strobe(obs_strobe_o),
    .obs_trigger(obs_trigger_o));

  bench_gmii_source #(.Port(0)) u_source0 (
    .clk_i(rx_clk[0]), .load_i(load0_i), .data_o(play_data[0]), .dv_o(play_dv[0]), .er_o(play_er[0]), .busy_o(playing_o[0]));
  bench_gmii_source #(.Port(1)) u_source1 (
    .clk_i(rx_clk[1]), .load_i(load1_i), .data_o(play_data[1]), .dv_o(play_dv[1]), .er_o(play_er[1]), .busy_o(playing_o[1]));
  bench_gmii_source #(.Port(2)) u_source2 (
    .clk_i(rx_clk[2]), .load_i(load2_i), .data_o(play_data[2]), .dv_o(play_dv[2]), .er_o(play_er[2]), .busy_o(playing_o[2]));
  bench_gmii_source #(.Port(3)) u_source3 (
    .clk_i(rx_clk[3]), .load_i(load3_i), .data_o(play_data[3]), .dv_o(play_dv[3]), .er_o(play_er[3]), .busy_o(playing_o[3]));

  bench_gmii_sink #(.Port(0)) u_sink0 (
    .clk_i(gtx_clk[0]), .data_i(txd[0]), .en_i(tx_en[0]), .er_i(tx_er[0]), .frames_o(frames0_o), .idle_o(idle0_o));
  bench_gmii_sink #(.Port(1)) u_sink1 (
    .clk_i(gtx_clk[1]), .data_i(txd[1]), .en_i(tx_en[1]), .er_i(tx_er[1]), .frames_o(frames1_o), .idle_o(idle1_o));
  bench_gmii_sink #(.Port(2)) u_sink2 (
    .clk_i(gtx_clk[2]), .data_i(txd[2]), .en_i(tx_en[2]), .er_i(tx_er[2]), .frames_o(frames2_o), .idle_o(idle2_o));
  bench_gmii_sink #(.Port(3)) u_sink3 (
    .clk_i(gtx_clk[3]), .data_i(txd[3]), .en_i(tx_en[3]), .er_i(tx_er[3]), .frames_o(frames3_o), .idle_o(idle3_o));

  for (genvar port = 0; port < 4; port++) begin : gen_sram
    bench_sram #(.AddrBits(SramAddrBits)) u_sram (
      .clk_i(clk_62m5), .rst_ni(arst_ni), .addr_i(sram_addr[port]), .re_i(sram_re[port]), .we_i(sram_we[port]),
      .wdata_i(sram_wdata[port]), .wdata_oe_i(sram_oe[port]), .rdata_o(sram_rdata[port]));
  end
endmodule
