// SPDX-License-Identifier: Apache-2.0
// An output buffer, without delay.
module OBUF (
  output wire O,
  input  wire I
);
  assign O = I;
endmodule
