// SPDX-License-Identifier: Apache-2.0
// Brings a reset into clk_i's domain: low within Stages clocks of arst_ni's fall, high Stages clocks after its rise.
//
// Blocks use the result as a synchronous reset, so every domain needs a running clock while arst_ni is low.
module sync_reset #(
  parameter int unsigned Stages = 3
) (
  input  logic clk_i,
  input  logic arst_ni,  // from any domain, low for at least Stages clocks of the slowest domain
  output logic rst_no
);
  logic [Stages-1:0] chain_q = '0;  // power-on value: in reset until the clock has run

  always_ff @(posedge clk_i) chain_q <= {chain_q[Stages-2:0], arst_ni};

  assign rst_no = &chain_q;
endmodule
