// SPDX-License-Identifier: Apache-2.0
// Remainder of a division, one bit a clock.
//
// done_o is high for one clock, ValueBits + 1 clocks after start_i; remainder_o is valid then. A
// start while a division is under way begins again. Test: tests/rtl/nic/nic_ring_bench.py.
module nic_remainder #(
  parameter int unsigned ValueBits   = 40,
  parameter int unsigned DivisorBits = 16
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   start_i,
  input  logic [ValueBits-1:0]   value_i,
  input  logic [DivisorBits-1:0] divisor_i,    // not zero; stays while a division is under way
  output logic                   done_o,
  output logic [DivisorBits-1:0] remainder_o
);
  localparam int unsigned CountBits = $clog2(ValueBits + 1);

  logic [ValueBits-1:0] value_q;
  logic [CountBits-1:0] left_q;    // bits
  logic [DivisorBits:0] trial;
  logic                 fits;

  assign trial = {remainder_o, value_q[ValueBits-1]};
  assign fits  = trial >= {1'b0, divisor_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q <= '0;
      done_o <= 1'b0;
    end else begin
      if (start_i) left_q <= CountBits'(ValueBits);
      else if (left_q != '0) left_q <= left_q - CountBits'(1);
      done_o <= left_q == CountBits'(1) && !start_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      value_q     <= value_i;
      remainder_o <= '0;
    end else if (left_q != '0) begin
      value_q     <= value_q << 1;
      remainder_o <= fits ? DivisorBits'(trial - {1'b0, divisor_i}) : DivisorBits'(trial);
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // A remainder is less than its divisor.
      InRange: assert (!done_o || remainder_o < divisor_i);
    end
  end
endmodule
