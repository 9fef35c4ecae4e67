// SPDX-License-Identifier: Apache-2.0
// The NIC's MAC and PAUSE under test: frames in, XGMII out; XGMII in, words out.
module nic_line_tb
  import nic_pkg::*;
(
  input  logic         rst_ni,
  // Transmit.
  input  logic         enable_i,
  input  logic         hold_i,
  input  logic         local_fault_i,
  input  logic [3:0]   pace_i,
  input  logic         frame_valid_i,
  output logic         frame_ready_o,
  input  logic [67:0]  frame_word_i,
  input  logic [14:0]  frame_bytes_i,
  output logic [63:0]  txd_o,
  output logic [7:0]   txc_o,
  output logic         event_valid_o,
  output logic [21:0]  event_o,
  output logic         tx_busy_o,
  // PAUSE from the buffer's level.
  input  logic         send_i,
  input  logic         xon_i,
  input  logic [15:0]  quanta_i,
  input  logic [18:0]  high_i,
  input  logic [18:0]  low_i,
  input  logic [18:0]  fill_i,
  input  logic [47:0]  address_i,
  output logic         pause_busy_o,
  // Receive.
  input  logic [63:0]  rxd_i,
  input  logic [7:0]   rxc_i,
  output logic         word_valid_o,
  output logic [69:0]  word_o,
  output logic         rx_busy_o,
  output logic         local_fault_o,
  output logic         remote_fault_o,
  output logic         fault_busy_o,
  // PAUSE that comes.
  input  logic         honour_i,
  input  logic         good_i,
  output logic         control_o,
  output logic         pause_o,
  output logic         xon_o,
  output logic         paused_o
);
  localparam int unsigned ClockPs = 6400;
  logic clk = 1'b0;
  always #(ClockPs / 2 * 1ps) clk = !clk;

  logic       control_valid, control_ready, control_xon;
  word_t      control_word;
  line_word_t line_word;
  tx_event_t  tx_event;

  // cocotbext-eth looks right after the clock's edge: the wire moves half a clock later.
  logic [63:0] txd;
  logic [7:0]  txc;
  always_ff @(negedge clk) begin
    txd_o <= txd;
    txc_o <= txc;
  end

  assign word_o  = line_word;
  assign event_o = tx_event;

  nic_pause_tx u_pause_tx (
    .clk_i(clk), .rst_ni, .send_i, .xon_i, .quanta_i, .high_i, .low_i, .fill_i, .address_i,
    .word_valid_o(control_valid), .word_ready_i(control_ready), .word_o(control_word),
    .word_xon_o(control_xon), .busy_o(pause_busy_o));

  nic_mac_tx u_tx (
    .clk_i(clk), .rst_ni, .enable_i, .paused_i(hold_i || paused_o), .local_fault_i, .pace_i,
    .control_valid_i(control_valid), .control_ready_o(control_ready),
    .control_word_i(control_word), .control_xon_i(control_xon), .frame_valid_i, .frame_ready_o,
    .frame_word_i(word_t'(frame_word_i)), .frame_bytes_i, .xgmii_txd_o(txd),
    .xgmii_txc_o(txc), .event_valid_o, .event_o(tx_event), .busy_o(tx_busy_o));

  nic_mac_rx u_rx (
    .clk_i(clk), .rst_ni, .xgmii_rxd_i(rxd_i), .xgmii_rxc_i(rxc_i), .word_valid_o,
    .word_o(line_word), .busy_o(rx_busy_o));

  nic_link_fault u_fault (
    .clk_i(clk), .rst_ni, .xgmii_rxd_i(rxd_i), .xgmii_rxc_i(rxc_i), .local_fault_o,
    .remote_fault_o, .busy_o(fault_busy_o));

  nic_pause_rx u_pause_rx (
    .clk_i(clk), .rst_ni, .honour_i, .address_i, .word_valid_i(word_valid_o),
    .word_i(line_word.word), .good_i, .control_o, .pause_o, .xon_o, .paused_o);
endmodule
