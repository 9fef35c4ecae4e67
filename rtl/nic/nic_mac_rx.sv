// SPDX-License-Identifier: Apache-2.0
// Frames out of XGMII of 64 bits (IEEE 802.3, clause 46): aligned, with their FCS checked.
//
// A frame begins behind a Start in lane 0 or 4 and seven bytes, the last of which is the
// start-of-frame delimiter; without it there is no frame. It ends at a Terminate. An error character
// within marks it. Any other control character ends it and marks it. A frame that is longer than
// MaxFrameBytes is cut there and marked. The rest of it is lost.
//
// Latency: a word leaves two or three clocks after its last byte came. Order is kept. There is no
// back-pressure. TLM twin: models/net/mac. Test: tests/rtl/nic/nic_line_bench.py.
module nic_mac_rx
  import nic_pkg::*;
(
  input  logic        clk_i,           // 156.25 MHz of the far end
  input  logic        rst_ni,
  input  logic [63:0] xgmii_rxd_i,     // lane 0 in [7:0]
  input  logic [7:0]  xgmii_rxc_i,     // the lane has a control character
  output logic        word_valid_o,
  output line_word_t  word_o,
  output logic        busy_o           // a frame is coming
);
  localparam logic [7:0]  Sfd      = 8'hD5;
  localparam int unsigned WordBits = $clog2(MaxFrameBytes / 8 + 1);
  // The longest frame has so many whole words, and seven bytes more.
  localparam logic [WordBits-1:0] WholeWords = WordBits'(MaxFrameBytes / 8);

  // The line's words, seen from the lane in which the frame began.
  logic [63:0] last_d_q, data, data_high;
  logic [7:0]  last_c_q, control, control_high;
  logic        high_q, starts_low, starts_high;

  assign data_high    = {xgmii_rxd_i[31:0], last_d_q[63:32]};
  assign control_high = {xgmii_rxc_i[3:0], last_c_q[7:4]};
  assign data         = high_q ? data_high : last_d_q;
  assign control      = high_q ? control_high : last_c_q;

  assign starts_low  = last_c_q == 8'h01 && last_d_q[7:0] == XgmiiStart &&
                       last_d_q[63:56] == Sfd;
  assign starts_high = control_high == 8'h01 && data_high[7:0] == XgmiiStart &&
                       data_high[63:56] == Sfd;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      last_d_q <= XgmiiIdles;
      last_c_q <= '1;
    end else begin
      last_d_q <= xgmii_rxd_i;
      last_c_q <= xgmii_rxc_i;
    end
  end

  // Where the frame ends in this word: the first lane with a control character that is no error.
  logic       ends, proper, marked;
  logic [2:0] at;

  always_comb begin
    ends   = 1'b0;
    proper = 1'b0;
    marked = 1'b0;
    at     = '0;
    for (int unsigned lane = 0; lane < 8; lane++) begin
      if (control[lane] && !ends) begin
        if (data[8*lane+:8] == XgmiiError) begin
          marked = 1'b1;
        end else begin
          ends   = 1'b1;
          proper = data[8*lane+:8] == XgmiiTerminate;
          at     = 3'(lane);
        end
      end
    end
  end

  // A word waits in word_q until the next one tells whether the frame goes on behind it. With it
  // wait the error, the CRC and the number of words of its frame so far.
  typedef enum logic [1:0] {StIdle, StFrame, StCut} state_e;
  state_e              state_q, state_d;
  word_t               word_q, word_d;
  logic                held_q, error_q, fresh_q;  // fresh: no word of the frame was taken
  logic [31:0]         crc_q, crc_d;
  logic [WordBits-1:0] count_q;
  logic                begins, take, too_long;

  assign begins   = (state_q == StIdle || ends) && (starts_low || starts_high);
  assign take     = state_q == StFrame && !(ends && at == '0);
  assign too_long = !fresh_q && count_q == WholeWords && !ends;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  state_d = StIdle;
      StFrame: if (ends) state_d = StIdle; else if (too_long) state_d = StCut;
      StCut:   if (ends) state_d = StIdle;
      default: state_d = StIdle;
    endcase
    if (begins) state_d = StFrame;
  end

  always_comb begin
    word_d.last  = ends || too_long;
    word_d.lanes = ends ? at - 3'd1 : (too_long ? 3'd6 : 3'd7);
    word_d.data  = data & ~({64{1'b1}} << 6'd8 << {word_d.lanes, 3'b0});
  end

  crc32_d64 u_crc (
    .crc_i(fresh_q ? CrcInit : crc_q), .lanes_i(word_d.lanes), .data_i(word_d.data),
    .crc_o(crc_d));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      held_q  <= 1'b0;
      fresh_q <= 1'b0;
      high_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      held_q  <= take;
      if (begins) begin
        high_q  <= starts_high;
        fresh_q <= 1'b1;
      end else if (take) begin
        fresh_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      error_q <= (error_q && !fresh_q) || marked || too_long || (ends && !proper);
      count_q <= fresh_q ? WordBits'(1) : count_q + WordBits'(1);
      crc_q   <= crc_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) word_q <= word_d;
  end

  assign word_valid_o    = held_q;
  assign word_o.word     = '{last: word_q.last || (state_q == StFrame && ends && at == '0),
                             lanes: word_q.lanes, data: word_q.data};
  assign word_o.error    = error_q || (!word_q.last && !proper);
  assign word_o.fcs_bad  = crc_q != CrcResidue;
  assign busy_o          = state_q != StIdle || held_q;

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // A frame is not longer than the longest, and its count has not wrapped to 0.
      NotTooLong: assert (!(take && !fresh_q) || count_q - WordBits'(1) < WholeWords);
      // A word that does not end its frame has eight bytes.
      WholeWithin: assert (!(word_valid_o && !word_o.word.last) || word_o.word.lanes == 3'd7);
      // Outside of a frame a word leaves only to end one.
      EndsBeforeIdle: assert (!(word_valid_o && state_q != StFrame) || word_o.word.last);
    end
  end

  // Corners: both starts, an end in the first lane and in the last, a frame cut, errors. A frame
  // without its delimiter. A start right where a frame is broken off.
  StartsLow: cover property (@(posedge clk_i) disable iff (!rst_ni) begins && starts_low);
  StartsHigh: cover property (@(posedge clk_i) disable iff (!rst_ni) begins && starts_high);
  EndsAtFirstLane: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StFrame && proper && at == '0);
  EndsAtLastLane: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StFrame && proper && at == '1);
  Cut: cover property (@(posedge clk_i) disable iff (!rst_ni) take && too_long);
  Marked: cover property (@(posedge clk_i) disable iff (!rst_ni) take && marked);
  BrokenOff: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StFrame && ends && !proper);
  BeginsWhereOneBreaksOff: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StFrame && begins);
  NoDelimiter: cover property (
    @(posedge clk_i) disable iff (!rst_ni)
    state_q == StIdle && last_c_q == 8'h01 && last_d_q[7:0] == XgmiiStart && !begins);
endmodule
