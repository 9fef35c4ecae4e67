// SPDX-License-Identifier: Apache-2.0
// Two flip-flops for a level, or for gray code, that comes from another clock.
module mynic_sync #(
  parameter int unsigned Width = 1
) (
  input  logic             clk_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);
  logic [Width-1:0] meta_q;

  always_ff @(posedge clk_i) begin
    meta_q <= d_i;
    q_o    <= meta_q;
  end
endmodule
