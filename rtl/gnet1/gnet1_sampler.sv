// SPDX-License-Identifier: Apache-2.0
// Writes two counters of one port into a memory at a fixed period: rates at any time resolution.
//
// The rise of enable_i restarts at place 0. The first sample is taken one period later. If the
// memory is full, sampling stops; with circular_i, it overwrites the oldest samples. total_o counts
// the samples taken. Read data follows the address by one clock.
module gnet1_sampler #(
  parameter int unsigned DepthLog2 = 14           // 64-bit samples: 1 of the XC2V6000's 2.5 Mbit
) (
  input  logic                 clk_i,             // 31.25 MHz
  input  logic                 rst_ni,
  input  logic                 enable_i,
  input  logic                 circular_i,
  input  logic [31:0]          period_clocks_i,   // 32 ns each; 0 counts as 1
  input  logic [31:0]          words_i,
  input  logic [31:0]          frames_i,
  output logic [31:0]          total_o,
  input  logic [DepthLog2-1:0] read_index_i,
  output logic [31:0]          read_words_o,
  output logic [31:0]          read_frames_o
);
  logic [63:0]          mem_q [2**DepthLog2];
  logic [DepthLog2-1:0] place_q;
  logic [31:0]          left_q;
  logic                 full_q, sample, last_clock;

  assign last_clock = left_q <= 32'd1;
  assign sample     = enable_i && last_clock && !(full_q && !circular_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !enable_i) begin
      place_q <= '0;
      full_q  <= 1'b0;
      left_q  <= period_clocks_i;
    end else begin
      left_q <= last_clock ? period_clocks_i : left_q - 32'd1;
      if (sample) begin
        place_q <= place_q + 1'b1;
        full_q  <= full_q || &place_q;
      end
    end
  end

  // total_o keeps its value after sampling stops, so that software can read it.
  logic enabled_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      total_o   <= '0;
      enabled_q <= 1'b0;
    end else begin
      enabled_q <= enable_i;
      if (enable_i && !enabled_q) total_o <= 32'(sample);
      else if (sample) total_o <= total_o + 32'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (sample) mem_q[place_q] <= {words_i, frames_i};
    {read_words_o, read_frames_o} <= mem_q[read_index_i];
  end
endmodule
