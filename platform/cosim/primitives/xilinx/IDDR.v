// SPDX-License-Identifier: Apache-2.0
// An input register for both edges (7 series). R and S act at the clock; an asynchronous SRTYPE
// stops the compilation.
module IDDR #(
  parameter DDR_CLK_EDGE = "OPPOSITE_EDGE",
  parameter INIT_Q1 = 1'b0,
  parameter INIT_Q2 = 1'b0,
  parameter SRTYPE = "SYNC"
) (
  output wire Q1,
  output wire Q2,
  input  wire C,
  input  wire CE,
  input  wire D,
  input  wire R,
  input  wire S
);
  if (SRTYPE != "SYNC") begin : gen_unknown
    longhaul_iddr_has_no_asynchronous_reset unknown ();
  end
  reg rising = INIT_Q1;
  reg falling = INIT_Q2;
  reg first = INIT_Q1;
  reg second = INIT_Q2;
  always @(posedge C) begin
    if (R) rising <= 1'b0;
    else if (S) rising <= 1'b1;
    else if (CE) rising <= D;
    first <= rising;
    second <= falling;
  end
  always @(negedge C) begin
    if (R) falling <= 1'b0;
    else if (S) falling <= 1'b1;
    else if (CE) falling <= D;
  end
  // OPPOSITE_EDGE: each at its own edge. SAME_EDGE: the falling one a clock later, at the rising
  // edge. SAME_EDGE_PIPELINED: both of one clock together.
  assign Q1 = DDR_CLK_EDGE == "SAME_EDGE_PIPELINED" ? first : rising;
  assign Q2 = DDR_CLK_EDGE == "OPPOSITE_EDGE" ? falling : second;
endmodule
