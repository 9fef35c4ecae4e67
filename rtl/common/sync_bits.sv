// SPDX-License-Identifier: Apache-2.0
// Synchronizer: takes independent bits, or one Gray-coded number, into the domain of clk_i.
//
// Latency: Stages clocks, and one more if a bit changes in the set-up window of the first
// flip-flop. Bits of one vector may arrive one clock apart.
module sync_bits #(
  parameter int unsigned          Width      = 1,
  parameter int unsigned          Stages     = 2,
  parameter logic     [Width-1:0] ResetValue = '0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] d_i,     // from any domain
  output logic [Width-1:0] q_o
);
  logic [Stages-1:0][Width-1:0] chain_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      chain_q <= {Stages{ResetValue}};
    end else begin
      chain_q <= {chain_q[Stages-2:0], d_i};
    end
  end

  assign q_o = chain_q[Stages-1];
endmodule
