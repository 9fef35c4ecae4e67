// SPDX-License-Identifier: Apache-2.0
// A differential output buffer, without delay.
module OBUFDS (
  output wire O,
  output wire OB,
  input  wire I
);
  assign O = I;
  assign OB = ~I;
endmodule
