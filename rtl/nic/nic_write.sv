// SPDX-License-Identifier: Apache-2.0
// Writes to host memory: spans of several requesters to bursts of AXI4.
//
// A requester gives a span, and has its words, aligned to lane 0. They are moved to the lanes of
// the bus. The lowest requester goes first, for each span; a span is not divided. All bursts have
// one ID, so the bus keeps their order. Bursts do not wait for the answers of those before them; up
// to Bursts are under way. A word reaches W one clock after it was taken.
//
// `done` comes, one clock long, when the last word of a span was handed over: what is written later
// comes later in memory. `answered` comes when the bus has answered all bursts of the span.
//
// stop_i, for one clock or longer, gives up all that is under way: spans and words are dropped, no
// new burst begins. Bursts that have begun end without strobes; their answers are not told. Until
// idle_o no span is taken.
// TLM twin: models/pcix/dma_engine. Test: tests/rtl/nic/nic_dma_bench.py.
module nic_write
  import nic_pkg::*;
#(
  parameter int unsigned Requesters = Writers,
  parameter int unsigned BurstBytes = 2048,   // 64, 128, ... 2048
  parameter int unsigned Bursts     = 8       // under way at once
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         stop_i,
  output logic                         idle_o,        // nothing is under way
  // Requesters.
  input  logic [Requesters-1:0]        req_valid_i,
  output logic [Requesters-1:0]        req_ready_o,
  input  span_t [Requesters-1:0]       req_i,
  input  logic [Requesters-1:0]        word_valid_i,
  output logic [Requesters-1:0]        word_ready_o,
  input  logic [Requesters-1:0][63:0]  word_i,        // bytes beyond the span do not matter
  output logic [Requesters-1:0]        done_o,        // one clock
  output logic [Requesters-1:0]        answered_o,    // one clock
  output logic                         error_o,       // with answered_o: the bus had an error
  // AXI4.
  output logic                         aw_valid_o,
  input  logic                         aw_ready_i,
  output burst_t                       aw_o,
  output logic                         w_valid_o,
  input  logic                         w_ready_i,
  output write_beat_t                  w_o,
  input  logic                         b_valid_i,     // always taken
  input  logic                         b_error_i
);
  localparam int unsigned WhoBits = $clog2(Requesters);
  typedef logic [WhoBits-1:0] who_t;

  // A burst whose beats are due.
  typedef struct packed {
    who_t       who;
    logic       first;   // of its span
    logic       last;    // of its span
    logic       spare;   // the span's last beat takes no word: the one before has its bytes
    logic [2:0] shift;   // lane of the span's first byte
    logic [2:0] lanes;   // last lane of the burst's last beat
    logic [7:0] len;     // beats, less one
  } beats_t;

  // A burst whose answer is due.
  typedef struct packed {
    who_t who;
    logic last;          // of its span
  } answer_t;

  logic drop, drain_q;
  assign drop = stop_i || drain_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) drain_q <= 1'b0;
    else if (stop_i || drain_q) drain_q <= stop_i || !idle_o;
  end

  // ---- Spans to bursts ----

  logic       open_q, first_q, spare_q, takes, begins, last_burst, beats_ready, answers_ready;
  who_t       who_q, who_d;
  span_t      span_q, span_d, rest;
  burst_t     burst;
  logic [2:0] shift_q, last_lane;
  beats_t     beats_in, beats;
  answer_t    answer_in, answer;
  logic       beats_valid, answer_valid, final_beat, load;

  always_comb begin
    who_d = '0;
    for (int unsigned i = Requesters; i > 0; i--) begin
      if (req_valid_i[i-1]) who_d = who_t'(i - 1);
    end
  end

  nic_cut #(.BurstBytes(BurstBytes)) u_cut (
    .span_i(span_q), .burst_o(burst), .last_lane_o(last_lane), .last_o(last_burst),
    .rest_o(rest));

  assign begins      = open_q && (!aw_valid_o || aw_ready_i) && beats_ready && answers_ready &&
                       !drop;
  assign takes       = req_valid_i != '0 && (!open_q || (begins && last_burst)) && !drop;
  assign req_ready_o = takes ? Requesters'(1) << who_d : '0;
  assign span_d      = req_i[who_d];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || drop) open_q <= 1'b0;
    else if (takes) open_q <= 1'b1;
    else if (begins && last_burst) open_q <= 1'b0;
  end

  logic [2:0] last_of_words;  // last lane of the span's last word
  assign last_of_words = span_d.bytes[2:0] - 3'd1;

  always_ff @(posedge clk_i) begin
    if (takes) begin
      who_q   <= who_d;
      span_q  <= span_d;
      first_q <= 1'b1;
      shift_q <= span_d.addr[2:0];
      spare_q <= {1'b0, span_d.addr[2:0]} + {1'b0, last_of_words} > 4'd7;
    end else if (begins) begin
      span_q  <= rest;
      first_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) aw_valid_o <= 1'b0;
    else if (begins) aw_valid_o <= 1'b1;
    else if (aw_ready_i) aw_valid_o <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (begins) aw_o <= burst;
  end

  assign beats_in = '{who: who_q, first: first_q, last: last_burst, spare: spare_q,
                      shift: shift_q, lanes: last_lane, len: burst.len};
  assign answer_in = '{who: who_q, last: last_burst};

  sync_fifo #(.Width($bits(beats_t)), .Depth(Bursts)) u_beats (
    .clk_i, .rst_ni, .in_valid_i(begins), .in_ready_o(beats_ready), .in_data_i(beats_in),
    .out_valid_o(beats_valid), .out_ready_i(load && final_beat), .out_data_o(beats),
    .level_o());

  sync_fifo #(.Width($bits(answer_t)), .Depth(Bursts)) u_answers (
    .clk_i, .rst_ni, .in_valid_i(begins), .in_ready_o(answers_ready),
    .in_data_i(answer_in), .out_valid_o(answer_valid), .out_ready_i(b_valid_i),
    .out_data_o(answer), .level_o());

  // ---- Words to beats ----

  logic [7:0]   at_q;        // beat of the burst
  logic         first_beat, last_beat, needs_word;
  logic [63:0]  word, before_q;
  logic [127:0] pair;

  assign final_beat = at_q == beats.len;
  assign first_beat = beats.first && at_q == '0;
  assign last_beat  = beats.last && final_beat;
  assign needs_word = !drop && !(last_beat && beats.spare);
  assign load       = beats_valid && (!w_valid_o || w_ready_i) &&
                      (!needs_word || word_valid_i[beats.who]);
  assign word       = word_i[beats.who];
  assign pair       = {word, before_q} >> {4'd8 - {1'b0, beats.shift}, 3'b0};

  assign word_ready_o = load && needs_word ? Requesters'(1) << beats.who : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      w_valid_o <= 1'b0;
      at_q      <= '0;
      done_o    <= '0;
    end else begin
      if (load) w_valid_o <= 1'b1;
      else if (w_ready_i) w_valid_o <= 1'b0;
      if (load) at_q <= final_beat ? '0 : at_q + 8'd1;
      done_o <= load && last_beat && !drop ? Requesters'(1) << beats.who : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      w_o.last    <= final_beat;
      w_o.data    <= pair[63:0];
      w_o.strobes <= drop ? '0 : (first_beat ? 8'hFF << beats.shift : 8'hFF) &
                                 (last_beat ? 8'hFF >> (3'd7 - beats.lanes) : 8'hFF);
      if (needs_word) before_q <= word;
    end
  end

  logic unused_pair;
  assign unused_pair = ^pair[127:64];

  // ---- Answers ----

  logic error_q;  // an earlier burst of the span had an error
  assign answered_o = b_valid_i && answer.last && !drop ? Requesters'(1) << answer.who : '0;
  assign error_o    = error_q || b_error_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || drop) error_q <= 1'b0;
    else if (b_valid_i) error_q <= !answer.last && error_o;
  end

  assign idle_o = !open_q && !aw_valid_o && !w_valid_o && !beats_valid && !answer_valid;

  always_ff @(posedge clk_i) begin : checks_1
    if (rst_ni) begin
      // A span has bytes.
      SpanHasBytes: assert (!begins || span_q.bytes != '0);
    end
  end
  // An address and a beat stay until the bus takes them.
  stream_rules #(.Width($bits(aw_o))) u_address_rules (
    .clk_i, .rst_ni, .valid_i(aw_valid_o), .ready_i(aw_ready_i), .payload_i(aw_o));
  stream_rules #(.Width($bits(w_o))) u_beat_rules (
    .clk_i, .rst_ni, .valid_i(w_valid_o), .ready_i(w_ready_i), .payload_i(w_o));
  always_ff @(posedge clk_i) begin : checks_2
    if (rst_ni) begin
      // The bus answers what was asked.
      AnswerWasAsked: assert (!b_valid_i || answer_valid);
    end
  end

  // Corners: the bus makes address or beat wait, a requester does; requesters meet; as many bursts
  // as may be are under way; spans that end with a spare beat; errors; drops at each stage.
  AddressWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) aw_valid_o && !aw_ready_i);
  BeatWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) w_valid_o && !w_ready_i);
  WordIsLate: cover property (
    @(posedge clk_i) disable iff (!rst_ni) beats_valid && needs_word && !word_valid_i[beats.who]);
  Contended: cover property (@(posedge clk_i) disable iff (!rst_ni) takes && !$onehot(req_valid_i));
  ManyUnderWay: cover property (@(posedge clk_i) disable iff (!rst_ni) open_q && !answers_ready);
  SpanAfterSpan: cover property (@(posedge clk_i) disable iff (!rst_ni) takes && open_q);
  Spare: cover property (@(posedge clk_i) disable iff (!rst_ni) load && last_beat && beats.spare);
  OneBeat: cover property (@(posedge clk_i) disable iff (!rst_ni) load && first_beat && last_beat);
  FullBurst: cover property (@(posedge clk_i) disable iff (!rst_ni) begins && burst.len == '1);
  Error: cover property (@(posedge clk_i) disable iff (!rst_ni) b_valid_i && b_error_i);
  EarlierError: cover property (
    @(posedge clk_i) disable iff (!rst_ni) answered_o != '0 && error_q && !b_error_i);
  DropsSpan: cover property (@(posedge clk_i) disable iff (!rst_ni) drop && open_q);
  DropsBeats: cover property (@(posedge clk_i) disable iff (!rst_ni) drop && load);
  DropsAnswer: cover property (@(posedge clk_i) disable iff (!rst_ni) drop && b_valid_i);
  DropsAddress: cover property (
    @(posedge clk_i) disable iff (!rst_ni) drop && aw_valid_o && !aw_ready_i);
endmodule
