// SPDX-License-Identifier: Apache-2.0
// Brings an asynchronous reset into the domain of clk_i.
//
// rst_no falls within Stages clocks after arst_ni falls, and rises Stages clocks after arst_ni
// rises. Blocks use rst_no as a synchronous reset. Every domain therefore needs a running clock
// while arst_ni is low.
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
