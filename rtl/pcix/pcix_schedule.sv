// SPDX-License-Identifier: Apache-2.0
// Whose turn it is on the bus: messages, Split Completions, writes and reads, round robin.
//
// A Split Completion or an MSI message waits until all writes have ended that the core had taken
// whole when it was ready. A host that sees it sees those writes. While the core may not master the
// bus, Split Completions do not wait for writes. Test: tests/rtl/pcix/pcix_write_bench.py.
module pcix_schedule
  import pcix_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               master_en_i,
  input  logic               write_came_i,   // a burst has come whole
  input  logic               write_ended_i,  // and one has ended
  input  logic [Sources-1:0] valid_i,
  input  work_t [Sources-1:0] work_i,
  output logic [Sources-1:0] end_valid_o,
  // The initiator.
  output logic               req_o,          // REQ#
  output logic               work_valid_o,
  output work_t               work_o,
  output logic [1:0]         source_o,
  input  logic               start_i,
  input  logic               end_valid_i
);
  typedef logic [1:0] source_t;
  localparam int unsigned Orders = 2;        // sources that wait for writes

  logic [2:0]         writes_q;              // taken, and not ended: pcix_write has room for 5
  logic [2:0]         before_q [Orders];     // of those, that go first
  logic [Orders-1:0]  told_q;                // before_q is set
  logic [Sources-1:0] may;
  source_t            chosen_q, last_q, next;
  logic               runs_q;

  // ---- Order ----

  always_ff @(posedge clk_i) begin
    if (!rst_ni) writes_q <= '0;
    else writes_q <= writes_q + 3'(write_came_i) - 3'(write_ended_i);
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Orders; i++) begin
      if (!rst_ni || !valid_i[i] || end_valid_o[i]) begin
        told_q[i] <= 1'b0;
      end else if (!told_q[i]) begin
        told_q[i]   <= 1'b1;
        before_q[i] <= writes_q - 3'(write_ended_i);
      end else if (write_ended_i && before_q[i] != '0) begin
        before_q[i] <= before_q[i] - 3'd1;
      end
    end
  end

  always_comb begin
    may = valid_i;
    for (int unsigned i = 0; i < Orders; i++) begin
      may[i] = valid_i[i] && ((told_q[i] && before_q[i] == '0) ||
                              (i == SourceCompletion && !master_en_i));
    end
  end

  // ---- Turns ----

  always_comb begin
    next = last_q;
    for (int unsigned i = Sources; i > 0; i--) begin
      if (may[source_t'(32'(last_q) + i)]) next = source_t'(32'(last_q) + i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      runs_q <= 1'b0;
      last_q <= '0;
    end else if (start_i) begin
      runs_q <= 1'b1;
      last_q <= next;
    end else if (end_valid_i) begin
      runs_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) chosen_q <= next;
  end

  assign source_o    = runs_q ? chosen_q : next;
  assign work_valid_o = may != '0 && !runs_q;
  assign work_o       = work_i[source_o];
  assign req_o       = runs_q ? (may & ~(Sources'(1) << chosen_q)) != '0 : may != '0;

  always_comb begin
    end_valid_o = '0;
    end_valid_o[source_o] = end_valid_i;
  end

  // Checks and corners.
  EndsWhatRuns: assert property (@(posedge clk_i) disable iff (!rst_ni) end_valid_i |-> runs_q);
  WritesInRange: assert property (
    @(posedge clk_i) disable iff (!rst_ni) write_ended_i |-> writes_q != '0);
  // Who starts has work.
  StartsWork: assert property (@(posedge clk_i) disable iff (!rst_ni) start_i |-> may[next]);

  SeenAll: cover property (
    @(posedge clk_i) disable iff (!rst_ni) may[3:1] == '1);
  SeenCompletionWaits: cover property (
    @(posedge clk_i) disable iff (!rst_ni) valid_i[SourceCompletion] && !may[SourceCompletion]);
  SeenMessageWaits: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    told_q[SourceMessage] && valid_i[SourceMessage] && !may[SourceMessage]);
  SeenOff: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    may[SourceCompletion] && told_q[SourceCompletion] && before_q[SourceCompletion] != '0);
  SeenLaterWrite: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    may[SourceCompletion] && told_q[SourceCompletion] && writes_q != '0 &&
    before_q[SourceCompletion] == '0 && master_en_i);
  SeenMore: cover property (@(posedge clk_i) disable iff (!rst_ni) runs_q && req_o);
endmodule
