// SPDX-License-Identifier: Apache-2.0
// Sends frames on GMII: preamble, bytes, padding to 60, FCS, and a gap of 96 bit times.
//
// A frame begins once all of it is in the buffer, so the memory's latency cannot cut it. A frame
// that is longer than the buffer begins when the buffer is full. If it then runs dry, or if the bus
// answered one of its reads with an error, it ends in TX_ER and a wrong FCS.
module mynic_tx_mac
  import mynic_pkg::*;
#(
  parameter int unsigned FrameBits = 13
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        enable_i,
  input  logic        eop_in_i,      // the end of a frame goes into the buffer
  input  logic        full_i,
  input  logic        word_valid_i,
  output logic        word_ready_o,
  input  txword_t     word_i,
  output logic [7:0]  txd_o,
  output logic        tx_en_o,
  output logic        tx_er_o,
  output logic        idle_o,
  output logic        sending_o,     // a frame is on the line
  output logic        good_o,        // one clock: a frame was sent
  output logic        bad_o          // one clock: a frame was spoiled
);
  typedef enum logic [2:0] {StIdle, StPreamble, StData, StPad, StFcs, StDrain, StGap} state_e;
  state_e state_q, state_d;

  logic [3:0]           count_q;             // clocks in this state
  logic [2:0]           lane_q, lane;
  logic                 fresh_q;             // no byte of the word was sent
  logic [5:0]           sent_q;              // bytes of the frame, up to MinBytes
  logic                 bad_q;
  logic                 whole_q;             // all of the frame was in the buffer when it began
  logic [31:0]          crc_q, fcs;
  logic [FrameBits-1:0] frames_q;            // whole frames in the buffer
  logic                 byte_valid, word_ends, pop_eop, short_frame;
  logic [7:0]           txd_d, data;
  logic                 tx_en_d, tx_er_d, into_crc;

  assign lane        = fresh_q ? word_i.first : lane_q;
  assign data        = word_i.data[8*lane+:8];
  assign byte_valid  = state_q == StData && word_valid_i;
  assign word_ends   = lane == word_i.last;
  assign short_frame = sent_q < 6'(MinBytes - 1);
  assign fcs         = bad_q ? crc_q : ~crc_q;

  assign word_ready_o = (byte_valid && word_ends) || state_q == StDrain;
  assign pop_eop      = word_ready_o && word_valid_i && word_i.eop;

  always_comb begin
    state_d  = state_q;
    txd_d    = '0;
    tx_en_d  = 1'b1;
    tx_er_d  = 1'b0;
    into_crc = 1'b0;
    unique case (state_q)
      StIdle: begin
        tx_en_d = 1'b0;
        if (enable_i && word_valid_i && (frames_q != '0 || full_i)) state_d = StPreamble;
      end
      StPreamble: begin
        txd_d = count_q == 4'd7 ? Sfd : Preamble;
        if (count_q == 4'd7) state_d = StData;
      end
      StData: begin
        txd_d    = data;
        into_crc = 1'b1;
        if (!word_valid_i) begin
          tx_er_d = 1'b1;
          state_d = StDrain;
        end else if (word_ends && word_i.eop) begin
          tx_er_d = bad_q || word_i.bad;
          state_d = short_frame ? StPad : StFcs;
        end
      end
      StPad: begin
        into_crc = 1'b1;
        if (!short_frame) state_d = StFcs;
      end
      StFcs: begin
        txd_d = fcs[8*count_q[1:0]+:8];
        if (count_q == 4'd3) state_d = StGap;
      end
      StDrain: begin  // what is left of a frame that ran dry
        tx_en_d = 1'b0;
        if (pop_eop) state_d = StGap;
      end
      default: begin  // StGap; StIdle is the gap's last clock
        tx_en_d = 1'b0;
        if (count_q == 4'(GapBytes - 2)) state_d = StIdle;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= StGap;
      count_q  <= '0;
      lane_q   <= '0;
      fresh_q  <= 1'b1;
      sent_q   <= '0;
      bad_q    <= 1'b0;
      whole_q  <= 1'b0;
      crc_q    <= CrcInit;
      frames_q <= '0;
      txd_o    <= '0;
      tx_en_o  <= 1'b0;
      tx_er_o  <= 1'b0;
    end else begin
      state_q  <= state_d;
      count_q  <= state_d != state_q ? '0 : count_q + 4'd1;
      txd_o    <= txd_d;
      tx_en_o  <= tx_en_d;
      tx_er_o  <= tx_er_d;
      frames_q <= frames_q + FrameBits'(eop_in_i) - FrameBits'(pop_eop);
      if (state_q == StIdle) begin
        fresh_q <= 1'b1;
        sent_q  <= '0;
        bad_q   <= 1'b0;
        whole_q <= frames_q != '0;
        crc_q   <= CrcInit;
      end
      if (byte_valid) begin
        fresh_q <= word_ends;
        lane_q  <= lane + 3'd1;
        if (word_i.bad) bad_q <= 1'b1;
      end
      if (into_crc) begin
        crc_q <= crc32(crc_q, txd_d);
        if (sent_q != 6'(MinBytes)) sent_q <= sent_q + 6'd1;
      end
    end
  end

  assign idle_o = state_q == StIdle && frames_q == '0;
  assign sending_o = tx_en_o || state_q == StPreamble || state_q == StData ||
                     state_q == StPad || state_q == StFcs;
  assign good_o = state_q == StFcs && state_d == StGap && !bad_q;
  assign bad_o  = (state_q == StFcs && state_d == StGap && bad_q)
                || (state_q == StData && state_d == StDrain);

  // A frame that is whole in the buffer never runs dry.
  WholeFramesDoNotRunDry: assert property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StData && whole_q |-> word_valid_i);

  // Corners: a short frame is padded, a frame begins before all of it is here, a frame runs dry.
  Pads: cover property (@(posedge clk_i) disable iff (!rst_ni) state_q == StPad);
  CutsThrough: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StData && !whole_q);
  RunsDry: cover property (@(posedge clk_i) disable iff (!rst_ni) state_q == StDrain);
endmodule
