// SPDX-License-Identifier: Apache-2.0
// The write channels of the AXI manager, shared by three requesters.
//
// One burst after the other: its address and its beats are offered at once, as AXI wants it. The
// lowest number goes first: write-backs are 0 and 1 and are one beat, received data is 2. The ID is
// the requester's number. Bursts do not wait for the answers of those before them.
module mynic_axi_write
  import mynic_pkg::*;
#(
  parameter int unsigned Requesters = 3
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  stop_i,
  output logic                  idle_o,
  output logic                  fault_o,      // one clock: the bus answered with an error
  input  logic [Requesters-1:0] req_valid_i,  // stays, with req_i, until done_o
  input  burst_t [Requesters-1:0] req_i,
  input  logic [Requesters-1:0] beat_valid_i,
  input  wbeat_t [Requesters-1:0] beat_i,
  output logic [Requesters-1:0] beat_ready_o,
  output logic [Requesters-1:0] done_o,       // address and all beats are on the bus
  output logic [Requesters-1:0] answered_o,   // a burst was answered without error

  output logic [3:0]  awid_o,
  output burst_t      aw_o,
  output logic        awvalid_o,
  input  logic        awready_i,
  output wbeat_t      w_o,
  output logic        wvalid_o,
  input  logic        wready_i,
  input  logic [3:0]  bid_i,
  input  logic        berror_i,
  input  logic        bvalid_i
);
  localparam int unsigned SelBits = $clog2(Requesters);

  logic [SelBits-1:0] sel_q, sel_d;
  logic               busy_q, aw_done_q, w_done_q;
  logic               begins, ends, w_ends;
  logic [9:0]         waiting_q;  // bursts that the bus has not answered

  always_comb begin
    sel_d = '0;
    for (int unsigned i = Requesters; i > 0; i--) begin
      if (req_valid_i[i-1]) sel_d = SelBits'(i - 1);
    end
  end

  assign begins = !busy_q && !stop_i && req_valid_i != '0 && waiting_q != '1;
  assign w_ends = wvalid_o && wready_i && w_o.last;
  assign ends   = busy_q && (aw_done_q || awready_i) && (w_done_q || w_ends);

  assign awid_o    = 4'(sel_q);
  assign aw_o      = req_i[sel_q];
  assign awvalid_o = busy_q && !aw_done_q;
  assign w_o       = beat_i[sel_q];
  assign wvalid_o  = busy_q && !w_done_q && beat_valid_i[sel_q];

  always_comb begin
    beat_ready_o = '0;
    done_o       = '0;
    beat_ready_o[sel_q] = busy_q && !w_done_q && wready_i;
    done_o[sel_q]       = ends;
    for (int unsigned i = 0; i < Requesters; i++) begin
      answered_o[i] = bvalid_i && !berror_i && bid_i == 4'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sel_q     <= '0;
      busy_q    <= 1'b0;
      aw_done_q <= 1'b0;
      w_done_q  <= 1'b0;
      waiting_q <= '0;
    end else begin
      if (begins) begin
        sel_q     <= sel_d;
        busy_q    <= 1'b1;
        aw_done_q <= 1'b0;
        w_done_q  <= 1'b0;
      end else if (ends) begin
        busy_q    <= 1'b0;
      end else begin
        if (awvalid_o && awready_i) aw_done_q <= 1'b1;
        if (w_ends) w_done_q <= 1'b1;
      end
      waiting_q <= waiting_q + 10'(begins) - 10'(bvalid_i);
    end
  end

  assign fault_o = bvalid_i && berror_i;
  assign idle_o  = !busy_q && waiting_q == '0;

  // An address and a beat stay until they are taken.
  AddressHolds: assert property (
    @(posedge clk_i) disable iff (!rst_ni)
    awvalid_o && !awready_i |=> awvalid_o && $stable(aw_o) && $stable(awid_o));
  BeatHolds: assert property (
    @(posedge clk_i) disable iff (!rst_ni) wvalid_o && !wready_i |=> wvalid_o && $stable(w_o));

  // Corners: the bus makes address or data wait, the address comes last, two requesters ask.
  AddressWaits: cover property (
    @(posedge clk_i) disable iff (!rst_ni) awvalid_o && !awready_i);
  BeatWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) wvalid_o && !wready_i);
  AddressIsLast: cover property (
    @(posedge clk_i) disable iff (!rst_ni) awvalid_o && awready_i && w_done_q);
  Contended: cover property (
    @(posedge clk_i) disable iff (!rst_ni) begins && !$onehot(req_valid_i));
  Fault: cover property (@(posedge clk_i) disable iff (!rst_ni) fault_o);
endmodule
