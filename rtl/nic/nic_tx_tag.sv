// SPDX-License-Identifier: Apache-2.0
// Inserts a VLAN tag into a stream of words of frames: bytes 12 to 15.
//
// A word comes out a clock after it went in, and stays until it is taken. A frame without a tag
// passes as it is. A tag costs a clock if it makes the frame a word longer.
// TLM twin: TxPacket::insert_tag of models/nic/intel.
module nic_tx_tag
  import nic_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        in_valid_i,
  output logic        in_ready_o,
  input  word_t       in_word_i,
  input  logic        in_first_i,   // a frame's first word
  input  logic        in_vlan_i,  // a frame that has 14 bytes or more gets a tag
  input  logic [15:0] in_tag_i,
  output logic        out_valid_o,
  input  logic        out_ready_i,
  output word_t       out_word_o
);
  logic        valid_q;
  word_t       word_q, word_d;
  logic [31:0] carry_q;   // bytes that the tag put off
  logic        second_q;  // the next word has bytes 8 to 15
  logic        rest_q;    // the bytes put off are the frame's last
  logic [1:0]  lanes_q;   // of them
  logic        free, take, shift, more;

  assign free       = !valid_q || out_ready_i;
  assign in_ready_o = free && !rest_q;
  assign take       = in_valid_i && in_ready_o;
  assign shift      = in_vlan_i && !in_first_i;
  assign more       = shift && in_word_i.last && in_word_i.lanes[2];

  always_comb begin
    word_d = in_word_i;
    if (rest_q) begin
      word_d = '{last: 1'b1, lanes: {1'b0, lanes_q}, data: {32'b0, carry_q}};
    end else if (shift) begin
      word_d.last  = in_word_i.last && !more;
      word_d.lanes = word_d.last ? in_word_i.lanes + 3'd4 : 3'd7;
      word_d.data  = second_q
          ? {swap16(in_tag_i), swap16(TypeVlan), in_word_i.data[31:0]}
          : {in_word_i.data[31:0], carry_q};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      word_q   <= '0;
      carry_q  <= '0;
      second_q <= 1'b0;
      rest_q   <= 1'b0;
      lanes_q  <= '0;
    end else if (take || (rest_q && free)) begin
      valid_q  <= 1'b1;
      word_q   <= word_d;
      carry_q  <= in_word_i.data[63:32];
      second_q <= in_first_i;
      rest_q   <= take && more;
      lanes_q  <= in_word_i.lanes[1:0];
    end else if (free) begin
      valid_q  <= 1'b0;
    end
  end

  assign out_valid_o = valid_q;
  assign out_word_o  = word_q;

  // A word stays until it is taken.
  stream_rules #(.Width($bits(out_word_o))) u_word_rules (
    .clk_i, .rst_ni, .valid_i(out_valid_o), .ready_i(out_ready_i), .payload_i(out_word_o));
  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // A frame with a tag has the two words that it goes between.
      TagHasPlace: assert (!(take && in_first_i && in_vlan_i) || !in_word_i.last);
    end
  end

  // Corners: a tag that makes the frame a word longer, one that does not, one in a short frame.
  SeenLonger: cover property (@(posedge clk_i) disable iff (!rst_ni) take && more && !second_q);
  SeenSameWords: cover property (@(posedge clk_i) disable iff (!rst_ni)
    take && shift && in_word_i.last && !more);
  SeenInLastWord: cover property (@(posedge clk_i) disable iff (!rst_ni) take && more && second_q);
  SeenStall: cover property (@(posedge clk_i) disable iff (!rst_ni) out_valid_o && !out_ready_i);
endmodule
