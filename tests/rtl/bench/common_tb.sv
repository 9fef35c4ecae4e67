// SPDX-License-Identifier: Apache-2.0
// The blocks of rtl/common between two clocks whose periods the test sets, or, with free_run_i low,
// between clocks that stand still.
`timescale 1ps/1ps
module common_tb;
  int unsigned wr_period_ps_i = 8000;
  int unsigned rd_period_ps_i = 32000;
  logic        wr_clk = 1'b0, rd_clk = 1'b0;
  logic        arst_ni;
  logic        wr_rst_n, rd_rst_n;

  always begin
    #(wr_period_ps_i / 2) wr_clk = !wr_clk;
  end
  always begin
    #(rd_period_ps_i / 2) rd_clk = !rd_clk;
  end

  sync_reset u_wr_reset (.clk_i(wr_clk), .arst_ni(arst_ni), .rst_no(wr_rst_n));
  sync_reset u_rd_reset (.clk_i(rd_clk), .arst_ni(arst_ni), .rst_no(rd_rst_n));

  // FIFO of 16 words.
  logic        wr_valid_i, wr_ready_o, rd_valid_o, rd_ready_i;
  logic [35:0] wr_data_i, rd_data_o;
  logic [4:0]  wr_level_o, rd_level_o;
  async_fifo #(.Width(36), .DepthLog2(4)) u_fifo (
    .wr_clk_i(wr_clk), .wr_rst_ni(wr_rst_n), .wr_valid_i, .wr_ready_o, .wr_data_i, .wr_level_o,
    .rd_clk_i(rd_clk), .rd_rst_ni(rd_rst_n), .rd_valid_o, .rd_ready_i, .rd_data_o, .rd_level_o);

  // A word and its copy.
  logic [31:0] word_i, word_o;
  sync_word u_word (
    .src_clk_i(wr_clk), .src_rst_ni(wr_rst_n), .src_i(word_i),
    .dst_clk_i(rd_clk), .dst_rst_ni(rd_rst_n), .dst_o(word_o));

  // Events.
  logic        pulse_i, pulse_o;
  int unsigned pulses_seen_o;
  sync_pulse u_pulse (
    .src_clk_i(wr_clk), .src_rst_ni(wr_rst_n), .pulse_i(pulse_i),
    .dst_clk_i(rd_clk), .dst_rst_ni(rd_rst_n), .pulse_o(pulse_o));
  always_ff @(posedge rd_clk) begin
    if (!rd_rst_n) pulses_seen_o <= 0;
    else if (pulse_o) pulses_seen_o <= pulses_seen_o + 1;
  end

  logic        crc_clear_i, crc_valid_i, crc_good_o;
  logic [31:0] crc_init_i, crc_o;
  logic [7:0]  crc_data_i;
  crc32_d8 u_crc (
    .clk_i(wr_clk), .rst_ni(wr_rst_n), .clear_i(crc_clear_i), .init_i(crc_init_i), .valid_i(crc_valid_i),
    .data_i(crc_data_i), .crc_o(crc_o), .good_o(crc_good_o));

  logic [31:0] crc64_state_i, crc64_o;
  logic [2:0]  crc64_lanes_i;
  logic [63:0] crc64_data_i;
  crc32_d64 u_crc64 (
    .crc_i(crc64_state_i), .lanes_i(crc64_lanes_i), .data_i(crc64_data_i), .crc_o(crc64_o));

  // FIFO of five words, of one clock.
  logic        one_in_valid_i, one_in_ready_o, one_out_valid_o, one_out_ready_i;
  logic [15:0] one_in_data_i, one_out_data_o;
  logic [2:0]  one_level_o;
  sync_fifo #(.Width(16), .Depth(5)) u_one (
    .clk_i(wr_clk), .rst_ni(wr_rst_n), .in_valid_i(one_in_valid_i), .in_ready_o(one_in_ready_o),
    .in_data_i(one_in_data_i), .out_valid_o(one_out_valid_o), .out_ready_i(one_out_ready_i),
    .out_data_o(one_out_data_o), .level_o(one_level_o));

  logic        lfsr_seed_valid_i, lfsr_next_i;
  logic [63:0] lfsr_seed_i, lfsr_state_o;
  logic [31:0] lfsr_random_o;
  lfsr64 u_lfsr (
    .clk_i(wr_clk), .rst_ni(wr_rst_n), .seed_valid_i(lfsr_seed_valid_i), .seed_i(lfsr_seed_i),
    .next_i(lfsr_next_i), .random_o(lfsr_random_o), .state_o(lfsr_state_o));
endmodule
