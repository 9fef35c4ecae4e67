// SPDX-License-Identifier: Apache-2.0
// The NIC's counters under test: of full width, and of 8 bits, which are soon full.
module nic_statistics_tb
  import nic_pkg::*;
#(
  localparam int unsigned NarrowBits = 8
) (
  input  logic                       rst_ni,
  input  logic                       mpe_i,
  input  logic                       rx_valid_i,
  input  logic [$bits(rx_event_t)-1:0] rx_i,
  input  logic                       tx_valid_i,
  input  logic [$bits(tx_event_t)-1:0] tx_i,
  input  logic                       tso_whole_i,
  input  logic                       tso_failed_i,
  input  logic                       link_lost_i,
  input  logic                       read_i,
  input  logic [8:2]                 addr_i,
  output logic [31:0]                rdata_o,
  output logic [NarrowBits-1:0]      narrow_o
);
  localparam int unsigned ClockPs = 6400;
  logic clk = 1'b0;
  always #(ClockPs / 2 * 1ps) clk = !clk;

  nic_statistics u_statistics (
    .clk_i(clk), .rst_ni, .mpe_i, .rx_valid_i, .rx_i(rx_event_t'(rx_i)), .tx_valid_i,
    .tx_i(tx_event_t'(tx_i)), .tso_whole_i, .tso_failed_i, .link_lost_i, .read_i, .addr_i,
    .rdata_o);

  nic_statistics #(.Bits(NarrowBits)) u_narrow (
    .clk_i(clk), .rst_ni, .mpe_i, .rx_valid_i, .rx_i(rx_event_t'(rx_i)), .tx_valid_i,
    .tx_i(tx_event_t'(tx_i)), .tso_whole_i, .tso_failed_i, .link_lost_i, .read_i, .addr_i,
    .rdata_o(narrow_o));
endmodule
