// SPDX-License-Identifier: Apache-2.0
// A global clock buffer, without delay.
module BUFG (
  output wire O,
  input  wire I
);
  assign O = I;
endmodule
