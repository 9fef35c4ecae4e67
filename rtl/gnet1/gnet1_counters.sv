// SPDX-License-Identifier: Apache-2.0
// Event counters of one port, and a copy of all of them that one command takes in the same clock.
//
// Counters wrap at 2^32. A reader latches, then reads the copies: their values belong together.
module gnet1_counters
  import gnet1_pkg::*;
(
  input  logic                     clk_i,     // 31.25 MHz
  input  logic                     rst_ni,
  input  logic                     latch_i,   // one clock
  input  logic [Counters-1:0][2:0] step_i,    // what each counts on in this clock
  output logic [Counters-1:0][31:0] count_o,  // now
  output logic [Counters-1:0][31:0] held_o    // as latched
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
