// SPDX-License-Identifier: Apache-2.0
// A flip-flop with clock enable and an asynchronous clear.
module FDCE #(
  parameter [0:0] INIT = 1'b0
) (
  output reg  Q = INIT,
  input  wire C,
  input  wire CE,
  input  wire D,
  input  wire CLR
);
  always @(posedge C or posedge CLR) begin
    if (CLR) Q <= 1'b0;
    else if (CE) Q <= D;
  end
endmodule
