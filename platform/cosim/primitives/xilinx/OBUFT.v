// SPDX-License-Identifier: Apache-2.0
// A tri-state output buffer: I drives O while T is low.
module OBUFT (
  output wire O,
  input  wire I,
  input  wire T
);
  assign O = T ? 1'bz : I;
endmodule
