// SPDX-License-Identifier: Apache-2.0
// The end of a ring's flush: all descriptors that a timer covers are in memory.
//
// A timer covers descriptors that are done and not yet written back. At its end it flushes the
// ring, and the interrupt follows flushed_o. It comes when the bus has answered all that was
// covered at the flush: in the clock of flush_i, if that has happened before. Two flushes wait. A
// third takes the place of the second, so the first is never put off. TLM twin:
// models/nic/intel/flush_waits.h. Test: tests/rtl/nic/nic_ring_flush_bench.py.
module nic_ring_flush
  import nic_ring_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic forget_i,    // all positions become zero
  output logic busy_o,      // a flush waits
  input  logic cover_i,     // one clock: a timer tells of all up to covers_i
  input  pos_t covers_i,
  input  logic flush_i,     // one clock
  input  pos_t freed_i,     // all before it are answered
  output logic flushed_o    // one clock
);
  logic waits_q, waits_d, follows_q, follows_d, behind, ends;
  pos_t covered_q, goal_q, goal_d, follow_q, follow_d;

  assign behind = signed'(freed_i - covered_q) < 0;
  assign ends   = waits_q && signed'(freed_i - goal_q) >= 0;

  always_comb begin
    waits_d   = waits_q;
    goal_d    = goal_q;
    follows_d = follows_q;
    follow_d  = follow_q;
    if (ends) begin
      waits_d   = follows_q;
      goal_d    = follow_q;
      follows_d = 1'b0;
    end
    if (flush_i && behind) begin
      if (waits_d) begin
        follows_d = 1'b1;
        follow_d  = covered_q;
      end else begin
        waits_d = 1'b1;
        goal_d  = covered_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget_i) begin
      waits_q   <= 1'b0;
      follows_q <= 1'b0;
      covered_q <= '0;
    end else begin
      waits_q   <= waits_d;
      follows_q <= follows_d;
      if (cover_i) covered_q <= covers_i;
    end
  end

  always_ff @(posedge clk_i) begin
    goal_q   <= goal_d;
    follow_q <= follow_d;
  end

  assign flushed_o = ends || (flush_i && !behind);
  assign busy_o    = waits_q;

  logic joins_q;
  always_ff @(posedge clk_i) begin : checks
    joins_q <= rst_ni && !forget_i && flush_i && !flushed_o;
    if (rst_ni && !forget_i) begin
      // Goals grow, and a timer covers no less than they say.
      GoalsInOrder: assert (!(waits_q && follows_q) || signed'(follow_q - goal_q) >= 0);
      GoalIsCovered: assert (!waits_q || signed'(covered_q - goal_q) >= 0);
      // Each flush is followed by flushed_o, or joins one that waits.
      NoneLost: assert (!joins_q || waits_q);
    end
  end

  // Corners: a flush of what is in memory, of what is not, behind another, behind two, as one ends.
  FlushOfWritten: cover property (
    @(posedge clk_i) disable iff (!rst_ni) flush_i && !behind && covered_q != '0);
  FlushWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) flush_i && behind && !waits_q);
  FlushFollows: cover property (
    @(posedge clk_i) disable iff (!rst_ni) flush_i && behind && waits_q && !follows_q && !ends);
  FlushJoins: cover property (
    @(posedge clk_i) disable iff (!rst_ni) flush_i && behind && follows_q && !ends);
  EndsAtFlush: cover property (@(posedge clk_i) disable iff (!rst_ni) flush_i && behind && ends);
  Forgotten: cover property (@(posedge clk_i) disable iff (!rst_ni) forget_i && waits_q);
endmodule
