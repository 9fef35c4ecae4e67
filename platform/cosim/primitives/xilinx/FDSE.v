// SPDX-License-Identifier: Apache-2.0
// A flip-flop with clock enable and a synchronous set.
module FDSE #(
  parameter [0:0] INIT = 1'b1
) (
  output reg  Q = INIT,
  input  wire C,
  input  wire CE,
  input  wire D,
  input  wire S
);
  always @(posedge C) begin
    if (S) Q <= 1'b1;
    else if (CE) Q <= D;
  end
endmodule
