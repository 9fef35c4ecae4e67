// SPDX-License-Identifier: Apache-2.0
// Receive side of a port: the MAC in the port's own clock, the dual-clock FIFO, and the arrival
// time.
//
// The stamp word of the MAC holds the tick at the start delimiter. This block replaces it by the
// full time: now minus the ticks since then. Time spent in the FIFO therefore does not count, and
// stamps are exact to one 32 ns clock. At most one word a clock leaves, in order.
module gnet1_rx
  import common_pkg::*;
  import gnet1_pkg::*;
#(
  parameter int unsigned DepthLog2 = 6  // words of the FIFO; a frame begins only with 16 free
) (
  input  logic       rx_clk_i,
  input  logic       rx_rst_ni,
  input  logic [7:0] rxd_i,
  input  logic       rx_dv_i,
  input  logic       rx_er_i,

  input  logic       clk_i,          // 31.25 MHz
  input  logic       rst_ni,
  input  logic       enable_i,       // low: frames are not received
  input  stamp_t     now_i,
  input  logic [7:0] tick_i,
  input  logic [7:0] tick_gray_i,
  output logic       valid_o,
  input  logic       ready_i,
  output word_t      word_o,
  output logic       fcs_bad_o,      // valid with a last word
  output logic       lost_o,         // one clock per lost frame
  output logic       no_sfd_o        // one clock per carrier without a start delimiter
);
  logic [7:0]         tick_gray_rx, tick_rx;
  logic               enable_rx, room, wr_valid, wr_fcs_bad, lost, no_sfd, wr_ready;
  word_t              wr_word, rd_word;
  logic [DepthLog2:0] wr_level;

  sync_bits #(.Width(8)) u_tick (.clk_i(rx_clk_i), .rst_ni(rx_rst_ni), .d_i(tick_gray_i), .q_o(tick_gray_rx));
  sync_bits u_enable (.clk_i(rx_clk_i), .rst_ni(rx_rst_ni), .d_i(enable_i), .q_o(enable_rx));
  assign tick_rx = 8'(gray_to_bin(gray_t'(tick_gray_rx)));
  assign room    = enable_rx && wr_level <= (DepthLog2 + 1)'(2**DepthLog2 - 16);

  gnet1_mac_rx u_mac (
    .clk_i(rx_clk_i), .rst_ni(rx_rst_ni), .rxd_i, .rx_dv_i, .rx_er_i, .tick_i(tick_rx), .room_i(room),
    .word_valid_o(wr_valid), .word_o(wr_word), .fcs_bad_o(wr_fcs_bad), .lost_o(lost), .no_sfd_o(no_sfd));

  async_fifo #(.Width(37), .DepthLog2(DepthLog2)) u_fifo (
    .wr_clk_i(rx_clk_i), .wr_rst_ni(rx_rst_ni), .wr_valid_i(wr_valid), .wr_ready_o(wr_ready),
    .wr_data_i({wr_fcs_bad, wr_word}), .wr_level_o(wr_level),
    .rd_clk_i(clk_i), .rd_rst_ni(rst_ni), .rd_valid_o(valid_o), .rd_ready_i(ready_i),
    .rd_data_o({fcs_bad_o, rd_word}), .rd_level_o());

  sync_pulse u_lost (
    .src_clk_i(rx_clk_i), .src_rst_ni(rx_rst_ni), .pulse_i(lost), .dst_clk_i(clk_i), .dst_rst_ni(rst_ni), .pulse_o(lost_o));
  sync_pulse u_no_sfd (
    .src_clk_i(rx_clk_i), .src_rst_ni(rx_rst_ni), .pulse_i(no_sfd), .dst_clk_i(clk_i), .dst_rst_ni(rst_ni),
    .pulse_o(no_sfd_o));

  always_comb begin
    word_o = rd_word;
    if (is_stamp(rd_word)) word_o.data = stamp_sub(now_i, ticks_to_stamp(tick_i - rd_word.data[7:0]));
  end

  // An accepted frame fits: the FIFO drains as fast as one port can fill it.
  RxFifoNeverOverflows: assert property (
    @(posedge rx_clk_i) disable iff (!rx_rst_ni) wr_valid |-> wr_ready);
endmodule
