// SPDX-License-Identifier: Apache-2.0
// An output register for both edges (UltraScale): D1 and D2 are taken at the rising edge.
module ODDRE1 #(
  parameter [0:0] IS_C_INVERTED = 1'b0,
  parameter SIM_DEVICE = "ULTRASCALE",
  parameter [0:0] SRVAL = 1'b0
) (
  output wire Q,
  input  wire C,
  input  wire D1,
  input  wire D2,
  input  wire SR
);
  wire clock = C ^ IS_C_INVERTED;
  reg high = SRVAL;
  reg low = SRVAL;
  reg second = SRVAL;
  always @(posedge clock) begin
    high <= SR ? SRVAL : D1;
    second <= SR ? SRVAL : D2;
  end
  always @(negedge clock) low <= second;
  assign Q = clock ? high : low;
endmodule
