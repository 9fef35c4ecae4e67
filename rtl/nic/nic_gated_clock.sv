// SPDX-License-Identifier: Apache-2.0
// The clock of a part: it runs while the part needs it, and some clocks longer.
//
// In these clocks pulses of the part end that were made in its last busy clock. Test:
// tests/rtl/nic/nic_top_clocks_bench.py.
module nic_gated_clock #(
  parameter int unsigned Hold = 7
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic test_mode_i,   // the clock does not stop
  input  logic need_i,        // in the clock whose end is the first edge that has to come
  output logic clk_o
);
  localparam int unsigned HoldBits = $clog2(Hold + 1);
  logic [HoldBits-1:0] left_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || need_i) left_q <= HoldBits'(Hold);
    else if (left_q != '0) left_q <= left_q - HoldBits'(1);
  end

  clock_gate u_gate (
    .clk_i, .enable_i(!rst_ni || need_i || left_q != '0), .test_i(test_mode_i), .clk_o);
endmodule
