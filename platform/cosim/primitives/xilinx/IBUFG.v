// SPDX-License-Identifier: Apache-2.0
// A clock input buffer, without delay.
module IBUFG (
  output wire O,
  input  wire I
);
  assign O = I;
endmodule
