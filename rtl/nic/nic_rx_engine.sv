// SPDX-License-Identifier: Apache-2.0
// Received frames to the host's buffers: takes descriptors, asks for writes, fills descriptors.
//
// A frame that is longer than a buffer takes several descriptors. Each is one span for nic_write,
// with its words. When nic_write has handed a span over, its descriptor is given back to nic_ring,
// filled. The data are so ahead of the descriptor on the bus. With a frame's last descriptor the
// frame's room in the packet buffer is given back, too. Up to Ahead spans are under way. A frame
// that was begun is ended, whatever enable_i does.
//
// Order is kept; nothing is lost here. A frame takes as many clocks as it has words, if nic_write
// takes a word a clock. TLM twin: models/nic/intel/rx_unit (step, write_buffer). Test:
// tests/rtl/nic/nic_rx_engine_bench.py.
module nic_rx_engine
  import nic_pkg::*;
#(
  parameter  int unsigned Ahead     = 4,                              // spans under way
  localparam int unsigned CountBits = $clog2(MaxFrameBytes / 8 + 2)
) (
  input  logic                 clk_i,           // 156.25 MHz
  input  logic                 rst_ni,
  // Settings.
  input  logic                 enable_i,        // RCTL.RXEN: frames are begun
  input  logic [1:0]           bsize_i,         // RCTL.BSIZE: buffers of 2048 << BSIZE bytes
  input  logic [1:0]           rdmts_i,         // RCTL.RDMTS: the threshold is 1/2, 1/4, 1/8
  input  logic [15:0]          entries_i,       // descriptors in the ring
  // nic_rx_buffer.
  input  logic                 info_valid_i,
  output logic                 info_ready_o,
  input  rx_info_t             info_i,
  input  logic [CountBits-1:0] info_words_i,
  input  logic                 word_valid_i,
  output logic                 word_ready_o,
  input  word_t                word_i,
  output logic                 release_o,       // one clock: room is given back
  output logic [CountBits-1:0] release_words_o,
  // nic_ring.
  input  logic                 desc_valid_i,
  input  descriptor_t          desc_i,
  output logic                 desc_take_o,
  input  logic [15:0]          available_i,     // the hardware's and not taken, fetched or not
  output logic                 done_valid_o,    // one clock: a descriptor is given back
  output descriptor_t          done_o,
  output logic                 done_report_o,   // it is to be written back
  // nic_write.
  output logic                 req_valid_o,
  input  logic                 req_ready_i,
  output span_t                req_o,
  output logic                 word_valid_o,
  input  logic                 word_ready_i,
  output word_t                word_o,
  input  logic                 done_i,          // one clock: the oldest span was handed over
  // Events.
  output logic                 low_o,           // one clock: RXDMT0
  output logic                 written_o,       // one clock: a frame's last one is given back
  output logic                 rest_o,          // no frame is begun, no span under way
  output logic                 busy_o
);
  localparam int unsigned SmallestBuffer = 2048;
  localparam int unsigned LevelBits      = $clog2(Ahead + 1);
  typedef logic [CountBits-1:0] count_t;

  // A span under way: its descriptor as it is given back, and the frame's words with the last one.
  typedef struct packed {
    count_t   words;
    rx_done_t done;
  } under_way_t;

  // ---- A frame, cut into spans ----

  logic     open_q, req_valid_q;
  rx_info_t info_q;
  length_t  left_q;      // bytes of the frame that are in no span
  length_t  buffer, part;
  count_t   words_q;
  logic     ends;        // the span ends the frame
  rx_done_t made;
  span_t    req_q;
  logic     under_way_ready, under_way_valid, span_ready, span_valid;
  logic [LevelBits-1:0] level;

  assign buffer       = length_t'(SmallestBuffer) << bsize_i;
  assign ends         = left_q <= buffer;
  assign part         = ends ? left_q : buffer;
  assign info_ready_o = enable_i && !open_q;
  assign desc_take_o  = open_q && desc_valid_i && under_way_ready &&
                        (!req_valid_q || (req_ready_i && span_ready));

  always_comb begin
    made         = '0;
    made.addr    = desc_i[63:0];
    made.bytes   = 16'(part);
    made.status  = 8'(1) << RxDd;
    if (ends) begin
      made.checksum      = info_q.checksum;
      made.status        = info_q.status;
      made.status[RxEop] = 1'b1;
      made.errors        = info_q.errors;
      made.special       = info_q.special;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q      <= 1'b0;
      req_valid_q <= 1'b0;
    end else begin
      if (info_valid_i && info_ready_o) open_q <= 1'b1;
      else if (desc_take_o && ends) open_q <= 1'b0;
      if (desc_take_o) req_valid_q <= 1'b1;
      else if (req_ready_i && span_ready) req_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (info_valid_i && info_ready_o) begin
      info_q  <= info_i;
      words_q <= info_words_i;
      left_q  <= info_i.bytes;
    end else if (desc_take_o) begin
      left_q <= left_q - part;
    end
    if (desc_take_o) req_q <= '{addr: desc_i[63:0], bytes: part};
  end

  // ---- Its words, behind each request ----

  count_t span_words, sent_q;
  logic   send;

  assign req_valid_o = req_valid_q && span_ready;
  assign req_o       = req_q;

  sync_fifo #(.Width(CountBits), .Depth(2)) u_spans (
    .clk_i, .rst_ni, .in_valid_i(req_valid_q && req_ready_i), .in_ready_o(span_ready),
    .in_data_i(count_t'((req_q.bytes - length_t'(1)) >> 3)), .out_valid_o(span_valid),
    .out_ready_i(send && word_o.last), .out_data_o(span_words), .level_o());

  assign word_valid_o = span_valid && word_valid_i;
  assign word_ready_o = span_valid && word_ready_i;
  assign word_o       = '{last: sent_q == span_words, lanes: word_i.lanes, data: word_i.data};
  assign send         = word_valid_o && word_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) sent_q <= '0;
    else if (send) sent_q <= word_o.last ? '0 : sent_q + count_t'(1);
  end

  // ---- Descriptors, in order, when their data were handed over ----

  under_way_t oldest;

  sync_fifo #(.Width($bits(under_way_t)), .Depth(Ahead)) u_under_way (
    .clk_i, .rst_ni, .in_valid_i(desc_take_o), .in_ready_o(under_way_ready),
    .in_data_i({words_q, made}), .out_valid_o(under_way_valid), .out_ready_i(done_i),
    .out_data_o(oldest), .level_o(level));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_valid_o <= 1'b0;
      written_o    <= 1'b0;
      low_o        <= 1'b0;
    end else begin
      done_valid_o <= done_i;
      written_o    <= done_i && oldest.done.status[RxEop];
      low_o        <= desc_take_o && available_i - 16'd1 ==
                      entries_i >> (rdmts_i == 2'd3 ? 2'd3 : rdmts_i + 2'd1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (done_i) begin
      done_o          <= oldest.done;
      release_words_o <= oldest.words;
    end
  end

  assign release_o     = written_o;
  assign done_report_o = 1'b1;
  assign rest_o        = !open_q && level == '0 && !done_valid_o;
  assign busy_o        = !rest_o || (info_valid_i && enable_i);

  // A request stays as it is until it is taken.
  stream_rules #(.Width($bits(req_o))) u_request_rules (
    .clk_i, .rst_ni, .valid_i(req_valid_o), .ready_i(req_ready_i), .payload_i(req_o));
  // A word stays as it is until it is taken.
  stream_rules #(.Width($bits(word_o))) u_word_rules (
    .clk_i, .rst_ni, .valid_i(word_valid_o), .ready_i(word_ready_i), .payload_i(word_o));
  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // The end of a frame is the end of a span.
      EndsTogether: assert (!(send && word_i.last) || word_o.last);
      // Only a word at a frame's end has fewer than eight bytes.
      WholeWithin: assert (!(send && !word_i.last) || word_i.lanes == 3'd7);
      // What was handed over was under way.
      DoneIsUnderWay: assert (!done_i || under_way_valid);
    end
  end

  // Corners: a frame in one buffer, in several, as long as a buffer; no descriptor; too many under
  // way; switched off with frames waiting; the threshold; a request right behind another.
  OneBuffer: cover property (
    @(posedge clk_i) disable iff (!rst_ni) desc_take_o && ends && left_q == info_q.bytes);
  SeveralBuffers: cover property (@(posedge clk_i) disable iff (!rst_ni) desc_take_o && !ends);
  FillsBuffer: cover property (
    @(posedge clk_i) disable iff (!rst_ni) desc_take_o && ends && left_q == buffer);
  OneByteMore: cover property (
    @(posedge clk_i) disable iff (!rst_ni) desc_take_o && ends && left_q == length_t'(1));
  NoDescriptor: cover property (
    @(posedge clk_i) disable iff (!rst_ni) open_q && !desc_valid_i);
  TooManyUnderWay: cover property (
    @(posedge clk_i) disable iff (!rst_ni) open_q && desc_valid_i && !under_way_ready);
  OffWithFrames: cover property (
    @(posedge clk_i) disable iff (!rst_ni) info_valid_i && !enable_i && !open_q);
  OffInFrame: cover property (@(posedge clk_i) disable iff (!rst_ni) desc_take_o && !enable_i);
  Low: cover property (@(posedge clk_i) disable iff (!rst_ni) low_o);
  RequestBehindRequest: cover property (
    @(posedge clk_i) disable iff (!rst_ni) desc_take_o && req_valid_q);
  RequestAheadOfWords: cover property (
    @(posedge clk_i) disable iff (!rst_ni) req_valid_o && req_ready_i && span_valid && !send);
endmodule
