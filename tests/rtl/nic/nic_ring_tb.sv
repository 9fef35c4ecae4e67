// SPDX-License-Identifier: Apache-2.0
// A small descriptor ring under test: 16 on chip, fetches of 6, 4 write-backs under way.
module nic_ring_tb
  import nic_pkg::*;
  import nic_ring_pkg::*;
(
  input  logic         rst_ni,
  output logic         busy_o,
  input  logic         enable_i,
  input  logic         resume_i,
  input  logic [63:0]  base_i,
  input  logic [15:0]  entries_i,
  input  logic [8:0]   pthresh_i,
  input  logic [8:0]   hthresh_i,
  input  logic [8:0]   wthresh_i,
  input  logic         head_write_i,
  input  logic [15:0]  head_i,
  input  logic         tail_write_i,
  input  logic [15:0]  tail_i,
  input  logic         flush_i,
  input  logic         cover_i,
  output logic         flushed_o,
  output logic [15:0]  head_o,
  output logic         settled_o,
  output logic [16:0]  available_o,
  output logic [9:0]   cached_o,
  output logic         drained_o,
  output logic         emptied_o,
  output logic         desc_valid_o,
  output logic [127:0] desc_o,
  input  logic         desc_take_i,
  input  logic         done_valid_i,
  input  logic [127:0] done_i,
  input  logic         done_report_i,
  output logic         written_valid_o,
  output logic [13:0]  written_o,
  output logic         fetch_error_o,
  output logic         rd_req_valid_o,
  input  logic         rd_req_ready_i,
  output logic [78:0]  rd_req_o,
  input  logic         rd_valid_i,
  input  logic         rd_last_i,
  input  logic         rd_error_i,
  input  logic [63:0]  rd_data_i,
  output logic         wr_req_valid_o,
  input  logic         wr_req_ready_i,
  output logic [78:0]  wr_req_o,
  output logic         wr_valid_o,
  input  logic         wr_ready_i,
  output logic [63:0]  wr_o,
  input  logic         wr_answered_i,
  input  logic         wr_error_i
);
  logic clk = 1'b0;
  always #(3200 * 1ps) clk = !clk;

  read_word_t rd;
  logic       unused_ready;
  assign rd = '{last: rd_last_i, error: rd_error_i, first: 3'd0, lanes: 3'd7, data: rd_data_i};

  nic_ring #(.Entries(16), .LargestFetch(6), .Runs(4)) u_ring (
    .clk_i(clk), .base_i(base_i[63:4]), .rd_ready_o(unused_ready), .rd_i(rd), .*);
endmodule
