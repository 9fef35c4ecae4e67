// SPDX-License-Identifier: Apache-2.0
// 64-bit linear feedback shift register: a new 32-bit random number each clock with next_i.
//
// Taps 64, 63, 61, 60: the period is 2^64 - 1. Each step moves the register by 32 places. With one
// place a step, successive numbers would be shifted copies: a small number would follow a small
// one. A seed of zero would never change, so it is taken as one.
module lfsr64 (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        seed_valid_i,  // wins over next_i
  input  logic [63:0] seed_i,
  input  logic        next_i,
  output logic [31:0] random_o,      // the newest 32 bits
  output logic [63:0] state_o
);
  localparam logic [63:0] ResetSeed = 64'h4E54_3120_474E_4554;

  function automatic logic [63:0] leap32(input logic [63:0] now);
    logic [63:0] state;
    state = now;
    for (int unsigned place = 0; place < 32; place++) begin
      state = {state[62:0], state[63] ^ state[62] ^ state[60] ^ state[59]};
    end
    return state;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_o <= ResetSeed;
    end else if (seed_valid_i) begin
      state_o <= seed_i == '0 ? 64'd1 : seed_i;
    end else if (next_i) begin
      state_o <= leap32(state_o);
    end
  end

  assign random_o = state_o[31:0];

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // The all-zero state is never entered. It would be its own successor.
      NeverZero: assert (state_o != '0);
    end
  end
endmodule
