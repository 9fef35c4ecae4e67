// SPDX-License-Identifier: Apache-2.0
// The box's times: running time for stamps, a short tick count for the receive domains, GPS time.
//
// Running time advances 32 ns a clock and cannot be set. Each rise of gps_pps_i begins a second of
// GPS time. Its number is the value written before the pulse, or else the last number plus one.
// Between pulses, GPS time follows the box's own oscillator. pps_ticks_o is the length of the last
// second in clocks.
module gnet1_timebase
  import common_pkg::*;
  import gnet1_pkg::*;
(
  input  logic        clk_i,              // 31.25 MHz
  input  logic        rst_ni,
  input  logic        gps_pps_i,          // any domain, high for at least 100 ns
  input  logic        seconds_set_i,
  input  logic [31:0] seconds_i,          // number of the second that the next pulse begins
  output stamp_t      now_o,
  output logic [7:0]  tick_o,
  output logic [7:0]  tick_gray_o,        // safe to sample in any domain
  output gps_time_t   gps_o,
  output logic [31:0] pps_ticks_o
);
  localparam stamp_t Clock = '{tenths_us: 27'd0, quads_ns: 5'(QuadsPerTick)};

  logic       pps, pps_q, rise;
  stamp_t     second_q;                   // time within the second
  logic [31:0] ticks_q, next_seconds_q, seconds_q;
  logic [7:0] tick_d;

  sync_bits #(.Stages(2)) u_pps (.clk_i, .rst_ni, .d_i(gps_pps_i), .q_o(pps));
  assign rise   = pps && !pps_q;
  assign tick_d = tick_o + 8'd1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      now_o          <= '0;
      tick_o         <= '0;
      tick_gray_o    <= '0;
      pps_q          <= 1'b0;
      second_q       <= '0;
      seconds_q      <= '0;
      next_seconds_q <= 32'd1;
      ticks_q        <= '0;
      pps_ticks_o    <= '0;
    end else begin
      now_o       <= stamp_add(now_o, Clock);
      tick_o      <= tick_d;
      tick_gray_o <= 8'(bin_to_gray(gray_t'(tick_d)));
      pps_q       <= pps;
      second_q    <= rise ? '0 : stamp_add(second_q, Clock);
      ticks_q     <= rise ? 32'd1 : ticks_q + 32'd1;
      if (rise) begin
        pps_ticks_o    <= ticks_q;
        seconds_q      <= next_seconds_q;
        next_seconds_q <= next_seconds_q + 32'd1;
      end
      if (seconds_set_i) next_seconds_q <= seconds_i;
    end
  end

  assign gps_o = '{seconds: seconds_q, tenths_us: second_q.tenths_us[23:0]};

  // The 4 ns part of a time stays below 100 ns.
  PhaseInRange: assert property (
    @(posedge clk_i) disable iff (!rst_ni) now_o.quads_ns < 5'(QuadsPerTenth));
  // The count that other domains sample changes in one bit at a time.
  TickIsGray: assert property (
    @(posedge clk_i) disable iff (!rst_ni) $onehot0(tick_gray_o ^ $past(tick_gray_o)));
endmodule
