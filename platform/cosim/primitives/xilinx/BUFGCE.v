// SPDX-License-Identifier: Apache-2.0
// A global clock buffer with a clock enable, which is taken while the clock is low.
module BUFGCE #(
  parameter CE_TYPE = "SYNC",
  parameter SIM_DEVICE = "7SERIES",
  parameter [0:0] IS_CE_INVERTED = 1'b0,
  parameter [0:0] IS_I_INVERTED = 1'b0
) (
  output wire O,
  input  wire CE,
  input  wire I
);
  wire clock = I ^ IS_I_INVERTED;
  reg on = 1'b0;
  always @* if (!clock) on = CE ^ IS_CE_INVERTED;
  assign O = clock & on;
endmodule
