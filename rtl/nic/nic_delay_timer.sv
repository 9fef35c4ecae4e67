// SPDX-License-Identifier: Apache-2.0
// A one-shot timer in units of 128 clocks, 819.2 ns, as RDTR, RAIDC and TIDV count.
//
// restart_i sets it, also while it runs; start_i only while it does not. It fires delay_i units
// later, in the next clock with zero. cancel_i stops it. TLM twin: models/nic/blocks/delay_timer.
// Test: tests/rtl/nic/nic_control_bench.py.
module nic_delay_timer #(
  parameter  int unsigned DelayBits = 16,
  localparam int unsigned LeftBits  = DelayBits + 7
) (
  input  logic                 clk_i,      // 156.25 MHz
  input  logic                 rst_ni,
  input  logic                 restart_i,
  input  logic                 start_i,
  input  logic                 cancel_i,   // wins over the two
  input  logic [DelayBits-1:0] delay_i,    // units of 819.2 ns
  output logic                 fired_o,    // one clock
  output logic                 busy_o
);
  logic [LeftBits-1:0] left_q;
  logic                sets;

  assign sets    = restart_i || (start_i && !busy_o);
  assign fired_o = busy_o && left_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || cancel_i) busy_o <= 1'b0;
    else if (sets) busy_o <= 1'b1;
    else if (fired_o) busy_o <= 1'b0;
  end

  // It is looked at a clock after it was set, and fires in the clock in which nothing is left.
  always_ff @(posedge clk_i) begin
    if (sets) left_q <= delay_i == '0 ? '0 : {delay_i, 7'b0} - LeftBits'(1);
    else if (busy_o) left_q <= left_q - LeftBits'(1);
  end

  // Corners: set while it runs, a start that changes nothing, no delay at all, stopped.
  SetAgain: cover property (@(posedge clk_i) disable iff (!rst_ni) restart_i && busy_o && !fired_o);
  NotSetAgain: cover property (
    @(posedge clk_i) disable iff (!rst_ni) start_i && !restart_i && busy_o && !fired_o);
  NoDelay: cover property (@(posedge clk_i) disable iff (!rst_ni) sets && delay_i == '0);
  Stopped: cover property (@(posedge clk_i) disable iff (!rst_ni) cancel_i && busy_o);
endmodule
