// SPDX-License-Identifier: Apache-2.0
// An I/O clock buffer, without delay.
module BUFIO (
  output wire O,
  input  wire I
);
  assign O = I;
endmodule
