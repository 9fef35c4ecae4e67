// SPDX-License-Identifier: Apache-2.0
// Measures one-way latency: time of arrival here minus the GPS time that another box wrote into a
// frame.
//
// The time follows the magic number at the set offset. It has 32 bits of seconds and 32 bits of 100
// ns. Not counted: frames without the magic number, with a wrong FCS or marked as bad, and times in
// the future. The block only observes the stream. Results are in units of 100 ns.
module gnet1_oneway
  import gnet1_pkg::*;
(
  input  logic        clk_i,          // 31.25 MHz
  input  logic        rst_ni,
  input  logic        enable_i,
  input  logic        clear_i,
  input  logic [13:0] offset_bytes_i,
  input  logic [31:0] magic_i,
  input  gps_time_t   gps_i,
  input  logic        take_i,         // a word is transferred
  input  word_t       word_i,
  input  logic        fcs_bad_i,
  output logic [31:0] count_o,
  output logic [31:0] last_o,
  output logic [31:0] min_o,
  output logic [31:0] max_o,
  output logic [63:0] sum_o
);
  localparam int unsigned FieldBytes     = 12;  // magic number, seconds, 100 ns
  localparam logic [31:0] TenthsASecond  = 32'd10_000_000;

  logic [95:0] field_q, field_d;
  logic [13:0] position_q;     // position of the word's first byte
  gps_time_t   arrival_q;
  logic        done_q;
  logic [13:0] place;
  logic [31:0] latency, sent_seconds, sent_tenths, seconds_apart;
  logic        valid;

  always_comb begin
    field_d = field_q;
    place   = '0;
    for (int unsigned lane = 0; lane < 4; lane++) begin
      place = position_q + 14'(lane) - offset_bytes_i;
      if (place < 14'(FieldBytes) && 3'(lane) < valid_bytes(word_i)) begin
        field_d[8*(FieldBytes - 1 - 32'(place[3:0])) +: 8] = word_i.data[8*(3 - lane) +: 8];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      field_q    <= '0;
      position_q <= '0;
      arrival_q  <= '0;
      done_q     <= 1'b0;
    end else begin
      done_q <= 1'b0;
      if (take_i) begin
        if (is_stamp(word_i)) begin
          field_q    <= '0;
          position_q <= '0;
          arrival_q  <= gps_i;
        end else begin
          field_q    <= field_d;
          position_q <= position_q + 14'd4;
          done_q     <= word_i.eop && !word_i.tv && !fcs_bad_i && enable_i;
        end
      end
    end
  end

  assign sent_seconds  = field_q[63:32];
  assign sent_tenths   = field_q[31:0];
  assign seconds_apart = arrival_q.seconds - sent_seconds;

  // Differences below 200 s count. The latency then fits into 31 bits.
  always_comb begin
    latency = seconds_apart * TenthsASecond + {8'b0, arrival_q.tenths_us} - sent_tenths;
    valid   = field_q[95:64] == magic_i && seconds_apart < 32'd200 && sent_tenths < TenthsASecond && !latency[31];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      count_o <= '0;
      last_o  <= '0;
      min_o   <= '1;
      max_o   <= '0;
      sum_o   <= '0;
    end else if (done_q && valid) begin
      count_o <= count_o + 32'd1;
      last_o  <= latency;
      sum_o   <= sum_o + {32'b0, latency};
      if (latency < min_o) min_o <= latency;
      if (latency > max_o) max_o <= latency;
    end
  end

  // A frame counts when it has ended, not while it still arrives.
  CountsWholeFrames: assert property (
    @(posedge clk_i) disable iff (!rst_ni) done_q |-> $past(take_i && word_i.eop));

  // Corners that the test benches must meet.
  SeenMeasured: cover property (@(posedge clk_i) disable iff (!rst_ni) done_q && valid);
  SeenForeign: cover property (@(posedge clk_i) disable iff (!rst_ni) done_q && field_q[95:64] != magic_i);
endmodule
