// SPDX-License-Identifier: Apache-2.0
// Where a ring's positions lie in host memory, and how far the host's doorbell lets it go.
//
// Positions count descriptors since the head was set. The index of a position is its sum with the
// head that was set, modulo the ring's length. A new length or head is taken when neither a fetch
// nor a write-back is under way. Then two divisions give the indices again, in about 90 clocks.
// Until that is done hold_o is high, and nothing begins. A doorbell takes 4 clocks, or 46 if its
// index is beyond the ring. Writes of registers take effect in their order.
// TLM twin: set_length, set_head and set_tail of models/nic/intel/descriptor_ring.
module nic_ring_index
  import nic_pkg::*;
  import nic_ring_pkg::*;
(
  input  logic   clk_i,
  input  logic   rst_ni,
  // Registers.
  input  logic   enable_i,         // writes of the head do not count
  input  index_t entries_i,        // length of the ring
  input  logic   head_write_i,
  input  index_t head_i,
  input  logic   tail_write_i,
  input  index_t tail_i,
  // The ring.
  input  logic   quiet_i,          // no fetch and no write-back is under way
  output logic   hold_o,           // neither may begin: indices are made again
  output logic   forgets_o,        // what is under way will be forgotten
  output logic   forget_o,         // one clock: all positions are zero
  input  pos_t   done_i,
  input  pos_t   arrived_i,
  input  pos_t   arrive_i,         // arrived_i grows by it in this clock
  input  pos_t   handled_i,
  input  pos_t   handle_i,         // handled_i grows by it in this clock
  output index_t entries_o,        // that the indices are of
  output index_t arrived_index_o,
  output index_t handled_index_o,
  output pos_t   tail_o,           // position of the doorbell
  output logic   rung_o,           // one clock: a doorbell takes effect with the next
  output logic   busy_o
);
  localparam int unsigned TotalBits = 40;
  typedef logic [TotalBits-1:0] total_t;

  typedef enum logic [2:0] {StIdle, StHandled, StArrived, StReduce, StBell, StLift} state_e;
  state_e state_q, state_d;
  logic   head_waits_q, bell_waits_q, lengthens;
  index_t head_q, bell_q;
  total_t total_q;                 // of handled_i: with the head that was set
  logic   start, done, moves, rings;
  total_t value;
  index_t remainder, within_q;     // within_q: the doorbell's index in the ring
  pos_t   tail_d, ahead;
  logic   behind;

  assign lengthens = entries_i != entries_o;
  assign forgets_o = head_waits_q;
  assign hold_o    = state_q inside {StHandled, StArrived} || lengthens || head_waits_q;
  assign busy_o    = hold_o || bell_waits_q || state_q != StIdle;
  assign moves     = state_q == StIdle && (lengthens || head_waits_q) && quiet_i;
  assign rings     = state_q == StIdle && !lengthens && !head_waits_q && bell_waits_q;
  assign forget_o  = moves && head_waits_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_waits_q <= 1'b0;
      bell_waits_q <= 1'b0;
    end else begin
      if (head_write_i && !enable_i) head_waits_q <= 1'b1;
      else if (forget_o) head_waits_q <= 1'b0;
      if (tail_write_i) bell_waits_q <= 1'b1;
      else if (rings || (head_write_i && !enable_i)) bell_waits_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (head_write_i && !enable_i) head_q <= head_i;
    if (tail_write_i) bell_q <= tail_i;
  end

  // ---- Indices ----

  nic_remainder #(.ValueBits(TotalBits), .DivisorBits(IndexBits)) u_remainder (
    .clk_i, .rst_ni, .start_i(start), .value_i(value), .divisor_i(entries_o), .done_o(done),
    .remainder_o(remainder));

  logic begun_q;  // the division of this state has begun
  assign start = (state_q inside {StHandled, StArrived, StReduce}) && !begun_q;

  always_comb begin
    unique case (state_q)
      StHandled: value = total_q;
      StArrived: value = total_q + total_t'(pos_t'(arrived_i - handled_i));
      default:   value = total_t'(within_q);
    endcase
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle: begin
        if (moves && entries_i != '0) state_d = StHandled;
        else if (rings && entries_o != '0) state_d = bell_q < entries_o ? StBell : StReduce;
      end
      StHandled: if (done) state_d = StArrived;
      StArrived: if (done) state_d = StIdle;
      StReduce:  if (done) state_d = StBell;
      StBell:    state_d = StLift;
      StLift:    if (!behind) state_d = StIdle;
      default:   state_d = StIdle;
    endcase
  end

  function automatic index_t moved(input index_t index, input index_t by, input index_t entries);
    index_t sum;
    sum = index + by;
    return sum == entries ? '0 : sum;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q         <= StIdle;
      begun_q         <= 1'b0;
      entries_o       <= '0;
      total_q         <= '0;
      handled_index_o <= '0;
      arrived_index_o <= '0;
    end else begin
      state_q <= state_d;
      begun_q <= start || (begun_q && state_d == state_q);
      if (moves) begin
        entries_o <= entries_i;
        if (head_waits_q) total_q <= total_t'(head_q);
        if (entries_i == '0) begin
          handled_index_o <= '0;
          arrived_index_o <= '0;
        end
      end else begin
        if (handle_i != '0) begin
          total_q         <= total_q + total_t'(handle_i);
          handled_index_o <= moved(handled_index_o, index_t'(handle_i), entries_o);
        end
        if (arrive_i != '0) begin
          arrived_index_o <= moved(arrived_index_o, index_t'(arrive_i), entries_o);
        end
        if (state_q == StHandled && done) handled_index_o <= remainder;
        if (state_q == StArrived && done) arrived_index_o <= remainder;
      end
    end
  end

  // ---- Doorbell: the first position from done_i on that has its index ----

  always_comb begin
    ahead = pos_t'(within_q) - pos_t'(handled_index_o);
    if (within_q < handled_index_o) ahead = ahead + pos_t'(entries_o);
  end

  assign rung_o = (state_q == StLift && !behind) || (rings && entries_o == '0);
  assign behind = signed'(tail_d - done_i) < 0;

  always_ff @(posedge clk_i) begin
    if (rings) within_q <= bell_q;
    else if (state_q == StReduce && done) within_q <= remainder;
    if (state_q == StBell) tail_d <= handled_i + ahead;
    else if (state_q == StLift && behind) tail_d <= tail_d + pos_t'(entries_o);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget_o) tail_o <= '0;
    else if (state_q == StLift && !behind) tail_o <= tail_d;
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // Nothing moves while indices are made again.
      HeldWhileMoving: assert (
        !(state_q inside {StHandled, StArrived}) || (handle_i == '0 && arrive_i == '0));
      // An index lies in the ring.
      HandledInRing: assert (!(!hold_o && entries_o != '0) || handled_index_o < entries_o);
    end
  end

  // Corners: length and head change with and without work behind them; doorbells of each kind.
  LengthWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) lengthens && !quiet_i);
  HeadWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) head_waits_q && !quiet_i);
  NoLength: cover property (
    @(posedge clk_i) disable iff (!rst_ni) rings && entries_o == '0);
  LengthGone: cover property (
    @(posedge clk_i) disable iff (!rst_ni) moves && entries_i == '0 && entries_o != '0);
  BellBeyond: cover property (@(posedge clk_i) disable iff (!rst_ni) state_q == StReduce);
  BellWaits: cover property (
    @(posedge clk_i) disable iff (!rst_ni) bell_waits_q && state_q == StHandled);
  BellLifts: cover property (@(posedge clk_i) disable iff (!rst_ni) state_q == StLift && behind);
  HeadIgnored: cover property (@(posedge clk_i) disable iff (!rst_ni) head_write_i && enable_i);
endmodule
