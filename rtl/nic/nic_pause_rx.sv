// SPDX-License-Identifier: Apache-2.0
// MAC control frames that come in (IEEE 802.3, clause 31 and annex 31B): PAUSE holds the
// transmitter.
//
// It sees the words of each frame and says of what sort the frame is, from the clock after its
// third word until the next frame's second. If good_i says that the frame was whole, a PAUSE frame
// to the group address or to the station sets the time of the pause. A later one replaces it, and
// zero ends it. The transmitter is held from the clock after good_i. TLM twin: models/net/mac.
// Test: tests/rtl/nic/nic_pause_bench.py.
module nic_pause_rx
  import nic_pkg::*;
(
  input  logic        clk_i,          // 156.25 MHz
  input  logic        rst_ni,
  input  logic        honour_i,       // PAUSE holds the transmitter
  input  logic [47:0] address_i,      // of the station, first byte in [7:0]
  input  logic        word_valid_i,
  input  word_t       word_i,
  input  logic        good_i,         // one clock: the frame that ended was of right size and FCS
  output logic        control_o,      // it is a MAC control frame,
  output logic        pause_o,        // and a PAUSE frame to this station
  output logic        xon_o,          // whose time is zero
  output logic        paused_o
);
  // A quantum is 512 bit times: 8 words.
  localparam int unsigned TimeBits = 19;

  logic [1:0]          place_q;    // of the word in the frame, up to 3
  logic                to_us_q, control_q, pause_q;
  logic [15:0]         quanta_q;
  logic [TimeBits-1:0] left_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      place_q   <= '0;
      to_us_q   <= 1'b0;
      control_q <= 1'b0;
      pause_q   <= 1'b0;
      quanta_q  <= '0;
    end else if (word_valid_i) begin
      place_q <= word_i.last ? 2'd0 : (place_q == 2'd3 ? 2'd3 : place_q + 2'd1);
      unique case (place_q)
        2'd0: to_us_q <= word_i.data[47:0] == PauseAddress || word_i.data[47:0] == address_i;
        2'd1: begin
          control_q <= swap16(word_i.data[47:32]) == TypeControl;
          pause_q   <= to_us_q && swap16(word_i.data[47:32]) == TypeControl &&
                       swap16(word_i.data[63:48]) == OpcodePause;
        end
        2'd2:    quanta_q <= swap16(word_i.data[15:0]);
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !honour_i) left_q <= '0;
    else if (good_i && pause_q) left_q <= {quanta_q, 3'b0};
    else if (paused_o) left_q <= left_q - TimeBits'(1);
  end

  assign control_o = control_q;
  assign pause_o   = pause_q;
  assign xon_o     = quanta_q == '0;
  assign paused_o  = left_q != '0;

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // PAUSE is MAC control.
      PauseIsControl: assert (!pause_q || control_q);
    end
  end

  // Corners: a pause replaces one, a pause is ended, control that is no PAUSE, PAUSE for another.
  Replaces: cover property (
    @(posedge clk_i) disable iff (!rst_ni) good_i && pause_q && paused_o && quanta_q != '0);
  Ends: cover property (
    @(posedge clk_i) disable iff (!rst_ni) good_i && pause_q && paused_o && quanta_q == '0);
  OtherControl: cover property (
    @(posedge clk_i) disable iff (!rst_ni) good_i && control_q && !pause_q);
  NotHonoured: cover property (
    @(posedge clk_i) disable iff (!rst_ni) good_i && pause_q && !honour_i);
endmodule
