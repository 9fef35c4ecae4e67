// SPDX-License-Identifier: Apache-2.0
// The rule of a stream: a valid word stays valid and unchanged until it is taken.
//
// It is a check for simulation, without outputs. Payloads are wide, and Verilator copies what a
// concurrent assertion reads at every edge of every clock. This one copies a payload only while it
// waits.
module stream_rules #(
  parameter int unsigned Width = 1
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic             ready_i,
  input logic [Width-1:0] payload_i
);
  logic             waits_q;
  logic [Width-1:0] payload_q;

  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni && valid_i && !ready_i;
    if (valid_i && !ready_i) payload_q <= payload_i;
    if (rst_ni && waits_q) begin
      StaysValid: assert (valid_i);
      StaysAsItIs: assert (payload_i == payload_q);
    end
  end
endmodule
