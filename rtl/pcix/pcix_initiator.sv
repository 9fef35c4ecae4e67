// SPDX-License-Identifier: Apache-2.0
// The initiator: runs one transaction at a time on the bus.
//
// FRAME# comes two clocks after a clock in which GNT# is asserted and the bus is idle, or has its
// last data phase. IRDY# follows two clocks after the attribute phase. Words of a write alternate
// between the first and the second until the target takes the first one; then one goes in each
// clock. FRAME# goes high with the last data phase but one, IRDY# a clock after the last one. With
// one to three data phases they go high as soon as the first one has been seen.
//
// A burst ends at its byte count, after one data phase, or at a boundary. The target asks for a
// boundary by Disconnect at Next ADB, the initiator takes the next one when the latency timer has
// run out and GNT# is gone. A boundary must be announced four data phases ahead; a target may also
// ask for the next one in the first data phase. `end_valid_o` tells how a transaction ended, and
// how many bytes have moved.
// Test: tests/rtl/pcix/pcix_write_bench.py, pcix_read_bench.py.
module pcix_initiator
  import pcix_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  bus_t             bus_i,
  input  logic             low_bad_i,
  input  logic             high_bad_i,
  input  logic             wide_i,          // the slot has 64 bits
  input  settings_t        settings_i,
  output initiator_drive_t drive_o,
  output logic             own_o,           // it owns the bus
  // Work. It stays as it is from the start to the end.
  input  logic             work_valid_i,
  input  work_t             work_i,
  output logic             start_o,
  output logic             end_valid_o,
  output end_t             end_o,
  // Words of the work to send, counted from the one at its address.
  output logic [9:0]       word_o,
  input  logic [63:0]      data_i,          // in the same clock
  input  logic [7:0]       strobes_i,
  // Data of a read that the target answers at once.
  output logic             fill_valid_o,
  output fill_t            fill_o,
  output logic             fill_bad_o,      // the fill of the clock before had bad parity
  output logic             perr_o,
  output logic             bad_data_o,
  output logic             perr_seen_o      // the target found bad parity in data of the core
);
  typedef enum logic [2:0] {StIdle, StAddr, StHigh, StAttr, StResponse, StData, StDone} state_e;

  // Data phases from the start of a burst; more than its last one.
  typedef logic [10:0] phase_t;
  localparam logic [7:0] AllOff = '1;  // C/BE# while no byte enables are told

  state_e           state_q, state_d;
  initiator_drive_t drive;
  work_t             work_q;
  logic [63:0]      addr;                      // its low bits are those of the data
  logic             dual, reads, asks_wide;
  logic             frame_last_q;              // FRAME# one clock before bus_i
  logic             free;
  logic [2:0]       decode_q, decode_d;
  logic             claimed_q, claimed_d, started_q, started_d, wide_q, wide_d;
  phase_t           next_q, next_d;            // data phase on the bus, now and next
  phase_t           phases_q, phases_d;        // how many the transaction has
  phase_t           boundary_q, boundary_d;    // data phases up to a boundary that can be announced
  phase_t           all, first_boundary, step;
  logic             frame_q, ends, stops, answered;
  end_e             how_q, how_d;
  logic [7:0]       timer_q;
  logic             timed_out;
  logic [10:0]      dword;
  logic             upper_half;
  logic [2:0]       sent_q;                    // data phases of the core, by their age
  logic             moves, fill, fill_q, fill_wide_q;

  assign addr  = work_q.addr;
  assign dual  = work_q.command != CmdSplitCompletion && work_q.addr[63:32] != '0;
  assign reads = work_q.command == CmdReadBlock;

  // One DWORD goes on the low lanes.
  assign asks_wide = wide_i && (state_q == StIdle ? work_i.bytes : work_q.bytes) > count_t'(4);

  // ---- When the bus is free ----

  assign free = !bus_i.frame && (!bus_i.irdy || !frame_last_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) frame_last_q <= 1'b1;
    else frame_last_q <= bus_i.frame;
  end

  assign start_o = state_q == StIdle && work_valid_i && bus_i.gnt && free;

  always_ff @(posedge clk_i) begin
    if (start_o) work_q <= work_i;
  end

  // ---- Counting ----

  assign wide_d         = claimed_q ? wide_q : bus_i.devsel && bus_i.ack64 && asks_wide;
  assign all            = phases_of(addr[2:0], work_q.bytes, wide_q);
  assign step           = wide_q ? 11'(AdbBytes / 8) : 11'(AdbBytes / 4);
  assign first_boundary = wide_q ? 11'd16 - 11'(addr[6:3]) : 11'd32 - 11'(addr[6:2]);
  assign timed_out      = timer_q >= settings_i.latency_timer && !bus_i.gnt;
  assign answered       = bus_i.trdy || bus_i.stop || !bus_i.devsel;

  always_comb begin
    decode_d   = decode_q;
    claimed_d  = claimed_q;
    started_d  = started_q;
    next_d     = next_q;
    phases_d   = phases_q;
    boundary_d = boundary_q;
    how_d      = how_q;
    ends       = 1'b0;  // FRAME# and IRDY# go high at once
    stops      = 1'b0;  // after the data phases that are left
    if (state_q == StData) begin
      if (!claimed_q) begin
        decode_d  = decode_q + 3'd1;
        claimed_d = bus_i.devsel;
        next_d    = bus_i.devsel ? 11'd1 : 11'd0;
        if (!bus_i.devsel && decode_q == LastDecodeClocks) begin
          how_d = EndMasterAbort;
          ends  = 1'b1;
        end
      end else if (!started_q) begin
        next_d = {10'b0, !next_q[0]};
        if (answered) begin
          started_d  = 1'b1;
          how_d      = EndMoved;
          next_d     = 11'd2;
          phases_d   = all;
          boundary_d = first_boundary;
          unique case ({bus_i.devsel, bus_i.stop, bus_i.trdy})
            3'b101: ;
            3'b111: phases_d = first_boundary < all ? first_boundary : all;
            3'b011: phases_d = 11'd1;
            3'b001: begin
              how_d = EndSplit;
              ends  = 1'b1;
            end
            3'b110: begin
              how_d = EndRetry;
              ends  = 1'b1;
            end
            default: begin
              how_d = EndTargetAbort;
              ends  = 1'b1;
            end
          endcase
          ends  = ends || phases_d <= 11'd2;
        end
      end else begin
        next_d = next_q + 11'd1;
        // The nearest boundary at or behind the data phase after the next two.
        if (boundary_q < next_q + 11'd3) boundary_d = boundary_q + step;
        if (!bus_i.devsel) begin
          how_d = EndTargetAbort;
          ends  = 1'b1;
        end else begin
          if ((bus_i.stop || timed_out) && boundary_d < phases_q) phases_d = boundary_d;
          ends = next_d >= phases_d;
        end
      end
      stops = started_d && next_d + 11'd2 >= phases_d;
    end
  end

  // ---- The bus in the next clock ----

  assign dword      = 11'(addr[2]) + next_d;
  assign upper_half = (!wide_d || next_d == '0) && dword[0];
  assign word_o     = wide_d ? next_d[9:0] : dword[10:1];

  always_comb begin
    state_d      = state_q;
    drive        = '0;
    drive.cbe    = AllOff;
    drive.ad     = {data_i[63:32], upper_half ? data_i[63:32] : data_i[31:0]};
    drive.cbe_en = 1'b1;
    drive.frame  = 1'b1;
    drive.ad_en  = 1'b1;
    unique case (state_q)
      StIdle: begin
        drive.frame  = start_o;
        drive.ad_en  = start_o;
        drive.cbe_en = start_o;
        drive.ad     = work_i.addr;
        drive.cbe    = {work_i.command, work_i.command};
        if (work_i.command == CmdSplitCompletion || work_i.addr[63:32] == '0) begin
          drive.ad[63:32] = '0;
        end else begin
          drive.cbe[3:0] = CmdDual;
        end
        if (start_o) state_d = StAddr;
      end
      StAddr, StHigh: begin
        drive.ad  = {32'b0, work_q.attr, work_q.bytes[7:0]};
        drive.cbe = {4'hF, work_q.bytes[11:8]};
        state_d   = StAttr;
        if (state_q == StAddr && dual) begin
          drive.ad  = {addr[63:32], addr[63:32]};
          drive.cbe = {work_q.command, work_q.command};
          state_d   = StHigh;
        end
      end
      StAttr: begin
        drive.ad_en = !reads;
        state_d     = StResponse;
      end
      StResponse: begin
        drive.ad_en = !reads;
        drive.irdy  = 1'b1;
        state_d     = StData;
      end
      StData: begin
        drive.frame  = frame_q && !ends && !stops;
        drive.irdy   = !ends;
        drive.ad_en  = !reads && !ends;
        drive.cbe_en = !ends;
        if (ends) state_d = StDone;
      end
      default: begin
        drive.frame  = 1'b0;
        drive.ad_en  = 1'b0;
        drive.cbe_en = 1'b0;
        state_d      = StIdle;
      end
    endcase
    if (work_q.command == CmdWrite && state_q inside {StResponse, StData}) begin
      drive.cbe = {~strobes_i[7:4], upper_half ? ~strobes_i[7:4] : ~strobes_i[3:0]};
    end
    drive.req64 = drive.frame && asks_wide;
  end

  assign drive_o = drive;
  assign own_o   = state_q != StIdle;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      frame_q <= 1'b0;
    end else begin
      state_q <= state_d;
      frame_q <= drive.frame;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_o) timer_q <= '0;
    else if (timer_q != '1) timer_q <= timer_q + 8'd1;
    if (state_q == StAddr || state_q == StHigh) begin
      decode_q   <= 3'd2;
      claimed_q  <= 1'b0;
      started_q  <= 1'b0;
      next_q     <= '0;
      wide_q     <= 1'b0;
      phases_q   <= '1;
      boundary_q <= '0;
    end else if (state_q == StData) begin
      decode_q   <= decode_d;
      claimed_q  <= claimed_d;
      started_q  <= started_d;
      next_q     <= next_d;
      wide_q     <= wide_d;
      phases_q   <= phases_d;
      boundary_q <= boundary_d;
      how_q      <= how_d;
    end
  end

  // ---- The end ----

  assign end_valid_o = state_q == StDone;
  assign end_o.how   = how_q;
  assign end_o.bytes = phases_q >= all ? work_q.bytes
                     : wide_q ? {phases_q[9:0], 3'b0} - count_t'(addr[2:0])
                     : {phases_q, 2'b0} - count_t'(addr[1:0]);

  // ---- Data that come, and parity of data ----

  assign moves = (state_q == StData || state_q == StDone) && claimed_q && bus_i.trdy &&
                 (bus_i.devsel || bus_i.stop);
  assign fill  = reads && moves;

  assign fill_valid_o = fill;
  assign fill_o       = '{tag: work_q.attr[20:16], wide: wide_q, data: bus_i.ad};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_q <= 1'b0;
      sent_q <= '0;
    end else begin
      fill_q <= fill;
      sent_q <= {sent_q[1:0], !reads && moves};
    end
  end

  always_ff @(posedge clk_i) begin
    fill_wide_q <= wide_q;
  end

  assign bad_data_o  = fill_q && (low_bad_i || (fill_wide_q && high_bad_i));
  assign perr_o      = bad_data_o && settings_i.parity_response;
  assign fill_bad_o  = perr_o;
  assign perr_seen_o = sent_q[2] && bus_i.perr;

  // Checks and corners.
  // Once data have begun to move, IRDY# stays until the end.
  IrdyStays: assert property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StData && started_q |-> drive_o.irdy || ends);
  // FRAME# does not come again within a transaction.
  FrameOnce: assert property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StData && !frame_q |-> !drive_o.frame);
  // No more moves than was asked for.
  MovesWithinWork: assert property (
    @(posedge clk_i) disable iff (!rst_ni)
    end_valid_o && how_q == EndMoved |-> end_o.bytes != '0 && end_o.bytes <= work_q.bytes);
  // Data come only from a target that has not ended.
  FillsWithinBurst: assert property (
    @(posedge clk_i) disable iff (!rst_ni)
    fill |-> state_q == StDone || !started_q || bus_i.devsel);

  SeenDual: cover property (@(posedge clk_i) disable iff (!rst_ni) state_q == StHigh);
  SeenSplit: cover property (
    @(posedge clk_i) disable iff (!rst_ni) end_valid_o && how_q == EndSplit);
  SeenRetry: cover property (
    @(posedge clk_i) disable iff (!rst_ni) end_valid_o && how_q == EndRetry);
  SeenMasterAbort: cover property (
    @(posedge clk_i) disable iff (!rst_ni) end_valid_o && how_q == EndMasterAbort);
  SeenTargetAbort: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    state_q == StData && claimed_q && !started_q && !bus_i.devsel && bus_i.stop && !bus_i.trdy);
  SeenLateAbort: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    state_q == StData && started_q && !bus_i.devsel && bus_i.stop);
  SeenWait: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    state_q == StData && claimed_q && !started_q && !answered);
  SeenNarrowTarget: cover property (
    @(posedge clk_i) disable iff (!rst_ni) end_valid_o && how_q == EndMoved && wide_i && !wide_q);
  SeenSingle: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    state_q == StData && claimed_q && !started_q && !bus_i.devsel && bus_i.stop && bus_i.trdy);
  SeenCutAtFirst: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    state_q == StData && claimed_q && !started_q && bus_i.devsel && bus_i.stop && bus_i.trdy &&
    first_boundary < 11'd4 && first_boundary < all);
  SeenCutLater: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    state_q == StData && started_q && bus_i.stop && bus_i.devsel && phases_d != phases_q);
  SeenTimer: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    state_q == StData && started_q && timed_out && !bus_i.stop && phases_d != phases_q);
  SeenAnswerAtOnce: cover property (@(posedge clk_i) disable iff (!rst_ni) fill && started_q);
  SeenBadRead: cover property (@(posedge clk_i) disable iff (!rst_ni) perr_o);
  SeenPerr: cover property (@(posedge clk_i) disable iff (!rst_ni) perr_seen_o);
  SeenNoGap: cover property (@(posedge clk_i) disable iff (!rst_ni) start_o && bus_i.irdy);
endmodule
