// SPDX-License-Identifier: Apache-2.0
// The receive path under test: words from the line in, frames of the buffer and events out.
module nic_rx_tb
  import nic_pkg::*;
#(
  parameter int unsigned BufferBytes = 32768
) (
  input  logic         rst_ni,
  // Settings.
  input  logic         enable_i,
  input  logic [31:0]  rctl_i,
  input  logic         vme_i,
  input  logic         ipofl_i,
  input  logic         tuofl_i,
  input  logic [15:0]  limit_i,
  input  logic         descriptors_i,
  // Tables.
  output logic         table_ready_o,
  input  logic         table_we_i,
  input  logic         table_re_i,
  input  logic [1:0]   table_i,
  input  logic [6:0]   table_place_i,
  input  logic [31:0]  table_wdata_i,
  output logic [31:0]  table_rdata_o,
  output logic [47:0]  address_o,
  // Line.
  input  logic         line_valid_i,
  input  logic [69:0]  line_i,
  output logic [37:0]  filter_o,
  output logic [3:0]   sums_o,
  output logic         paused_o,
  output logic         event_valid_o,
  output logic [30:0]  event_o,
  output logic [15:0]  fill_o,
  // Engine.
  output logic         info_valid_o,
  input  logic         info_ready_i,
  output logic [62:0]  info_o,
  output logic [11:0]  info_words_o,
  output logic         word_valid_o,
  input  logic         word_ready_i,
  output logic [67:0]  word_o,
  input  logic         release_i,
  input  logic [11:0]  release_words_i,
  output logic         busy_o
);
  localparam int unsigned ClockPs = 6400;
  logic clk = 1'b0;
  always #(ClockPs / 2 * 1ps) clk = !clk;

  line_word_t line;
  rx_filter_t filter;
  rx_sums_t   sums;
  rx_event_t  rx_event;
  rx_info_t   info;
  word_t      word;
  logic       control, pause, xon, good, filter_busy, sums_busy, buffer_busy;

  assign line     = line_i;
  assign filter_o = filter;
  assign sums_o   = sums;
  assign event_o  = rx_event;
  assign info_o   = info;
  assign word_o   = word;
  assign busy_o   = filter_busy || sums_busy || buffer_busy;

  nic_rx_filter u_filter (
    .clk_i(clk), .rst_ni, .upe_i(rctl_i[3]), .mpe_i(rctl_i[4]), .bam_i(rctl_i[15]),
    .mo_i(rctl_i[13:12]), .vfe_i(rctl_i[18]), .cfien_i(rctl_i[19]), .cfi_i(rctl_i[20]),
    .table_ready_o, .table_we_i, .table_re_i, .table_i(rx_table_e'(table_i)), .table_place_i,
    .table_wdata_i, .table_rdata_o, .address_o, .word_valid_i(line_valid_i),
    .word_i(line.word), .filter_o(filter), .busy_o(filter_busy));

  nic_rx_checksum u_checksum (
    .clk_i(clk), .rst_ni, .word_valid_i(line_valid_i), .word_i(line.word), .sums_o(sums),
    .busy_o(sums_busy));

  nic_pause_rx u_pause (
    .clk_i(clk), .rst_ni, .honour_i(1'b1), .address_i(address_o), .word_valid_i(line_valid_i),
    .word_i(line.word), .good_i(good), .control_o(control), .pause_o(pause), .xon_o(xon),
    .paused_o);

  nic_rx_buffer #(.BufferBytes(BufferBytes)) u_buffer (
    .clk_i(clk), .rst_ni, .enable_i, .sbp_i(rctl_i[2]), .cff_i(rctl_i[23]),
    .secrc_i(rctl_i[26]), .vme_i, .ipofl_i, .tuofl_i, .limit_i, .descriptors_i,
    .word_valid_i(line_valid_i), .word_i(line), .filter_i(filter), .sums_i(sums),
    .control_i(control), .pause_i(pause), .xon_i(xon), .good_o(good), .event_valid_o,
    .event_o(rx_event), .fill_o, .info_valid_o, .info_ready_i, .info_o(info), .info_words_o,
    .word_valid_o, .word_ready_i, .word_o(word), .release_i, .release_words_i,
    .busy_o(buffer_busy));
endmodule
