// SPDX-License-Identifier: Apache-2.0
// Event counters of one port, and copies of them that one command takes in the same clock.
//
// Counters wrap at 2^32. Software latches, then reads the copies: all are from the same clock.
module gnet1_counters
  import gnet1_pkg::*;
(
  input  logic                     clk_i,     // 31.25 MHz
  input  logic                     rst_ni,
  input  logic                     latch_i,   // one clock
  input  logic [Counters-1:0][2:0] step_i,    // added to each counter in this clock
  output logic [Counters-1:0][31:0] count_o,  // current values
  output logic [Counters-1:0][31:0] held_o    // values at the last latch
);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_o <= '0;
      held_o  <= '0;
    end else begin
      for (int unsigned index = 0; index < Counters; index++) begin
        if (step_i[index] != '0) count_o[index] <= count_o[index] + 32'(step_i[index]);
      end
      if (latch_i) held_o <= count_o;
    end
  end
endmodule
