// SPDX-License-Identifier: Apache-2.0
// nic_dma_turns under test: bit 0 of each port is of one engine, bit 1 of two.
module nic_dma_turns_tb (
  input  logic       rst_ni,
  input  logic [1:0] ar_valid_i,
  output logic [1:0] ar_ready_o,
  input  logic [1:0] aw_valid_i,
  output logic [1:0] aw_ready_o,
  input  logic [1:0] w_valid_i,
  output logic [1:0] w_ready_o,
  output logic [1:0] ar_valid_o,
  input  logic [1:0] ar_ready_i,
  output logic [1:0] aw_valid_o,
  input  logic [1:0] aw_ready_i,
  output logic [1:0] w_valid_o,
  input  logic [1:0] w_ready_i,
  input  logic [1:0] r_last_i,
  input  logic [1:0] b_valid_i
);
  localparam int unsigned ClockPs = 6400;
  logic clk = 1'b0;
  always #(ClockPs / 2 * 1ps) clk = !clk;

  for (genvar i = 0; i < 2; i++) begin : gen_each
    nic_dma_turns #(.Engines(i + 1)) u_turns (
      .clk_i(clk), .rst_ni, .ar_valid_i(ar_valid_i[i]), .ar_ready_o(ar_ready_o[i]),
      .aw_valid_i(aw_valid_i[i]), .aw_ready_o(aw_ready_o[i]), .w_valid_i(w_valid_i[i]),
      .w_ready_o(w_ready_o[i]), .ar_valid_o(ar_valid_o[i]), .ar_ready_i(ar_ready_i[i]),
      .aw_valid_o(aw_valid_o[i]), .aw_ready_i(aw_ready_i[i]), .w_valid_o(w_valid_o[i]),
      .w_ready_i(w_ready_i[i]), .r_last_i(r_last_i[i]), .b_valid_i(b_valid_i[i]));
  end
endmodule
