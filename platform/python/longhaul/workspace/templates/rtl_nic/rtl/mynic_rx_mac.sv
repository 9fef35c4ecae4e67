// SPDX-License-Identifier: Apache-2.0
// Receives frames from GMII, in the line partner's clock: finds them, checks the FCS, packs words.
//
// The FCS is taken off. The first byte is in lane RxPad of the first word. A frame's last
// word has `last` set, the judgement, and the bytes that are left, 0 to 7. Nothing is
// dropped here but what has no start delimiter.
module mynic_rx_mac
  import mynic_pkg::*;
(
  input  logic       clk_i,      // of the line partner
  input  logic       rst_ni,
  input  logic [7:0] rxd_i,
  input  logic       rx_dv_i,
  input  logic       rx_er_i,
  output logic       word_valid_o,
  output rxword_t    word_o
);
  typedef enum logic [1:0] {StIdle, StPreamble, StData, StSkip} state_e;
  state_e state_q, state_d;

  logic [7:0]  rxd_q;
  logic        dv_q, er_q;
  logic [31:0] delay_q;     // the last four bytes: an FCS, if the frame ends now
  logic [2:0]  delayed_q;   // bytes in there
  logic [63:0] data_q, data;
  logic [2:0]  lane_q;      // next lane to fill
  logic [31:0] crc_q;
  logic        error_q;
  logic        take, fill, finish;

  always_ff @(posedge clk_i) begin
    rxd_q <= rxd_i;
    dv_q  <= rx_dv_i;
    er_q  <= rx_er_i;
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle, StPreamble: begin
        if (!dv_q) state_d = StIdle;
        else if (rxd_q == Sfd && !er_q) state_d = StData;
        else if (rxd_q == Preamble && !er_q) state_d = StPreamble;
        else state_d = StSkip;
      end
      StData: if (!dv_q) state_d = StIdle;
      default: if (!dv_q) state_d = StIdle;
    endcase
  end

  assign take   = state_q == StData && dv_q;
  assign fill   = take && delayed_q == 3'd4;
  assign finish = state_q == StData && !dv_q;

  always_comb begin
    data = data_q;
    data[8*lane_q+:8] = delay_q[31:24];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= StSkip;  // not in the middle of a frame
      delayed_q    <= '0;
      lane_q       <= 3'(RxPad);
      crc_q        <= CrcInit;
      error_q      <= 1'b0;
      word_valid_o <= 1'b0;
    end else begin
      state_q      <= state_d;
      word_valid_o <= finish || (fill && lane_q == 3'd7);
      if (take) begin
        crc_q   <= crc32(crc_q, rxd_q);
        error_q <= error_q || er_q;
        if (delayed_q != 3'd4) delayed_q <= delayed_q + 3'd1;
        if (fill) lane_q <= lane_q + 3'd1;
      end else begin
        delayed_q <= '0;
        lane_q    <= 3'(RxPad);
        crc_q     <= CrcInit;
        error_q   <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) delay_q <= {delay_q[23:0], rxd_q};
    if (fill) data_q <= data;
    word_o <= '{last: finish, fcs_bad: crc_q != CrcResidue, error: error_q, lanes: lane_q,
                data: finish ? data_q : data};
  end
endmodule
