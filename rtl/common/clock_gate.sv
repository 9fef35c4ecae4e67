// SPDX-License-Identifier: Apache-2.0
// A gate in a clock: an edge comes if it was enabled in the first half of the period before it.
//
// The enable is taken at the falling edge, so the output has no glitch, and no latch is needed. The
// path to it has half a period. test_i lets every edge pass.
module clock_gate (
  input  logic clk_i,
  input  logic enable_i,   // of clk_i's rising edge
  input  logic test_i,     // does not change while the clock runs
  output logic clk_o
);
  logic enable_q = 1'b1;   // from the first edge on, so that a reset reaches what it clocks

  always_ff @(negedge clk_i) enable_q <= enable_i || test_i;

  assign clk_o = clk_i && enable_q;
endmodule
