// SPDX-License-Identifier: Apache-2.0
// A ring of descriptors in host memory, and the cache on chip in front of it.
//
// The host owns the descriptors from tail on, the NIC those from head to tail. They are fetched in
// bursts, used in order, done in order and written back in order. One fetch is under way at a time,
// of at most LargestFetch; it ends at the end of the ring or of the cache. It begins at once when
// no unused descriptor is on chip. It begins ahead of that when at most pthresh_i unused ones are
// left and the host offers hthresh_i or more (pthresh_i 0: never). Its descriptors can be used when
// all of them are here. A fetch that fails brings none, and halts the ring until the next doorbell.
// nic_ring_back says when descriptors are written back, nic_ring_flush when a flush has ended,
// nic_ring_index where descriptors lie.
//
// Registers are levels; writes of some are one clock long, too. A reset of the NIC stops nic_read
// and nic_write first.
// TLM twin: models/nic/intel/descriptor_ring. Test: tests/rtl/nic/nic_ring_bench.py.
module nic_ring
  import nic_pkg::*;
  import nic_ring_pkg::*;
#(
  parameter int unsigned Entries      = 512,  // a power of two, up to 512
  parameter int unsigned LargestFetch = 64,   // descriptors, up to Entries
  parameter int unsigned Runs         = 16    // write-backs under way at once
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        busy_o,          // a fetch, a write-back or an index is under way
  // Registers.
  input  logic        enable_i,
  input  logic        resume_i,        // one clock: enable was written, the same or not
  input  logic [63:4] base_i,          // address of the ring
  input  index_t      entries_i,       // length of the ring, in descriptors
  input  threshold_t  pthresh_i,
  input  threshold_t  hthresh_i,
  input  threshold_t  wthresh_i,
  input  logic        head_write_i,    // does not count while enabled
  input  index_t      head_i,
  input  logic        tail_write_i,    // the doorbell
  input  index_t      tail_i,
  input  logic        flush_i,         // one clock: write back what the threshold holds back
  input  logic        cover_i,         // one clock: a timer tells of all that are done, with done_i
  output logic        flushed_o,       // one clock: what was covered at a flush is in memory
  output index_t      head_o,          // index of the first descriptor that the NIC owns
  output logic        settled_o,       // head_o is that of the length and head that were written
  output available_t  available_o,     // the NIC owns them and has not used them
  output count_t      cached_o,        // and they are here
  output logic        drained_o,       // all that the NIC owns are done
  output logic        emptied_o,       // one clock: with this one all are done
  // Engine.
  output logic        desc_valid_o,
  output descriptor_t desc_o,
  input  logic        desc_take_i,
  input  logic        done_valid_i,    // of the descriptors that were taken, the oldest not done is
  input  descriptor_t done_i,          // as it is written back, if it is
  input  logic        done_report_i,   // it is to be written back
  output logic        written_valid_o, // one clock: the bus has answered a write-back
  output written_t    written_o,
  output logic        fetch_error_o,   // one clock
  // nic_read.
  output logic        rd_req_valid_o,
  input  logic        rd_req_ready_i,
  output span_t       rd_req_o,
  input  logic        rd_valid_i,
  output logic        rd_ready_o,
  input  read_word_t  rd_i,
  // nic_write.
  output logic        wr_req_valid_o,
  input  logic        wr_req_ready_i,
  output span_t       wr_req_o,
  output logic        wr_valid_o,
  input  logic        wr_ready_i,
  output logic [63:0] wr_o,
  input  logic        wr_answered_i,
  input  logic        wr_error_i
);
  localparam int unsigned SlotBits = $clog2(Entries);
  typedef logic [SlotBits-1:0] slot_t;

  typedef enum logic [1:0] {StIdle, StAsk, StData} state_e;
  state_e state_q, state_d;

  // Positions, in the order in which a descriptor passes them: arrived, taken, done, handled,
  // freed.
  pos_t   arrived_q, taken_q, done, handled, freed, tail, arrive, handle;
  index_t entries, arrived_index, handled_index;
  logic   hold, forgets, forget, back_quiet, back_busy, back_written, index_busy, take, rung;

  nic_ring_index u_index (
    .clk_i, .rst_ni, .enable_i, .entries_i, .head_write_i, .head_i, .tail_write_i, .tail_i,
    .quiet_i(back_quiet && state_q == StIdle), .hold_o(hold), .forgets_o(forgets),
    .forget_o(forget), .done_i(done), .arrived_i(arrived_q), .arrive_i(arrive),
    .handled_i(handled), .handle_i(handle), .entries_o(entries),
    .arrived_index_o(arrived_index), .handled_index_o(handled_index), .tail_o(tail),
    .rung_o(rung), .busy_o(index_busy));

  nic_ring_back #(.Entries(Entries), .Runs(Runs)) u_back (
    .clk_i, .rst_ni, .forget_i(forget), .hold_i(hold), .quiet_o(back_quiet),
    .busy_o(back_busy), .base_i, .entries_i(entries), .wthresh_i, .flush_i,
    .arrived_i(arrived_q), .fetching_i(state_q != StIdle), .handled_index_i(handled_index),
    .handled_o(handled), .handle_o(handle), .done_o(done), .freed_o(freed),
    .freed_index_o(head_o), .done_valid_i, .done_i, .done_report_i,
    .req_valid_o(wr_req_valid_o), .req_ready_i(wr_req_ready_i), .req_o(wr_req_o),
    .word_valid_o(wr_valid_o), .word_ready_i(wr_ready_i), .word_o(wr_o),
    .answered_i(wr_answered_i), .error_i(wr_error_i), .written_valid_o(back_written),
    .written_o);

  assign written_valid_o = back_written && !forgets;
  assign settled_o       = !hold;

  logic back_flushed, flush_waits;
  pos_t covers;

  assign covers    = done + pos_t'(done_valid_i);
  assign flushed_o = back_flushed && !forgets;

  nic_ring_flush u_flush (
    .clk_i, .rst_ni, .forget_i(forget), .busy_o(flush_waits), .cover_i, .covers_i(covers),
    .flush_i, .freed_i(freed), .flushed_o(back_flushed));

  // ---- Fetch ----

  logic   halted_q, wants, starts, arrives, fails, failed, bad_q, half_q, word_ends;
  pos_t   offered, room, unused;
  count_t limit, count_q, at_q;   // of the fetch: descriptors, and those whose first word came

  assign offered = tail - arrived_q;
  assign room    = pos_t'(Entries) - (arrived_q - freed);
  assign unused  = arrived_q - taken_q;
  assign wants   = state_q == StIdle && enable_i && !halted_q && !hold && signed'(offered) > 0 &&
                   (unused == '0 || (pthresh_i != '0 && unused <= pos_t'(pthresh_i) &&
                                     offered >= pos_t'(hthresh_i)));

  function automatic pos_t least(input pos_t a, input pos_t b);
    return a < b ? a : b;
  endfunction

  pos_t        to_cache_end, to_ring_end;
  logic [63:0] addr_q;
  assign to_cache_end = pos_t'(Entries) - pos_t'(arrived_q[SlotBits-1:0]);
  assign to_ring_end  = pos_t'(entries) - pos_t'(arrived_index);
  assign limit  = count_t'(least(least(least(offered, room), pos_t'(LargestFetch)),
                                 least(to_cache_end, to_ring_end)));
  assign starts = wants && limit != '0;

  assign word_ends = rd_valid_i && half_q;
  assign arrives   = state_q == StData && word_ends && rd_i.last && !fails;
  assign fails     = bad_q || rd_i.error;
  assign failed    = state_q == StData && word_ends && rd_i.last && fails;
  assign arrive    = arrives ? pos_t'(count_q) : '0;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (starts) state_d = StAsk;
      StAsk:   if (rd_req_ready_i) state_d = StData;
      StData:  if (word_ends && rd_i.last) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q       <= StIdle;
      halted_q      <= 1'b0;
      half_q        <= 1'b0;
      bad_q         <= 1'b0;
      fetch_error_o <= 1'b0;
    end else begin
      state_q       <= state_d;
      fetch_error_o <= failed;
      if (rung || resume_i || forget) halted_q <= 1'b0;
      else if (failed) halted_q <= 1'b1;
      if (rd_valid_i) begin
        half_q <= !half_q;
        bad_q  <= fails && !rd_i.last;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (starts) begin
      addr_q  <= {base_i, 4'b0} + {44'b0, arrived_index, 4'b0};
      count_q <= limit;
      at_q    <= '0;
    end else if (word_ends) begin
      at_q <= at_q + count_t'(1);
    end
  end

  assign rd_req_valid_o = state_q == StAsk;
  assign rd_req_o       = '{addr: addr_q, bytes: length_t'({count_q, 4'b0})};
  assign rd_ready_o     = 1'b1;

  // ---- Cache ----

  descriptor_t mem_q [Entries];
  logic [63:0] low_q;
  slot_t       fetch_slot;

  assign fetch_slot = arrived_q[SlotBits-1:0] + slot_t'(at_q);

  always_ff @(posedge clk_i) begin
    if (rd_valid_i && !half_q) low_q <= rd_i.data;
  end

  always_ff @(posedge clk_i) begin
    if (word_ends) mem_q[fetch_slot] <= {rd_i.data, low_q};
  end

  assign take         = desc_valid_o && desc_take_i;
  assign desc_valid_o = unused != '0;
  assign desc_o       = mem_q[taken_q[SlotBits-1:0]];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget) begin
      arrived_q <= '0;
      taken_q   <= '0;
    end else begin
      if (arrives) arrived_q <= arrived_q + arrive;
      if (take) taken_q <= taken_q + pos_t'(1);
    end
  end

  // ---- What others are told ----

  pos_t owned, left;
  assign owned       = tail - taken_q;
  assign left        = tail - done;
  assign available_o = signed'(owned) > 0 ? available_t'(owned) : '0;
  assign cached_o    = count_t'(unused);
  assign drained_o   = signed'(left) <= 0;
  assign emptied_o   = done_valid_i && signed'(left) <= 1;
  assign busy_o      = state_q != StIdle || starts || back_busy || index_busy ||
                       flush_waits;

  logic unused_word;
  assign unused_word = ^{rd_i.first, rd_i.lanes};

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // Descriptors come as whole words.
      WholeWords: assert (
        !rd_valid_i || (state_q == StData && rd_i.first == 3'd0 && rd_i.lanes == 3'd7));
      // As many come as were asked for.
      AllComes: assert (!word_ends || rd_i.last == (at_q + count_t'(1) == count_q));
      // What is done was taken.
      DoneWasTaken: assert (!done_valid_i || done != taken_q);
      // There are never more descriptors on chip than places.
      CacheHasRoom: assert (arrived_q - freed <= pos_t'(Entries));
      // The head lies in the ring.
      HeadInRing: assert (
        !(settled_o && entries != '0 && !wr_answered_i) || head_o < entries || head_o == '0);
    end
  end

  // Corners: what ends a fetch, what lets it wait; errors; a doorbell that goes back.
  FetchByOffer: cover property (
    @(posedge clk_i) disable iff (!rst_ni) starts && pos_t'(limit) == offered);
  FetchByLargest: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    starts && limit == count_t'(LargestFetch) && offered > pos_t'(limit));
  FetchByRoom: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    starts && pos_t'(limit) == room && offered > room && to_cache_end > room);
  FetchByRingsEnd: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    starts && pos_t'(limit) == to_ring_end && offered > to_ring_end);
  FetchByCachesEnd: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    starts && pos_t'(limit) == to_cache_end && offered > to_cache_end);
  Prefetches: cover property (@(posedge clk_i) disable iff (!rst_ni) starts && unused != '0);
  NoRoom: cover property (@(posedge clk_i) disable iff (!rst_ni) wants && limit == '0);
  OffersTooFew: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    state_q == StIdle && unused != '0 && unused <= pos_t'(pthresh_i) && signed'(offered) > 0 &&
    offered < pos_t'(hthresh_i));
  FetchFails: cover property (@(posedge clk_i) disable iff (!rst_ni) fetch_error_o);
  FailsFirst: cover property (
    @(posedge clk_i) disable iff (!rst_ni) fetch_error_o && $past(bad_q) && !$past(rd_i.error));
  Resumes: cover property (@(posedge clk_i) disable iff (!rst_ni) halted_q && resume_i);
  TailGoesBack: cover property (@(posedge clk_i) disable iff (!rst_ni) signed'(offered) < 0);
  Forgotten: cover property (
    @(posedge clk_i) disable iff (!rst_ni) back_written && forgets);
endmodule
