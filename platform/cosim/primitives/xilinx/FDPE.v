// SPDX-License-Identifier: Apache-2.0
// A flip-flop with clock enable and an asynchronous preset.
module FDPE #(
  parameter [0:0] INIT = 1'b1
) (
  output reg  Q = INIT,
  input  wire C,
  input  wire CE,
  input  wire D,
  input  wire PRE
);
  always @(posedge C or posedge PRE) begin
    if (PRE) Q <= 1'b1;
    else if (CE) Q <= D;
  end
endmodule
