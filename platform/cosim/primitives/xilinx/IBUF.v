// SPDX-License-Identifier: Apache-2.0
// An input buffer, without delay.
module IBUF (
  output wire O,
  input  wire I
);
  assign O = I;
endmodule
