// SPDX-License-Identifier: Apache-2.0
// GMII transmitter: preamble, start delimiter, the bytes of the words, a gap of at least ifg_i
// bytes.
//
// If fcs_new_i is low, a frame keeps its FCS. If it is high, a new FCS replaces the last four
// bytes. Meta words (tag tv) before a frame hold a GPS time. It replaces the eight bytes after the
// magic number at offset_i. The FCS is then corrected by the CRC of the change, so a bad FCS stays
// bad.
//
// The preamble starts StartDelayClocks after the first word is valid. This slack covers a slower
// sender and the clock crossings. A word that is not valid in time ends the frame with TX_ER.
//
// TLM twin: models/wan/gnet1.
module gnet1_mac_tx
  import gnet1_pkg::*;
#(
  parameter int unsigned StartDelayClocks = 8  // 8 ns each
) (
  input  logic        clk_i,           // 125 MHz
  input  logic        rst_ni,
  input  logic        word_valid_i,
  output logic        word_ready_o,
  input  word_t       word_i,
  input  logic [5:0]  ifg_i,           // bytes, 8 or more
  input  logic        fcs_new_i,
  input  logic [13:0] offset_i,        // bytes from the destination address to the magic number
  input  logic [31:0] magic_i,

  output logic [7:0]  txd_o,
  output logic        tx_en_o,
  output logic        tx_er_o,
  output logic        frame_o,         // one clock per frame sent whole
  output logic        underrun_o       // one clock per frame cut because its next word was late
);
  typedef enum logic [1:0] {StIdle, StFrame, StAbort} state_e;
  state_e state_q, state_d;

  localparam int unsigned PreambleBytes = 8;
  localparam int unsigned FeedAt        = PreambleBytes - 4;  // bytes pass through four registers

  typedef struct packed {
    logic       valid;
    logic       last;
    logic       error;
    logic [7:0] data;
  } byte_t;

  byte_t [3:0] line_q;      // line_q[3] leaves next
  byte_t       feed;
  logic  [3:0] count_q;     // clocks since the frame's start, up to PreambleBytes
  logic  [5:0] gap_q;
  logic  [4:0] age_q;       // clocks since the frame's first word was valid
  logic  [1:0] lane_q;
  logic        fed_q;       // the last byte is in line_q
  logic        start, feeding, last_lane, meta_word, late, out_frame, leaving_last;
  logic [63:0] gps_q;
  logic        gps_valid_q;

  assign meta_word    = word_valid_i && is_stamp(word_i);
  assign last_lane    = lane_q == 2'(valid_bytes(word_i) - 3'd1);
  assign feeding      = state_q == StFrame && count_q >= 4'(FeedAt) && !fed_q;
  assign late         = feeding && !word_valid_i;
  assign out_frame    = state_q == StFrame && count_q == 4'(PreambleBytes);
  assign leaving_last = out_frame && line_q[3].valid && line_q[3].last;

  always_comb begin
    state_d      = state_q;
    start        = 1'b0;
    word_ready_o = 1'b0;
    underrun_o   = 1'b0;
    unique case (state_q)
      StIdle: begin
        word_ready_o = meta_word;
        start        = word_valid_i && !meta_word && gap_q == '0 && age_q == 5'(StartDelayClocks);
        if (start) state_d = StFrame;
      end
      StFrame: begin
        word_ready_o = feeding && word_valid_i && last_lane;
        underrun_o   = late;
        if (late) state_d = StAbort;
        else if (leaving_last) state_d = StIdle;
      end
      StAbort: begin
        word_ready_o = 1'b1;
        if (word_valid_i && word_i.eop) state_d = StIdle;
      end
      default: state_d = StIdle;
    endcase
  end

  always_comb begin
    feed = '0;
    if (feeding && word_valid_i) begin
      feed.valid = 1'b1;
      feed.last  = word_i.eop && last_lane;
      feed.error = word_i.tv && word_i.eop && last_lane;
      unique case (lane_q)
        2'd0: feed.data = word_i.data[31:24];
        2'd1: feed.data = word_i.data[23:16];
        2'd2: feed.data = word_i.data[15:8];
        2'd3: feed.data = word_i.data[7:0];
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= StIdle;
      count_q     <= '0;
      gap_q       <= '0;
      age_q       <= '0;
      lane_q      <= '0;
      fed_q       <= 1'b0;
      line_q      <= '0;
      gps_q       <= '0;
      gps_valid_q <= 1'b0;
    end else begin
      state_q <= state_d;
      // The gap counts from the last byte on the pins, which are one register later. tx_en is low
      // for ifg_i clocks.
      if (state_q != StIdle) gap_q <= ifg_i - 6'd1;
      else if (gap_q != '0) gap_q <= gap_q - 6'd1;
      // Age of the first word.
      if (state_q != StIdle || !word_valid_i || meta_word) age_q <= '0;
      else if (age_q != 5'(StartDelayClocks)) age_q <= age_q + 5'd1;
      // Meta words: seconds, then 100 ns.
      if (state_q == StIdle && meta_word) begin
        gps_q       <= {gps_q[31:0], word_i.data};
        gps_valid_q <= 1'b1;
      end else if (state_q != StIdle && state_d == StIdle) begin
        gps_valid_q <= 1'b0;
      end
      if (start) begin
        count_q <= 4'd0;
        lane_q  <= '0;
        fed_q   <= 1'b0;
      end else if (state_q == StFrame) begin
        if (count_q != 4'(PreambleBytes)) count_q <= count_q + 4'd1;
        if (feed.valid) begin
          lane_q <= last_lane ? 2'd0 : lane_q + 2'd1;
          fed_q  <= feed.last;
        end
      end
      line_q <= state_q == StFrame && !late ? {line_q[2:0], feed} : '0;
    end
  end

  // Stamping: the four bytes before position offset_i + 4 must be the magic number.
  logic [13:0] position_q;   // of the byte in line_q[3]
  logic [31:0] recent_q;     // the four bytes before it
  logic [3:0]  stamping_q;   // bytes of the stamp that remain to be written
  logic        stamp_here, is_fcs, magic_seen;
  logic [3:0]  stamp_left;
  logic [7:0]  old_byte, new_byte, fcs_byte, crc_byte;
  logic [31:0] crc;
  logic [1:0]  fcs_index;

  assign is_fcs     = line_q[3].last || line_q[2].last || line_q[1].last || line_q[0].last;
  assign magic_seen = gps_valid_q && position_q == offset_i + 14'd4 && recent_q == magic_i;
  assign stamp_left = magic_seen ? 4'd8 : stamping_q;
  assign stamp_here = out_frame && line_q[3].valid && !is_fcs && stamp_left != '0;
  assign old_byte   = line_q[3].data;
  assign new_byte   = stamp_here ? gps_q[8*(3'(stamp_left - 4'd1)) +: 8] : old_byte;

  always_comb begin
    fcs_index = 2'd3;
    for (int unsigned stage = 0; stage < 4; stage++) begin
      if (line_q[stage].last) fcs_index = 2'(stage);
    end
    crc_byte = crc[8*fcs_index +: 8];
    fcs_byte = fcs_new_i ? ~crc_byte : old_byte ^ crc_byte;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start) begin
      position_q <= '0;
      recent_q   <= '0;
      stamping_q <= '0;
    end else if (out_frame && line_q[3].valid) begin
      position_q <= position_q + 14'd1;
      recent_q   <= {recent_q[23:0], old_byte};
      stamping_q <= stamp_here ? stamp_left - 4'd1 : '0;
    end
  end

  crc32_d8 u_crc (
    .clk_i, .rst_ni, .clear_i(start), .init_i({32{fcs_new_i}}), .valid_i(out_frame && line_q[3].valid && !is_fcs),
    .data_i(fcs_new_i ? new_byte : new_byte ^ old_byte), .crc_o(crc), .good_o());

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      txd_o   <= '0;
      tx_en_o <= 1'b0;
      tx_er_o <= 1'b0;
      frame_o <= 1'b0;
    end else begin
      tx_en_o <= state_q == StFrame;
      tx_er_o <= late || (out_frame && line_q[3].error);
      frame_o <= leaving_last;
      if (state_q != StFrame) txd_o <= '0;
      else if (!out_frame) txd_o <= count_q == 4'(PreambleBytes - 1) ? 8'hD5 : 8'h55;
      else txd_o <= is_fcs ? fcs_byte : new_byte;
    end
  end

  // The bytes of a frame follow each other without a break.
  NoHoleInFrame: assert property (
    @(posedge clk_i) disable iff (!rst_ni) out_frame && !late |-> line_q[3].valid);
  // Frames keep the gap that is set.
  GapIsKept: assert property (
    @(posedge clk_i) disable iff (!rst_ni) start |-> gap_q == '0);

  // Corners that the test benches must meet.
  SeenGapWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) state_q == StIdle && age_q == 5'(StartDelayClocks) && gap_q != '0);
  SeenErrorSent: cover property (@(posedge clk_i) disable iff (!rst_ni) leaving_last && line_q[3].error);
  SeenMagic: cover property (@(posedge clk_i) disable iff (!rst_ni) out_frame && magic_seen);
  SeenStampWithoutMagic: cover property (@(posedge clk_i) disable iff (!rst_ni) leaving_last && gps_valid_q && stamping_q == '0);
  SeenFreshFcs: cover property (@(posedge clk_i) disable iff (!rst_ni) leaving_last && fcs_new_i);
  SeenShortFrame: cover property (
    @(posedge clk_i) disable iff (!rst_ni) out_frame && line_q[3].last && position_q == '0);
endmodule
