// SPDX-License-Identifier: Apache-2.0
// The write-back half of a descriptor ring.
//
// Descriptors that are done wait here, in order, some to be written back. Those that are not only
// let the head go on. The others are written back when as many wait as the threshold says, when
// they are all that the cache holds (it is starved), or when flush_i asks. All that are done then
// go, in runs: descriptors that follow each other, to the end of the ring or of the cache. A run is
// one span of nic_write; it takes 2 clocks and 3 a descriptor. Up to Runs are under way; what they
// leave goes as soon as one is answered. The head is behind a run until the bus has answered it.
// TLM twin: write_back of models/nic/intel/descriptor_ring. Test: tests/rtl/nic/nic_ring_bench.py.
module nic_ring_back
  import nic_pkg::*;
  import nic_ring_pkg::*;
#(
  parameter int unsigned Entries = 512,  // a power of two
  parameter int unsigned Runs    = 16
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        forget_i,        // all positions become zero; only while quiet_o
  input  logic        hold_i,          // begin nothing
  output logic        quiet_o,         // no run is under way
  output logic        busy_o,
  // Registers.
  input  logic [63:4] base_i,
  input  index_t      entries_i,
  input  threshold_t  wthresh_i,
  input  logic        flush_i,
  // The ring.
  input  pos_t        arrived_i,
  input  logic        fetching_i,
  input  index_t      handled_index_i,
  output pos_t        handled_o,       // written back, or on its way, or not to be
  output pos_t        handle_o,        // handled_o grows by it in this clock
  output pos_t        done_o,
  output pos_t        freed_o,         // its place in the cache is free: the head
  output index_t      freed_index_o,
  // Engine.
  input  logic        done_valid_i,
  input  descriptor_t done_i,
  input  logic        done_report_i,
  // nic_write.
  output logic        req_valid_o,
  input  logic        req_ready_i,
  output span_t       req_o,
  output logic        word_valid_o,
  input  logic        word_ready_i,
  output logic [63:0] word_o,
  input  logic        answered_i,
  input  logic        error_i,
  output logic        written_valid_o,
  output written_t    written_o
);
  localparam int unsigned SlotBits = $clog2(Entries);
  typedef logic [SlotBits-1:0] slot_t;

  // A run whose answer is due.
  typedef struct packed {
    count_t count;
    index_t index;
    pos_t   begins;
  } run_t;

  // What it holds.
  typedef struct packed {
    logic some_ide;
    logic some_other;
    logic some_eop;
  } kinds_t;

  typedef enum logic [1:0] {StWatch, StScan, StAsk, StMove} state_e;
  state_e state_q, state_d;

  // ---- What is done ----

  descriptor_t mem_q [Entries];
  logic        report_q [Entries];
  pos_t        done_q, handled_q;
  count_t      waiting_q;  // done, to be written back, in no run yet
  count_t      count_q;    // of the run in hand
  logic        closes;     // the run in hand is complete

  always_ff @(posedge clk_i) begin
    if (done_valid_i) begin
      mem_q[done_q[SlotBits-1:0]]    <= done_i;
      report_q[done_q[SlotBits-1:0]] <= done_report_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget_i) begin
      done_q    <= '0;
      waiting_q <= '0;
    end else if (done_valid_i || closes) begin
      done_q    <= done_q + pos_t'(done_valid_i);
      waiting_q <= waiting_q + count_t'(done_valid_i && done_report_i) - (closes ? count_q : '0);
    end
  end

  assign done_o = done_q;

  // ---- When: up to goal_q all go ----

  logic goal_valid_q, due, starved, asks, room;
  pos_t goal_q;

  assign starved = arrived_i - handled_q == pos_t'(Entries) && done_q == arrived_i && !fetching_i;
  assign due     = waiting_q != '0 && (starved || waiting_q >= count_t'(wthresh_i));

  assign asks    = flush_i || (due && !goal_valid_q && room);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget_i) goal_valid_q <= 1'b0;
    else if (asks) goal_valid_q <= 1'b1;
    else if (state_q == StWatch && handled_q == goal_q) goal_valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (asks) goal_q <= done_q;
  end

  // ---- Runs ----

  pos_t  look;       // the next descriptor to judge
  logic  nonempty, report, skips, begins, goes_on, kinds_room, final_word;
  logic  half_q;     // the second word of a descriptor is due
  slot_t at_q;       // the descriptor whose words are due
  count_t left_q;    // descriptors of the run whose words are due, less one
  run_t  run_in, run;
  logic  run_valid;

  assign look     = handled_q + pos_t'(count_q);
  assign nonempty = handled_q != done_q && entries_i != '0;
  assign report   = report_q[look[SlotBits-1:0]];
  assign skips    = state_q == StWatch && nonempty && !report && room && !hold_i;
  assign begins   = state_q == StWatch && nonempty && report && !hold_i && goal_valid_q &&
                    handled_q != goal_q && room && kinds_room;
  assign goes_on  = look != goal_q && look[SlotBits-1:0] != '0 && report &&
                    handled_index_i + index_t'(count_q) != entries_i;
  assign closes   = state_q == StScan && !goes_on;
  assign handle_o = skips ? pos_t'(1) : (closes ? pos_t'(count_q) : '0);

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StWatch: if (begins) state_d = StScan;
      StScan:  if (closes) state_d = StAsk;
      StAsk:   if (req_ready_i) state_d = StMove;
      StMove:  if (final_word) state_d = StWatch;
      default: state_d = StWatch;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget_i) begin
      state_q   <= StWatch;
      handled_q <= '0;
      count_q   <= '0;
    end else begin
      state_q <= state_d;
      if (handle_o != '0) handled_q <= handled_q + handle_o;
      if (begins || (state_q == StScan && goes_on)) count_q <= count_q + count_t'(1);
      else if (closes) count_q <= '0;
    end
  end

  assign handled_o = handled_q;

  // ---- To nic_write ----

  descriptor_t      moved;
  kinds_t           kinds_q, kinds_d, kinds;
  logic             word_taken, kinds_valid;
  count_t           total_q;
  logic [63:0]      addr_q;

  assign req_valid_o  = state_q == StAsk;
  assign req_o        = '{addr: addr_q, bytes: length_t'({total_q, 4'b0})};
  assign word_valid_o = state_q == StMove;
  assign word_taken   = word_valid_o && word_ready_i;
  assign final_word   = word_taken && half_q && left_q == '0;
  assign moved        = mem_q[at_q];
  assign word_o       = half_q ? moved[127:64] : moved[63:0];

  always_ff @(posedge clk_i) begin
    if (closes) begin
      addr_q  <= {base_i, 4'b0} + {44'b0, handled_index_i, 4'b0};
      at_q    <= handled_q[SlotBits-1:0];
      left_q  <= count_q - count_t'(1);
      total_q <= count_q;
      half_q  <= 1'b0;
      kinds_q <= '0;
    end else if (word_taken) begin
      half_q <= !half_q;
      if (half_q) begin
        at_q    <= at_q + slot_t'(1);
        left_q  <= left_q - count_t'(1);
        kinds_q <= kinds_d;
      end
    end
  end

  tx_data_t as_tx;
  rx_done_t as_rx;
  assign as_tx   = moved;
  assign as_rx   = moved;
  assign kinds_d = '{some_ide: kinds_q.some_ide || as_tx.command[CmdIde],
                     some_other: kinds_q.some_other || !as_tx.command[CmdIde],
                     some_eop: kinds_q.some_eop || as_rx.status[RxEop]};

  logic unused_moved;
  assign unused_moved = ^{as_tx, as_rx};

  // ---- Under way ----

  assign run_in = '{count: count_q, index: handled_index_i, begins: handled_q};

  sync_fifo #(.Width($bits(run_t)), .Depth(Runs)) u_runs (
    .clk_i, .rst_ni, .in_valid_i(closes), .in_ready_o(room), .in_data_i(run_in),
    .out_valid_o(run_valid), .out_ready_i(answered_i), .out_data_o(run), .level_o());

  sync_fifo #(.Width($bits(kinds_t)), .Depth(Runs)) u_kinds (
    .clk_i, .rst_ni, .in_valid_i(final_word), .in_ready_o(kinds_room), .in_data_i(kinds_d),
    .out_valid_o(kinds_valid), .out_ready_i(answered_i), .out_data_o(kinds), .level_o());

  assign freed_o       = run_valid ? run.begins : handled_q;
  assign freed_index_o = run_valid ? run.index : handled_index_i;

  assign written_valid_o = answered_i;
  assign written_o       = '{error: error_i, some_ide: kinds.some_ide,
                             some_other: kinds.some_other, some_eop: kinds.some_eop,
                             count: run.count};

  assign quiet_o = state_q == StWatch && !run_valid;
  assign busy_o  = !quiet_o || goal_valid_q || due || skips;

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // The bus answers what was written.
      AnswerOfARun: assert (!answered_i || (run_valid && kinds_valid));
      // What waits in order to be written back is done.
      WaitingIsDone: assert (pos_t'(waiting_q) <= done_q - handled_q);
      // Positions are in order, and the cache has room for what lies between.
      InOrder: assert (
        done_q - freed_o <= pos_t'(Entries) && handled_q - freed_o <= done_q - freed_o);
    end
  end

  // Corners: each reason to write back, each end of a run; runs as many as may be.
  Starved: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    starved && due && waiting_q < count_t'(wthresh_i));
  Threshold: cover property (
    @(posedge clk_i) disable iff (!rst_ni) due && waiting_q == count_t'(wthresh_i));
  Flushed: cover property (
    @(posedge clk_i) disable iff (!rst_ni) flush_i && waiting_q != '0 && !due);
  FlushOfNothing: cover property (
    @(posedge clk_i) disable iff (!rst_ni) flush_i && !nonempty);
  EndsAtRingsEnd: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    closes && look != goal_q && handled_index_i + index_t'(count_q) == entries_i);
  EndsAtCachesEnd: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    closes && look != goal_q && look[SlotBits-1:0] == '0 &&
    handled_index_i + index_t'(count_q) != entries_i);
  EndsAtUnreported: cover property (
    @(posedge clk_i) disable iff (!rst_ni) closes && look != goal_q && !report);
  NoRoom: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StWatch && goal_valid_q && !room);
  Skips: cover property (@(posedge clk_i) disable iff (!rst_ni) skips);
  Held: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StWatch && nonempty && hold_i);
endmodule
