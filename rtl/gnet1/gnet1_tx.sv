// SPDX-License-Identifier: Apache-2.0
// Transmit side of a port: the dual-clock FIFO to 125 MHz, the MAC, and optional GPS stamping.
//
// The stamp word of a frame is removed here. If stamp_i is high, two words with the GPS time of
// release replace it. The frame then takes two more clocks, which fit into the preamble and the
// gap. Frames stay in order and none is lost.
module gnet1_tx
  import gnet1_csr_pkg::*;
  import gnet1_pkg::*;
#(
  parameter int unsigned DepthLog2 = 6  // words
) (
  input  logic        clk_i,          // 31.25 MHz
  input  logic        rst_ni,
  input  logic        stamp_i,        // settings are in this clock domain
  input  logic [5:0]  ifg_bytes_i,
  input  logic        fcs_new_i,
  input  logic [13:0] offset_bytes_i,
  input  logic [31:0] magic_i,
  input  gps_time_t   gps_i,
  input  logic        in_valid_i,
  output logic        in_ready_o,
  input  word_t       in_word_i,
  output logic        drained_o,      // no word waits here: a frame passes at line rate
  output logic        frame_o,        // one clock per frame sent
  output logic        underrun_o,     // one clock per frame cut

  input  logic        tx_clk_i,       // 125 MHz
  input  logic        tx_rst_ni,
  output logic [7:0]  txd_o,
  output logic        tx_en_o,
  output logic        tx_er_o
);
  typedef enum logic [0:0] {StPass, StFraction} state_e;
  state_e state_q;

  logic        starts, valid, ready, pop, held_valid_q, rd_valid, rd_ready, frame, underrun, fcs_new;
  word_t       word, held_q, rd_word;
  logic [5:0]  ifg_bytes;
  logic [13:0] offset_bytes;
  logic [31:0] magic;
  logic [DepthLog2:0] level;

  // One register between the crossbar and the FIFO. in_ready_o then does not depend on in_valid_i.
  assign in_ready_o = !held_valid_q || pop;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_valid_q <= 1'b0;
      held_q       <= '0;
    end else if (in_ready_o) begin
      held_valid_q <= in_valid_i;
      held_q       <= in_word_i;
    end
  end

  // The stamp word is kept while the first of its two replacements is written.
  assign starts = held_valid_q && is_stamp(held_q);
  always_comb begin
    valid = held_valid_q;
    word  = held_q;
    pop   = ready;
    if (starts) begin
      valid     = stamp_i || state_q == StFraction;
      word.data = state_q == StFraction ? {8'b0, gps_i.tenths_us} : gps_i.seconds;
      pop       = state_q == StFraction ? ready : !stamp_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StPass;
    else if (starts && valid && ready) state_q <= state_q == StPass ? StFraction : StPass;
  end

  async_fifo #(.Width(36), .DepthLog2(DepthLog2)) u_fifo (
    .wr_clk_i(clk_i), .wr_rst_ni(rst_ni), .wr_valid_i(valid), .wr_ready_o(ready), .wr_data_i(word), .wr_level_o(level),
    .rd_clk_i(tx_clk_i), .rd_rst_ni(tx_rst_ni), .rd_valid_o(rd_valid), .rd_ready_i(rd_ready), .rd_data_o(rd_word),
    .rd_level_o());

  assign drained_o = !held_valid_q && level == '0;

  sync_word #(.Width(53)) u_settings (
    .src_clk_i(clk_i), .src_rst_ni(rst_ni), .src_i({ifg_bytes_i, fcs_new_i, offset_bytes_i, magic_i}),
    .dst_clk_i(tx_clk_i), .dst_rst_ni(tx_rst_ni), .dst_o({ifg_bytes, fcs_new, offset_bytes, magic}));

  gnet1_mac_tx u_mac (
    .clk_i(tx_clk_i), .rst_ni(tx_rst_ni), .word_valid_i(rd_valid), .word_ready_o(rd_ready), .word_i(rd_word),
    .ifg_i(32'(ifg_bytes) < IfgLeast ? IfgWidth'(IfgLeast) : ifg_bytes), .fcs_new_i(fcs_new), .offset_i(offset_bytes), .magic_i(magic),
    .txd_o, .tx_en_o, .tx_er_o, .frame_o(frame), .underrun_o(underrun));

  sync_pulse u_frame (
    .src_clk_i(tx_clk_i), .src_rst_ni(tx_rst_ni), .pulse_i(frame), .dst_clk_i(clk_i), .dst_rst_ni(rst_ni),
    .pulse_o(frame_o));
  sync_pulse u_underrun (
    .src_clk_i(tx_clk_i), .src_rst_ni(tx_rst_ni), .pulse_i(underrun), .dst_clk_i(clk_i), .dst_rst_ni(rst_ni),
    .pulse_o(underrun_o));
endmodule
