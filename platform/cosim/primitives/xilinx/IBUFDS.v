// SPDX-License-Identifier: Apache-2.0
// A differential input buffer: the positive pin counts.
module IBUFDS (
  output wire O,
  input  wire I,
  input  wire IB
);
  assign O = I;
endmodule
