// SPDX-License-Identifier: Apache-2.0
// A buffer of a tri-state pin: I drives it while T is low; O is its level.
module IOBUF #(
  parameter DRIVE = 12,
  parameter IBUF_LOW_PWR = "TRUE",
  parameter IOSTANDARD = "DEFAULT",
  parameter SLEW = "SLOW"
) (
  output wire O,
  inout  wire IO,
  input  wire I,
  input  wire T
);
  assign IO = T ? 1'bz : I;
  assign O = IO;
endmodule
