// SPDX-License-Identifier: Apache-2.0
// An output register for both edges (7 series). SAME_EDGE takes D1 and D2 at the rising edge,
// OPPOSITE_EDGE takes D2 at the falling one. R and S act at the clock; an asynchronous SRTYPE
// stops the compilation.
module ODDR #(
  parameter DDR_CLK_EDGE = "OPPOSITE_EDGE",
  parameter INIT = 1'b0,
  parameter SRTYPE = "SYNC"
) (
  output wire Q,
  input  wire C,
  input  wire CE,
  input  wire D1,
  input  wire D2,
  input  wire R,
  input  wire S
);
  if (SRTYPE != "SYNC") begin : gen_unknown
    longhaul_oddr_has_no_asynchronous_reset unknown ();
  end
  reg high = INIT;    // while the clock is high
  reg low = INIT;     // while it is low
  reg second = INIT;  // D2 of the rising edge
  always @(posedge C) begin
    if (R) begin
      high <= 1'b0;
      second <= 1'b0;
    end else if (S) begin
      high <= 1'b1;
      second <= 1'b1;
    end else if (CE) begin
      high <= D1;
      second <= D2;
    end
  end
  always @(negedge C) begin
    if (DDR_CLK_EDGE == "SAME_EDGE") low <= second;
    else if (R) low <= 1'b0;
    else if (S) low <= 1'b1;
    else if (CE) low <= D2;
  end
  assign Q = C ? high : low;
endmodule
