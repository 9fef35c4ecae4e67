// SPDX-License-Identifier: Apache-2.0
// Takes the data of pieces as they come from host memory, and makes words of frames of them.
//
// The pieces are those of nic_tx_segment, in order; each finds the descriptor that it is of at the
// head of the descriptors that wait. A descriptor is given back when its last piece is here. A
// segment's header goes into the buffer behind its payload, when its length is known; the word that
// holds bytes of both is kept until then. Words come out a clock after the data.
//
// Clocks: one for each word of host memory that a span touches. Lost: one a frame whose last bytes
// need a word of their own, one for a descriptor without data, one for each word of a segment's
// header. An error of the bus drops the frame; in a header it drops all the segments behind.
// TLM twin: TxUnit::dma_done of models/nic/intel, TxPacket::finish.
module nic_tx_data
  import nic_pkg::*;
  import nic_tx_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // Pieces, and the descriptor that the first one is of.
  input  logic        piece_valid_i,
  input  tx_piece_t   piece_i,
  output logic        piece_take_o,
  input  descriptor_t desc_i,
  output logic        done_o,        // the descriptor's data are here
  // From nic_read.
  input  logic        data_valid_i,
  output logic        data_ready_o,
  input  read_word_t  data_i,
  // Words of frames.
  output logic        item_valid_o,
  output tx_item_t    item_o,
  output logic        busy_o
);
  typedef enum logic {StData, StHeader} state_e;

  // What the packet's first descriptor says.
  typedef struct packed {
    logic        segment;
    logic        ip_sum;
    logic        l4_sum;
    logic        vlan;
    logic [15:0] tag;
  } packet_t;

  tx_data_t    data;
  tx_context_t context_q;
  packet_t     packet, packet_q;
  state_e      state_q, state_d;
  logic        piece_take;

  assign data = desc_i;
  always_comb begin
    packet = packet_q;
    if (piece_i.first) begin
      packet = '{segment: data.command[CmdTse], ip_sum: data.options[OptIxsm],
                 l4_sum: data.options[OptTxsm], vlan: piece_i.vlan, tag: data.vlan_tag};
    end
  end

  // Bytes to words.
  logic        from_header, to_frame, to_header;
  logic        pack_valid, pack_ready, out_valid, out_none, out_last;
  logic [63:0] out_data;

  assign to_frame     = piece_i.target == ToFrame;
  assign to_header    = piece_i.target == ToHeader;
  assign from_header  = to_frame && packet.segment;
  assign pack_valid   = piece_valid_i && state_q == StData &&
                        (piece_i.empty ? piece_i.close : data_valid_i);
  assign data_ready_o = piece_valid_i && state_q == StData && !piece_i.empty && pack_ready;

  nic_pack u_pack (
    .clk_i, .rst_ni,
    .start_i(from_header ? context_q.header_bytes[2:0] : 3'd0),
    .in_valid_i(pack_valid), .in_ready_o(pack_ready), .in_none_i(piece_i.empty),
    .in_last_i(piece_i.close && (piece_i.empty || data_i.last)),
    .in_first_i(data_i.first), .in_lanes_i(data_i.lanes), .in_data_i(data_i.data),
    .out_valid_o(out_valid), .out_ready_i(1'b1), .out_none_o(out_none), .out_last_o(out_last),
    .out_data_o(out_data));

  // The words' places; the word that a header and its segment's payload share.
  logic        begin_q, shared, word;
  place_t      index, index_q;
  logic [63:0] shared_q;

  assign index  = !begin_q ? index_q : from_header ? place_t'(context_q.header_bytes[7:3]) : '0;
  assign word   = out_valid && !out_none;
  assign shared = word && begin_q && from_header && context_q.header_bytes[2:0] != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begin_q  <= 1'b1;
      index_q  <= '0;
      shared_q <= '0;
    end else if (out_valid) begin
      begin_q <= out_last;
      index_q <= index + place_t'(1);
      if (shared) shared_q <= out_data;
    end
  end

  // The header, in front of a segment.
  logic [4:0]  header_q, header_last;
  logic [15:0] segment_q;
  logic [19:0] offset_q;
  logic [63:0] header_data, header_ip_data, header_mask;
  logic        header_ends;

  nic_tx_header u_header (
    .clk_i, .rst_ni, .context_i(context_q),
    .wr_valid_i(word && to_header), .wr_index_i(index[4:0]), .wr_data_i(out_data),
    .rd_valid_i(state_q == StHeader), .rd_index_i(header_q), .bytes_i(piece_i.bytes),
    .segment_i(segment_q), .offset_i(offset_q), .last_i(piece_i.last),
    .data_o(header_data), .ip_data_o(header_ip_data));

  assign header_last = 5'((9'(context_q.header_bytes) + 9'd7) >> 3) - 5'd1;
  assign header_ends = state_q == StHeader && header_q == header_last;
  // The lanes of a header's last word that hold payload.
  assign header_mask = header_ends && context_q.header_bytes[2:0] != '0
                       ? ~64'b0 << {context_q.header_bytes[2:0], 3'b0} : '0;

  always_comb begin
    state_d    = state_q;
    piece_take = 1'b0;
    unique case (state_q)
      StData: begin
        if (piece_i.close) begin
          if (out_valid && out_last) begin
            if (from_header) state_d = StHeader;
            else piece_take = 1'b1;
          end
        end else begin
          piece_take = piece_valid_i &&
                       (piece_i.empty || (data_valid_i && data_ready_o && data_i.last));
        end
      end
      StHeader: begin
        if (header_ends) begin
          piece_take = 1'b1;
          state_d    = StData;
        end
      end
    endcase
  end

  assign piece_take_o = piece_take;
  assign done_o       = piece_take && piece_i.done;

  // Errors of the bus: in the frame, and in the header of the super-frame.
  logic error, bad_q, header_bad_q, frame_ends;
  assign error      = data_valid_i && data_ready_o && data_i.error;
  assign frame_ends = piece_take && to_frame && piece_i.close;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= StData;
      context_q    <= '0;
      packet_q     <= '0;
      header_q     <= '0;
      segment_q    <= '0;
      offset_q     <= '0;
      bad_q        <= 1'b0;
      header_bad_q <= 1'b0;
    end else if (piece_valid_i) begin
      state_q <= state_d;
      if (piece_take && piece_i.sets_context) context_q <= desc_i;
      if (piece_i.first) packet_q <= packet;
      if (state_q == StHeader) header_q <= header_ends ? '0 : header_q + 5'd1;
      if (piece_i.first) begin
        segment_q <= '0;
        offset_q  <= '0;
      end else if (frame_ends) begin
        segment_q <= segment_q + 16'd1;
        offset_q  <= offset_q + 20'(context_q.mss);
      end
      if (frame_ends) bad_q <= 1'b0;
      else if (error && to_frame) bad_q <= 1'b1;
      if (done_o && data.command[CmdEop]) header_bad_q <= 1'b0;
      else if (error && to_header) header_bad_q <= 1'b1;
    end
  end

  // What comes out.
  tx_item_t item_d, item_q;
  logic     item_valid_d, item_valid_q;
  logic     udp;
  // A context does not name the protocol of a packet that is not cut; the checksum's place does.
  assign udp = packet.segment ? !context_q.command[CmdEop]
                              : 9'(context_q.l4_field) == 9'(context_q.l4_start) + 9'd6;
  assign item_valid_d = (word && to_frame && !shared) || state_q == StHeader || frame_ends;

  always_comb begin
    item_d = item_q;
    if (item_valid_d) begin
      item_d.word    = (word && !shared) || state_q == StHeader;
      item_d.index   = state_q == StHeader ? place_t'(header_q) : index;
      item_d.data    = out_data;
      item_d.ip_data = out_data;
      if (state_q == StHeader) begin
        item_d.data    = (header_data & ~header_mask) | (shared_q & header_mask);
        item_d.ip_data = (header_ip_data & ~header_mask) | (shared_q & header_mask);
      end
      item_d.close   = frame_ends;
      item_d.drop    = piece_i.drop || bad_q || (error && to_frame) || header_bad_q ||
                       piece_i.bytes < length_t'(MinSendBytes);
      item_d.bytes   = piece_i.bytes;
      item_d.vlan    = packet.vlan;
      item_d.tag     = packet.tag;
      item_d.sums    = '{ip: packet.ip_sum && (!packet.segment || context_q.command[CmdIp]),
                         l4: packet.l4_sum, udp: udp, length: packet.segment,
                         l4_span: {context_q.l4_end, context_q.l4_field, context_q.l4_start},
                         ip_span: {context_q.ip_end, context_q.ip_field, context_q.ip_start}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      item_valid_q <= 1'b0;
      item_q       <= '0;
    end else begin
      item_valid_q <= item_valid_d;
      item_q       <= item_d;
    end
  end

  assign item_valid_o = item_valid_q;
  assign item_o       = item_q;
  assign busy_o       = piece_valid_i || item_valid_q;

  logic unused_parts;
  assign unused_parts = ^{data.status, data.command, data.kind, data.bytes, data.addr,
                          data.options, context_q.status, context_q.command, context_q.kind,
                          context_q.payload_bytes};

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // Data come for a piece that asked for them.
      DataWasAskedFor: assert (!data_valid_i || piece_valid_i);
      // Only what has a target closes it.
      CloseHasTarget: assert (!(piece_valid_i && piece_i.close) || to_frame || to_header);
      // A frame's words and its length agree: the last word that came holds its last byte.
      LengthAgrees: assert (
        !(frame_ends && !packet.segment) || ((word ? index : index_q - place_t'(1)) ==
        words_of(piece_i.bytes) - place_t'(1)));
    end
  end

  // Corners: an end without data; errors in data, in the last word, and in headers.
  SeenEndWithoutData: cover property (@(posedge clk_i) disable iff (!rst_ni)
    piece_take && piece_i.empty && piece_i.close);
  SeenEndWithoutWord: cover property (@(posedge clk_i) disable iff (!rst_ni)
    frame_ends && item_valid_d && !item_d.word);
  SeenError: cover property (@(posedge clk_i) disable iff (!rst_ni) error && to_frame);
  SeenErrorAtEnd: cover property (@(posedge clk_i) disable iff (!rst_ni) error && frame_ends);
  SeenHeaderError: cover property (@(posedge clk_i) disable iff (!rst_ni) error && to_header);
  SeenSharedWord: cover property (@(posedge clk_i) disable iff (!rst_ni) shared && !out_last);
  SeenSharedWordOnly: cover property (@(posedge clk_i) disable iff (!rst_ni) shared && out_last);
  SeenWholeHeaderWords: cover property (@(posedge clk_i) disable iff (!rst_ni)
    header_ends && header_mask == '0);
  SeenTooShort: cover property (@(posedge clk_i) disable iff (!rst_ni)
    frame_ends && piece_i.bytes < length_t'(MinSendBytes));
endmodule
