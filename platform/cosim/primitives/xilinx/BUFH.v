// SPDX-License-Identifier: Apache-2.0
// A horizontal clock buffer, without delay.
module BUFH (
  output wire O,
  input  wire I
);
  assign O = I;
endmodule
