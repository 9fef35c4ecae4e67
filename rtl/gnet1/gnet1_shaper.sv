// SPDX-License-Identifier: Apache-2.0
// A bottleneck before the delay line: token bucket, router queue with tail drop and RED, ATM cells.
//
// The queue is virtual. The shaper knows the time free_at at which the bottleneck will have sent
// all earlier frames. It replaces the arrival time in a frame's stamp by its departure from the
// queue: max(arrival, free_at). The delay line then adds the propagation delay, as on a real path.
// The external memory holds the frames of the queue and of the delay line.
//
// Each word costs word_cost of time, and each frame frame_cost (for example preamble and gap). With
// atm_i, each started cell of 48 bytes costs word_cost instead. The first cell of a frame begins
// with atm_overhead bytes (trailer, LLC). An idle bottleneck saves up to `burst` of time.
// Thresholds are queueing times: bytes of queue divided by the rate.
//
// The path has one register and moves one word a clock. A dropped frame is dropped whole. TLM twin:
// models/wan/gnet1.
module gnet1_shaper
  import gnet1_pkg::*;
#(
  parameter int unsigned IdleDecayLog2Clocks = 9  // decay of RED's average if idle: 16.4 us
) (
  input  logic        clk_i,              // 31.25 MHz
  input  logic        rst_ni,
  input  port_cfg_t   cfg_i,
  input  stamp_t      now_i,
  input  logic        seed_valid_i,
  input  logic [63:0] seed_i,
  input  logic        in_valid_i,
  output logic        in_ready_o,
  input  word_t       in_word_i,
  output logic        out_valid_o,
  input  logic        out_ready_i,
  output word_t       out_word_o,
  output logic        tail_drop_o,        // one clock per frame
  output logic        red_drop_o,         // one clock per frame
  output logic [26:0] backlog_tenths_us_o,
  output logic [26:0] red_average_tenths_us_o
);
  localparam int unsigned CellBytes = 48;
  // 3.36 s. Times still compare correctly with the longest frame at the highest cost and the
  // longest delay added.
  localparam logic [26:0] LongestQueue = 27'd1 << 25;
  localparam stamp_t      FifoTime  = '{tenths_us: 27'd40, quads_ns: 5'd0};  // 4 us > 64 words

  cost_t              free_q, free_base, charge;
  stamp_t             floor_time, free_ahead;
  logic               ahead, queued, take, starts, full, red_hit, drop, dropping_q;
  logic [34:0]        average_q, average_gap;  // units of 1/256 of 100 ns
  logic [26:0]        backlog, over_min;
  logic [58:0]        probability;
  logic [31:0]        random;
  logic [6:0]         cell_q, cell_sum;
  logic [1:0]         cells;
  logic [IdleDecayLog2Clocks-1:0] idle_q;

  assign in_ready_o = !out_valid_o || out_ready_i;
  assign take       = in_valid_i && in_ready_o;
  assign starts     = take && is_stamp(in_word_i);

  // Time at which the bottleneck is free. For a new frame, it is at least the arrival minus
  // `burst`. Between frames, free_at need only stay within the range of the comparison. Its lower
  // limit is then `burst` before the arrival of the oldest frame that the receive FIFO can hold.
  assign floor_time = stamp_sub(starts ? stamp_t'(in_word_i.data) : stamp_sub(now_i, FifoTime), cfg_i.burst);
  assign free_base  = stamp_reached(floor_time, free_q.time_part) ? '{time_part: floor_time, fraction: 8'd0} : free_q;
  assign ahead      = !stamp_reached(now_i, free_q.time_part);
  assign free_ahead = stamp_sub(free_q.time_part, now_i);
  assign backlog    = ahead && cfg_i.rate_enable ? free_ahead.tenths_us : '0;

  assign queued     = cfg_i.rate_enable && !stamp_reached(in_word_i.data, free_q.time_part);

  // Drops are decided when a frame begins.
  assign full        = backlog >= LongestQueue ||
                       (cfg_i.queue_limit_tenths_us != '0 && backlog >= cfg_i.queue_limit_tenths_us);
  assign over_min    = average_q[34:8] - cfg_i.red_min_tenths_us;
  assign probability = 59'(over_min) * 59'(cfg_i.red_slope);
  assign red_hit     = cfg_i.red_enable && average_q[34:8] >= cfg_i.red_min_tenths_us &&
                       (average_q[34:8] >= cfg_i.red_max_tenths_us || probability[58:32] != '0 ||
                        random < probability[31:0]);
  assign drop        = cfg_i.rate_enable && (full || red_hit);

  lfsr64 u_random (
    .clk_i, .rst_ni, .seed_valid_i, .seed_i, .next_i(starts), .random_o(random), .state_o());

  // Cells that this word completes, and for the last word the cell of its remaining bytes.
  assign cell_sum = cell_q + 7'(valid_bytes(in_word_i));
  always_comb begin
    cells = 2'(cell_sum >= 7'(CellBytes));
    if (in_word_i.eop && cell_sum != 7'(CellBytes)) cells = cells + 2'd1;
  end

  always_comb begin
    charge = '0;
    if (starts && cfg_i.rate_enable && !drop) begin
      charge = cfg_i.frame_cost;
    end else if (take && !starts && cfg_i.rate_enable && !dropping_q) begin
      if (!cfg_i.atm || cells == 2'd1) begin
        charge = cfg_i.word_cost;
      end else if (cells == 2'd2) begin
        charge = cost_add(cfg_i.word_cost, cfg_i.word_cost);
      end
    end
  end

  assign average_gap = {backlog, 8'b0} - average_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      free_q     <= '0;
      average_q  <= '0;
      dropping_q <= 1'b0;
      cell_q     <= '0;
      idle_q     <= '0;
    end else begin
      free_q <= cost_add(free_base, charge);
      idle_q <= ahead ? '0 : idle_q + 1'b1;
      if (starts) begin
        average_q <= average_q + 35'($signed(average_gap) >>> cfg_i.red_weight);
      end else if (&idle_q) begin
        average_q <= average_q - (average_q >> cfg_i.red_weight);
      end
      if (starts) begin
        dropping_q <= drop;
        cell_q     <= {1'b0, cfg_i.atm_overhead_bytes};
      end else if (take) begin
        cell_q <= cell_sum >= 7'(CellBytes) ? cell_sum - 7'(CellBytes) : cell_sum;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_valid_o <= 1'b0;
      out_word_o  <= '0;
      tail_drop_o <= 1'b0;
      red_drop_o  <= 1'b0;
    end else begin
      tail_drop_o <= starts && drop && full;
      red_drop_o  <= starts && drop && !full;
      if (in_ready_o) begin
        out_valid_o <= in_valid_i && (starts ? !drop : !dropping_q);
        out_word_o  <= in_word_i;
        if (starts && queued) begin
          out_word_o.data <= free_q.time_part;
        end
      end
    end
  end

  assign backlog_tenths_us_o     = backlog;
  assign red_average_tenths_us_o = average_q[34:8];

  // A word that waits does not change.
  stream_rules #(.Width($bits(out_word_o))) u_out_rules (
    .clk_i, .rst_ni, .valid_i(out_valid_o), .ready_i(out_ready_i), .payload_i(out_word_o));
  // The bytes in the current cell stay below CellBytes + 16.
  CellNeverOverfull: assert property (
    @(posedge clk_i) disable iff (!rst_ni) cell_q < 7'(CellBytes) + 7'd16);

  // Corners that the test benches must meet.
  SeenTailDrop: cover property (@(posedge clk_i) disable iff (!rst_ni) starts && drop && full);
  SeenRedRandom: cover property (@(posedge clk_i) disable iff (!rst_ni) starts && drop && !full && average_q[34:8] < cfg_i.red_max_tenths_us);
  SeenRedMax: cover property (@(posedge clk_i) disable iff (!rst_ni) starts && drop && !full && average_q[34:8] >= cfg_i.red_max_tenths_us);
  SeenRedSpared: cover property (@(posedge clk_i) disable iff (!rst_ni) starts && !drop && cfg_i.rate_enable && cfg_i.red_enable && average_q[34:8] >= cfg_i.red_min_tenths_us);
  SeenTwoCells: cover property (@(posedge clk_i) disable iff (!rst_ni) take && in_word_i.eop && cfg_i.atm && cells == 2'd2);
  SeenCellExact: cover property (@(posedge clk_i) disable iff (!rst_ni) take && in_word_i.eop && cfg_i.atm && cell_sum == 7'(CellBytes));
  SeenQueued: cover property (@(posedge clk_i) disable iff (!rst_ni) starts && !drop && queued);
  SeenCredit: cover property (@(posedge clk_i) disable iff (!rst_ni) starts && cfg_i.rate_enable && cfg_i.burst != '0 && !ahead);
endmodule
