// SPDX-License-Identifier: Apache-2.0
// A regional clock buffer, without delay. A division of the clock is not modelled: another value
// of BUFR_DIVIDE than BYPASS or 1 stops the compilation.
module BUFR #(
  parameter BUFR_DIVIDE = "BYPASS",
  parameter SIM_DEVICE = "7SERIES"
) (
  output wire O,
  input  wire CE,
  input  wire CLR,
  input  wire I
);
  if (BUFR_DIVIDE != "BYPASS" && BUFR_DIVIDE != "1") begin : gen_unknown
    longhaul_bufr_divides_no_clock unknown ();
  end
  assign O = I;
endmodule
