// SPDX-License-Identifier: Apache-2.0
// PAUSE frames out of the receive buffer's level (IEEE 802.3, annex 31B).
//
// At or above the high mark the far end is told to stop, and again after half of the time that it
// was told. At or below the low mark it may go on: XON says so, if that is wanted. One frame waits
// at most; a later one replaces it. The frame has 60 bytes, and the address that the station has as
// it begins; nic_mac_tx adds its FCS. TLM twin: models/net/mac/pause_watermark. Test:
// tests/rtl/nic/nic_pause_bench.py.
module nic_pause_tx
  import nic_pkg::*;
#(
  parameter int unsigned FillBits = 19
) (
  input  logic                clk_i,          // 156.25 MHz
  input  logic                rst_ni,
  input  logic                send_i,         // off: nothing is sent
  input  logic                xon_i,          // XON is sent
  input  logic [15:0]         quanta_i,       // of 512 bit times; not zero while send_i
  input  logic [FillBits-1:0] high_i,         // bytes
  input  logic [FillBits-1:0] low_i,          // bytes, not above high_i
  input  logic [FillBits-1:0] fill_i,         // bytes that wait in the receive buffer
  input  logic [47:0]         address_i,      // of the station, first byte in [7:0]
  output logic                word_valid_o,
  input  logic                word_ready_i,
  output word_t               word_o,
  output logic                word_xon_o,     // the frame is XON
  output logic                busy_o
);
  // Half of the pause: 4 words a quantum.
  localparam int unsigned TimeBits = 18;
  localparam logic [2:0]  LastWord = 3'd7;

  logic                holding_q, waits_q, waits_xon_q;
  logic [TimeBits-1:0] left_q;       // until the far end is told again
  logic [2:0]          place_q;      // of the word that is offered
  logic [15:0]         quanta_q;     // of the frame that has begun
  logic [31:0]         address_q;    // the rest of its address
  logic                ask, ask_xon, above, below, begins;

  assign above   = send_i && !holding_q && fill_i >= high_i;
  assign below   = send_i && holding_q && fill_i <= low_i && fill_i < high_i;
  assign ask     = above || (send_i && holding_q && !below && left_q == TimeBits'(1)) ||
                   (below && xon_i);
  assign ask_xon = below;
  assign begins  = word_valid_o && word_ready_i && place_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !send_i) begin
      holding_q   <= 1'b0;
      left_q      <= '0;
      waits_q     <= 1'b0;
      waits_xon_q <= 1'b0;
    end else begin
      if (above) holding_q <= 1'b1;
      if (below) holding_q <= 1'b0;
      if (ask && !ask_xon) left_q <= {quanta_i, 2'b0};
      else if (below) left_q <= '0;
      else if (left_q != '0) left_q <= left_q - TimeBits'(1);
      if (ask) begin
        waits_q     <= 1'b1;
        waits_xon_q <= ask_xon;
      end else if (begins) begin
        waits_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) place_q <= '0;
    else if (word_valid_o && word_ready_i) place_q <= place_q + 3'd1;
  end

  always_ff @(posedge clk_i) begin
    if (begins) begin
      quanta_q  <= waits_xon_q ? '0 : quanta_i;
      address_q <= address_i[47:16];
    end
  end

  // A frame that has begun goes out whole, whatever becomes of send_i.
  assign word_valid_o = waits_q || place_q != '0;
  assign word_xon_o   = waits_xon_q;
  assign busy_o       = word_valid_o || left_q != '0;

  always_comb begin
    word_o = '{last: place_q == LastWord, lanes: place_q == LastWord ? 3'd3 : 3'd7, data: '0};
    unique case (place_q)
      3'd0:    word_o.data = {address_i[15:0], PauseAddress};
      3'd1:    word_o.data = {swap16(OpcodePause), swap16(TypeControl), address_q};
      3'd2:    word_o.data = {48'b0, swap16(quanta_q)};
      default: word_o.data = '0;
    endcase
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // A frame that is in the middle has its words.
      GoesOutWhole: assert (place_q == '0 || word_valid_o);
      // The far end is told again only while it is held.
      ToldAgainWhileHeld: assert (!(send_i && left_q != '0) || holding_q);
    end
  end

  // Corners: told again, XON, XON left out, a waiting frame replaced, sending turned off.
  ToldAgain: cover property (
    @(posedge clk_i) disable iff (!rst_ni) ask && !above && !ask_xon);
  SendsXon: cover property (@(posedge clk_i) disable iff (!rst_ni) below && xon_i);
  LeavesOutXon: cover property (@(posedge clk_i) disable iff (!rst_ni) below && !xon_i);
  Replaced: cover property (@(posedge clk_i) disable iff (!rst_ni) ask && waits_q && !begins);
  TurnedOff: cover property (@(posedge clk_i) disable iff (!rst_ni) !send_i && holding_q);
  TurnedOffWithin: cover property (
    @(posedge clk_i) disable iff (!rst_ni) !send_i && place_q != '0);
endmodule
