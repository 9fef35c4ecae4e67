// SPDX-License-Identifier: Apache-2.0
// The receive engine under test: Python plays the packet buffer, the ring and the writer.
module nic_rx_engine_tb
  import nic_pkg::*;
(
  input  logic         rst_ni,
  input  logic         enable_i,
  input  logic [1:0]   bsize_i,
  input  logic [1:0]   rdmts_i,
  input  logic [15:0]  entries_i,
  input  logic         info_valid_i,
  output logic         info_ready_o,
  input  logic [62:0]  info_i,
  input  logic [11:0]  info_words_i,
  input  logic         word_valid_i,
  output logic         word_ready_o,
  input  logic [67:0]  word_i,
  output logic         release_o,
  output logic [11:0]  release_words_o,
  input  logic         desc_valid_i,
  input  logic [127:0] desc_i,
  output logic         desc_take_o,
  input  logic [15:0]  available_i,
  output logic         done_valid_o,
  output logic [127:0] done_o,
  output logic         done_report_o,
  output logic         req_valid_o,
  input  logic         req_ready_i,
  output logic [78:0]  req_o,
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [67:0]  out_o,
  input  logic         done_i,
  output logic         low_o,
  output logic         written_o,
  output logic         rest_o,
  output logic         busy_o
);
  localparam int unsigned ClockPs = 6400;
  logic clk = 1'b0;
  always #(ClockPs / 2 * 1ps) clk = !clk;

  span_t request;
  word_t out;
  assign req_o = request;
  assign out_o = out;

  nic_rx_engine u_engine (
    .clk_i(clk), .rst_ni, .enable_i, .bsize_i, .rdmts_i, .entries_i, .info_valid_i,
    .info_ready_o, .info_i(rx_info_t'(info_i)), .info_words_i, .word_valid_i, .word_ready_o,
    .word_i(word_t'(word_i)), .release_o, .release_words_o, .desc_valid_i, .desc_i,
    .desc_take_o, .available_i, .done_valid_o, .done_o, .done_report_o, .req_valid_o,
    .req_ready_i, .req_o(request), .word_valid_o(out_valid_o), .word_ready_i(out_ready_i),
    .word_o(out), .done_i, .low_o, .written_o, .rest_o, .busy_o);
endmodule
