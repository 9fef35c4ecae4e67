// SPDX-License-Identifier: Apache-2.0
// Reads of host memory: spans of several requesters to bursts of AXI4.
//
// A requester gives spans and gets the words of each in order; several spans of it may be under
// way. Each burst has a slot: an ID, and its own place in the reorder memory. So the bus may answer
// in any order and interleave beats of different IDs, and R never waits. The lowest requester goes
// first, for each burst and for each word. A word leaves two clocks after it came, at the earliest;
// it does not wait for the rest of its burst. A requester that takes no words keeps its slots.
//
// stop_i, for one clock or longer, gives up all that is under way: spans and words are dropped, no
// new burst begins. What is on the bus ends unseen. Until idle_o no span is taken.
// TLM twin: models/pcix/dma_engine. Test: tests/rtl/nic/nic_dma_bench.py.
module nic_read
  import nic_pkg::*;
#(
  parameter  int unsigned Requesters = Readers,
  parameter  int unsigned BurstBytes = 2048,   // 64, 128, ... 2048
  parameter  int unsigned Slots      = 4,      // 2 to 16
  localparam int unsigned SlotBits   = $clog2(Slots)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        stop_i,
  output logic                        idle_o,        // nothing is under way
  // Requesters.
  input  logic [Requesters-1:0]       req_valid_i,
  output logic [Requesters-1:0]       req_ready_o,
  input  span_t [Requesters-1:0]      req_i,
  output logic [Requesters-1:0]       data_valid_o,
  input  logic [Requesters-1:0]       data_ready_i,
  output read_word_t [Requesters-1:0] data_o,
  // AXI4.
  output logic                        ar_valid_o,
  input  logic                        ar_ready_i,
  output logic [SlotBits-1:0]         ar_id_o,
  output burst_t                      ar_o,
  input  logic                        r_valid_i,
  input  logic [SlotBits-1:0]         r_id_i,
  input  read_beat_t                  r_i
);
  localparam int unsigned Beats   = BurstBytes / 8;
  localparam int unsigned AtBits  = $clog2(Beats);
  localparam int unsigned WhoBits = $clog2(Requesters);
  typedef logic [SlotBits-1:0] slot_t;
  typedef logic [AtBits-1:0]   at_t;     // a beat of a burst
  typedef logic [AtBits:0]     count_t;  // beats
  typedef logic [WhoBits-1:0]  who_t;

  // A burst on its way, in its requester's queue.
  typedef struct packed {
    logic       last;    // of its span
    logic [2:0] first;   // lane of its first beat
    logic [2:0] lanes;   // last lane of its last beat
    at_t        len;     // beats, less one
    slot_t      slot;
  } flight_t;

  logic drop, drain_q;
  assign drop = stop_i || drain_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) drain_q <= 1'b0;
    else if (stop_i || drain_q) drain_q <= stop_i || !idle_o;
  end

  // ---- Spans to bursts ----

  logic [Requesters-1:0]  open_q;   // a span of it is being cut
  span_t [Requesters-1:0] span_q;
  logic [Slots-1:0]       busy_q;   // a burst has it until its last word was taken
  logic [Requesters-1:0]  turn;     // whose burst begins
  who_t                   who;
  slot_t                  slot;
  logic                   begins, last_burst;
  burst_t                 burst;
  logic [2:0]             last_lane;
  span_t                  rest;

  always_comb begin
    who = '0;
    for (int unsigned i = Requesters; i > 0; i--) begin
      if (open_q[i-1]) who = who_t'(i - 1);
    end
    slot = '0;
    for (int unsigned i = Slots; i > 0; i--) begin
      if (!busy_q[i-1]) slot = slot_t'(i - 1);
    end
  end

  nic_cut #(.BurstBytes(BurstBytes)) u_cut (
    .span_i(span_q[who]), .burst_o(burst), .last_lane_o(last_lane), .last_o(last_burst),
    .rest_o(rest));

  assign begins      = open_q != '0 && busy_q != '1 && (!ar_valid_o || ar_ready_i) && !drop;
  assign turn        = begins ? Requesters'(1) << who : '0;
  assign req_ready_o = drop ? '0 : ~open_q | (last_burst ? turn : '0);

  for (genvar i = 0; i < Requesters; i++) begin : gen_span
    always_ff @(posedge clk_i) begin
      if (!rst_ni || drop) open_q[i] <= 1'b0;
      else if (req_valid_i[i] && req_ready_o[i]) open_q[i] <= 1'b1;
      else if (turn[i] && last_burst) open_q[i] <= 1'b0;
    end
    always_ff @(posedge clk_i) begin
      if (req_valid_i[i] && req_ready_o[i]) span_q[i] <= req_i[i];
      else if (turn[i]) span_q[i] <= rest;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ar_valid_o <= 1'b0;
    else if (begins) ar_valid_o <= 1'b1;
    else if (ar_ready_i) ar_valid_o <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (begins) begin
      ar_id_o <= slot;
      ar_o    <= burst;
    end
  end

  // ---- Words to their places ----

  logic [64:0]              mem_q [Slots * Beats];
  count_t [Slots-1:0]       came_q;   // beats of each slot's burst
  logic [Slots-1:0]         ended_q;  // all of them came
  logic [Slots-1:0]         freed;    // the last word was taken

  always_ff @(posedge clk_i) begin
    if (r_valid_i) mem_q[{r_id_i, came_q[r_id_i][AtBits-1:0]}] <= {r_i.error, r_i.data};
  end

  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    logic starts, comes;
    assign starts = begins && slot == slot_t'(i);
    assign comes  = r_valid_i && r_id_i == slot_t'(i);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        busy_q[i]  <= 1'b0;
        ended_q[i] <= 1'b0;
        came_q[i]  <= '0;
      end else if (starts) begin
        busy_q[i]  <= 1'b1;
        ended_q[i] <= 1'b0;
        came_q[i]  <= '0;
      end else begin
        if (comes) begin
          came_q[i]  <= came_q[i] + count_t'(1);
          ended_q[i] <= r_i.last;
        end
        if (freed[i] || (drop && (ended_q[i] || (comes && r_i.last)))) busy_q[i] <= 1'b0;
      end
    end
  end

  // ---- Words to their requesters, in order ----

  flight_t                     flight;
  flight_t [Requesters-1:0]    head;      // the burst whose words are due
  logic [Requesters-1:0]       head_valid, here, leaves, pops;
  at_t [Requesters-1:0]        at_q;      // next beat of it
  logic [Requesters-1:0]       fits;      // the queue has room: it has as many places as slots
  who_t                        to;
  flight_t                     from;
  logic                        moves, final_beat;

  assign flight = '{last: last_burst, first: span_q[who].addr[2:0], lanes: last_lane,
                    len: burst.len[AtBits-1:0], slot: slot};

  for (genvar i = 0; i < Requesters; i++) begin : gen_queue
    sync_fifo #(.Width($bits(flight_t)), .Depth(Slots)) u_flights (
      .clk_i, .rst_ni(rst_ni && !drop), .in_valid_i(turn[i]), .in_ready_o(fits[i]),
      .in_data_i(flight), .out_valid_o(head_valid[i]), .out_ready_i(pops[i]),
      .out_data_o(head[i]), .level_o());

    assign here[i] = head_valid[i] && {1'b0, at_q[i]} != came_q[head[i].slot] &&
                     (!data_valid_o[i] || data_ready_i[i]);
  end

  always_comb begin
    to = '0;
    for (int unsigned i = Requesters; i > 0; i--) begin
      if (here[i-1]) to = who_t'(i - 1);
    end
  end

  assign from       = head[to];
  assign moves      = here != '0 && !drop;
  assign final_beat = at_q[to] == from.len;
  assign leaves     = moves ? Requesters'(1) << to : '0;
  assign pops       = final_beat ? leaves : '0;
  assign freed      = moves && final_beat ? Slots'(1) << from.slot : '0;

  for (genvar i = 0; i < Requesters; i++) begin : gen_out
    always_ff @(posedge clk_i) begin
      if (!rst_ni || drop) begin
        data_valid_o[i] <= 1'b0;
        at_q[i]         <= '0;
      end else begin
        if (leaves[i]) data_valid_o[i] <= 1'b1;
        else if (data_ready_i[i]) data_valid_o[i] <= 1'b0;
        if (leaves[i]) at_q[i] <= final_beat ? '0 : at_q[i] + at_t'(1);
      end
    end
    always_ff @(posedge clk_i) begin
      if (leaves[i]) begin
        data_o[i].last  <= final_beat && from.last;
        data_o[i].first <= at_q[to] == '0 ? from.first : 3'd0;
        data_o[i].lanes <= final_beat ? from.lanes : 3'd7;
        {data_o[i].error, data_o[i].data} <= mem_q[{from.slot, at_q[to]}];
      end
    end
  end

  assign idle_o = open_q == '0 && busy_q == '0 && data_valid_o == '0 && !ar_valid_o;

  always_ff @(posedge clk_i) begin : checks_1
    if (rst_ni) begin
      // A span has bytes.
      SpanHasBytes: assert (!begins || span_q[who].bytes != '0);
    end
  end
  // An address stays until the bus takes it.
  stream_rules #(.Width($bits(ar_o) + $bits(ar_id_o))) u_address_rules (
    .clk_i, .rst_ni, .valid_i(ar_valid_o), .ready_i(ar_ready_i), .payload_i({ar_o, ar_id_o}));
  always_ff @(posedge clk_i) begin : checks_2
    if (rst_ni) begin
      // The bus answers what was asked, and no more of it than was asked.
      AnswerWasAsked: assert (
        !r_valid_i || (busy_q[r_id_i] && !ended_q[r_id_i] && !came_q[r_id_i][AtBits]));
      // A burst in a queue has its slot, and a queue holds all slots.
      SlotIsBusy: assert (!moves || busy_q[from.slot]);
      QueueHasRoom: assert (!(begins && !drop) || fits[who]);
    end
  end

  // Corners: addresses wait, all slots are taken, requesters meet, the bus overtakes, a requester
  // waits, errors, drops at each stage.
  AddressWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) ar_valid_o && !ar_ready_i);
  SlotsFull: cover property (
    @(posedge clk_i) disable iff (!rst_ni) open_q != '0 && busy_q == '1);
  Contended: cover property (
    @(posedge clk_i) disable iff (!rst_ni) begins && !$onehot(open_q));
  WordsContended: cover property (
    @(posedge clk_i) disable iff (!rst_ni) moves && !$onehot(here));
  Overtaken: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    r_valid_i && head_valid[Requesters-1] && r_id_i != head[Requesters-1].slot &&
    !ended_q[head[Requesters-1].slot]);
  RequesterWaits: cover property (
    @(posedge clk_i) disable iff (!rst_ni) (data_valid_o & ~data_ready_i) != '0);
  SpanAfterSpan: cover property (
    @(posedge clk_i) disable iff (!rst_ni) (req_valid_i & req_ready_o & open_q) != '0);
  FullBurst: cover property (@(posedge clk_i) disable iff (!rst_ni) begins && burst.len == '1);
  Error: cover property (@(posedge clk_i) disable iff (!rst_ni) r_valid_i && r_i.error);
  DropsSpan: cover property (@(posedge clk_i) disable iff (!rst_ni) drop && open_q != '0);
  DropsAnswer: cover property (@(posedge clk_i) disable iff (!rst_ni) drop && r_valid_i);
  DropsEnded: cover property (
    @(posedge clk_i) disable iff (!rst_ni) drop && (busy_q & ended_q) != '0);
  DropsAddress: cover property (
    @(posedge clk_i) disable iff (!rst_ni) drop && ar_valid_o && !ar_ready_i);
endmodule
