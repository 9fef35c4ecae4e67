// SPDX-License-Identifier: Apache-2.0
// GMII receiver: finds the frame after the start delimiter, packs its bytes into words, checks its
// FCS.
//
// The FCS is data here and stays in the frame. The final receiver therefore sees an error made on
// the way. The first word of a frame is the stamp word. It holds the tick at the start delimiter.
//
// A word is output when the next byte, or the end of the frame, has been seen. This is 6 clocks
// after the word's last byte was on the pins. There is no back pressure: if room_i is low at the
// start delimiter, the whole frame is lost.
//
// TLM twin: models/wan/gnet1.
module gnet1_mac_rx
  import gnet1_pkg::*;
(
  input  logic       clk_i,         // this port's own 125 MHz
  input  logic       rst_ni,
  input  logic [7:0] rxd_i,
  input  logic       rx_dv_i,
  input  logic       rx_er_i,
  input  logic [7:0] tick_i,        // 32 ns clocks, in this clock domain
  input  logic       room_i,        // a frame may begin; the buffer drains as fast as it arrives

  output logic       word_valid_o,
  output word_t      word_o,
  output logic       fcs_bad_o,     // valid with the last word
  output logic       lost_o,        // one clock per frame lost for want of room
  output logic       no_sfd_o       // one clock: carrier without a start delimiter
);
  localparam logic [7:0] Preamble = 8'h55;
  localparam logic [7:0] Sfd      = 8'hD5;

  typedef enum logic [1:0] {StIdle, StPreamble, StData, StSkip} state_e;
  state_e state_q, state_d;

  logic [7:0]  rxd_q;
  logic        dv_q, er_q;
  logic [31:0] shift_q;
  logic [2:0]  held_q;      // bytes in shift_q
  logic        begun_q;     // the stamp word has been output
  logic        error_q;
  logic [7:0]  tick_q;
  logic [13:0] bytes_q;
  logic        sfd, take, finish, cut;
  logic        crc_good;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      dv_q  <= 1'b0;
      er_q  <= 1'b0;
      rxd_q <= '0;
    end else begin
      dv_q  <= rx_dv_i;
      er_q  <= rx_er_i;
      rxd_q <= rxd_i;
    end
  end

  always_comb begin
    state_d  = state_q;
    sfd      = 1'b0;
    take     = 1'b0;
    finish   = 1'b0;
    lost_o   = 1'b0;
    no_sfd_o = 1'b0;
    cut      = bytes_q == 14'(MaxFrameBytes);
    unique case (state_q)
      StIdle, StPreamble: begin
        if (!dv_q) begin
          no_sfd_o = state_q == StPreamble;
          state_d  = StIdle;
        end else if (rxd_q == Sfd && !er_q) begin
          sfd     = room_i;
          lost_o  = !room_i;
          state_d = room_i ? StData : StSkip;
        end else if (rxd_q == Preamble && !er_q) begin
          state_d = StPreamble;
        end else begin
          no_sfd_o = 1'b1;
          state_d  = StSkip;
        end
      end
      StData: begin
        take = dv_q && !cut;
        if (!dv_q || cut) begin
          finish  = begun_q;
          state_d = dv_q ? StSkip : StIdle;
        end
      end
      StSkip: begin
        if (!dv_q) state_d = StIdle;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StSkip;  // after reset, skip the rest of a frame in progress
      held_q  <= '0;
      begun_q <= 1'b0;
      error_q <= 1'b0;
      tick_q  <= '0;
      bytes_q <= '0;
      shift_q <= '0;
    end else begin
      state_q <= state_d;
      if (sfd) begin
        tick_q  <= tick_i;
        held_q  <= '0;
        begun_q <= 1'b0;
        error_q <= 1'b0;
        bytes_q <= '0;
      end else if (take) begin
        begun_q <= 1'b1;
        error_q <= error_q || er_q;
        bytes_q <= bytes_q + 14'd1;
        held_q  <= held_q == 3'd4 ? 3'd1 : held_q + 3'd1;
        unique case (held_q)
          3'd1:    shift_q[23:16] <= rxd_q;
          3'd2:    shift_q[15:8]  <= rxd_q;
          3'd3:    shift_q[7:0]   <= rxd_q;
          default: shift_q        <= {rxd_q, 24'b0};
        endcase
      end
    end
  end

  crc32_d8 u_crc (
    .clk_i, .rst_ni, .clear_i(sfd), .init_i('1), .valid_i(take), .data_i(rxd_q), .crc_o(), .good_o(crc_good));

  // At most one of these is set in a clock: the stamp goes with the first byte, a full word with
  // the fifth.
  logic give_stamp, give_full;
  assign give_stamp = take && !begun_q;
  assign give_full  = take && held_q == 3'd4;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      word_valid_o <= 1'b0;
      word_o       <= '0;
      fcs_bad_o    <= 1'b0;
    end else begin
      word_valid_o <= give_stamp || give_full || finish;
      fcs_bad_o    <= finish && !crc_good;
      if (give_stamp) begin
        word_o <= '{tv: 1'b1, eop: 1'b0, bs: 2'd0, data: {24'b0, tick_q}};
      end else begin
        word_o <= '{tv: finish && (error_q || cut), eop: finish, bs: finish ? held_q[1:0] : 2'd0, data: shift_q};
      end
    end
  end

  // The words of a frame come in order: stamp, data, last.
  StampThenData: assert property (
    @(posedge clk_i) disable iff (!rst_ni) word_valid_o && word_o.tv && !word_o.eop |=> !(word_valid_o && word_o.tv && !word_o.eop));
  // A last word holds at least one byte.
  LastWordHasBytes: assert property (
    @(posedge clk_i) disable iff (!rst_ni) finish |-> held_q != 3'd0);

  // Corners that the test benches must meet.
  SeenLastOf4: cover property (@(posedge clk_i) disable iff (!rst_ni) word_valid_o && word_o.eop && !word_o.tv && word_o.bs == 2'd0);
  SeenLastOf1: cover property (@(posedge clk_i) disable iff (!rst_ni) word_valid_o && word_o.eop && !word_o.tv && word_o.bs == 2'd1);
  SeenLastOf2: cover property (@(posedge clk_i) disable iff (!rst_ni) word_valid_o && word_o.eop && !word_o.tv && word_o.bs == 2'd2);
  SeenLastOf3: cover property (@(posedge clk_i) disable iff (!rst_ni) word_valid_o && word_o.eop && !word_o.tv && word_o.bs == 2'd3);
  SeenErrorLastOf4: cover property (@(posedge clk_i) disable iff (!rst_ni) word_valid_o && word_o.eop && word_o.tv && word_o.bs == 2'd0);
  SeenErrorLastOf1: cover property (@(posedge clk_i) disable iff (!rst_ni) word_valid_o && word_o.eop && word_o.tv && word_o.bs == 2'd1);
  SeenErrorLastOf2: cover property (@(posedge clk_i) disable iff (!rst_ni) word_valid_o && word_o.eop && word_o.tv && word_o.bs == 2'd2);
  SeenErrorLastOf3: cover property (@(posedge clk_i) disable iff (!rst_ni) word_valid_o && word_o.eop && word_o.tv && word_o.bs == 2'd3);
  SeenOneByteFrame: cover property (@(posedge clk_i) disable iff (!rst_ni) finish && bytes_q == 14'd1);
  SeenCut: cover property (@(posedge clk_i) disable iff (!rst_ni) finish && cut);
  SeenLost: cover property (@(posedge clk_i) disable iff (!rst_ni) lost_o);
  SeenCarrierAlone: cover property (@(posedge clk_i) disable iff (!rst_ni) no_sfd_o);
  SeenFcsBad: cover property (@(posedge clk_i) disable iff (!rst_ni) fcs_bad_o);
  SeenFrameInSmallGap: cover property (@(posedge clk_i) disable iff (!rst_ni) word_valid_o && word_o.eop && sfd);
endmodule
