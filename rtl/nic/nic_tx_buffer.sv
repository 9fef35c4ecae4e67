// SPDX-License-Identifier: Apache-2.0
// The transmit packet buffer: frames come in as words with their places, and go out whole.
//
// Words of one frame come in any order, then its end, which keeps the frame or drops it; then the
// next frame's. A frame that was kept goes out when its sums are there, which are set in the words
// as they leave, as is the tag. Frames leave in order, a word a clock, without a gap in a frame.
// Between two frames are two clocks, or three if the tag made the first one longer.
//
// Room is taken before words come: nothing is lost, and words are never refused. A frame gives its
// room back when it is dropped, or when its last word leaves for the MAC.
// TLM twin: PacketFifo of models/nic/blocks, TxRoom of models/nic/intel.
module nic_tx_buffer
  import nic_pkg::*;
  import nic_tx_pkg::*;
#(
  parameter int unsigned Words  = BufferWords,  // a power of two, 8 or more
  parameter int unsigned Frames = 512           // that may wait
) (
  input  logic      clk_i,
  input  logic      rst_ni,
  // Room.
  output room_t     room_o,        // words that can be taken
  output logic      frame_room_o,  // a frame more can be taken
  input  logic      take_i,
  input  place_t    take_words_i,
  input  logic      take_frame_i,  // they are a new frame's
  // Frames in.
  input  logic      item_valid_i,
  input  tx_item_t  item_i,
  input  logic      ready_valid_i,
  input  tx_ready_t ready_i,       // of a frame that was kept; in order
  // Frames out, without FCS and padding.
  output logic      word_valid_o,
  input  logic      word_ready_i,
  output word_t     word_o,
  output length_t   frame_bytes_o, // of the whole frame; valid with its first word
  output logic      empty_o        // no frame is in it, none has room in it
);
  localparam int unsigned PlaceBits = $clog2(Words);
  localparam int unsigned FrameBits = $clog2(Frames + 1);
  typedef logic [PlaceBits-1:0] spot_t;

  // Words in.
  logic [63:0] mem_q [Words];
  spot_t       in_base_q, in_spot;
  logic        kept, dropped;

  assign in_spot = in_base_q + spot_t'(item_i.index);
  assign kept    = item_valid_i && item_i.close && !item_i.drop;
  assign dropped = item_valid_i && item_i.close && item_i.drop;

  always_ff @(posedge clk_i) begin
    if (item_valid_i && item_i.word) mem_q[in_spot] <= item_i.data;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) in_base_q <= '0;
    else if (kept) in_base_q <= in_base_q + spot_t'(words_of(item_i.bytes));
  end

  // Frames that wait.
  logic      ready_valid, start, fifo_room;
  tx_ready_t ready;
  logic [FrameBits-1:0] waiting;

  sync_fifo #(.Width($bits(tx_ready_t)), .Depth(Frames)) u_frames (
    .clk_i, .rst_ni, .in_valid_i(ready_valid_i), .in_ready_o(fifo_room), .in_data_i(ready_i),
    .out_valid_o(ready_valid), .out_ready_i(start), .out_data_o(ready), .level_o(waiting));

  // The frame that goes out: words are read a clock before they are seen.
  tx_ready_t frame_q;
  logic      active_q, seen_q, first_q, last_q, tag_ready, fetch, leave;
  spot_t     out_q;
  place_t    index_q, words_q, seen_index_q;
  logic [63:0] data_q, data;
  word_t     word;

  assign leave = seen_q && tag_ready;
  assign fetch = active_q && (!seen_q || leave);
  assign start = ready_valid && !active_q && (!seen_q || leave);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q     <= 1'b0;
      seen_q       <= 1'b0;
      first_q      <= 1'b0;
      last_q       <= 1'b0;
      out_q        <= '0;
      index_q      <= '0;
      words_q      <= '0;
      seen_index_q <= '0;
      frame_q      <= '0;
    end else begin
      if (start) begin
        active_q <= 1'b1;
        frame_q  <= ready;
        index_q  <= '0;
        words_q  <= words_of(ready.bytes);
      end
      if (fetch) begin
        seen_q       <= 1'b1;
        seen_index_q <= index_q;
        first_q      <= index_q == '0;
        last_q       <= index_q == words_q - place_t'(1);
        active_q     <= index_q != words_q - place_t'(1);
        index_q      <= index_q + place_t'(1);
        out_q        <= out_q + spot_t'(1);
      end else if (leave) begin
        seen_q       <= 1'b0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (fetch) data_q <= mem_q[out_q];
  end

  // The sums set; the TCP or UDP sum after the IP sum.
  function automatic logic [63:0] set_in(input logic [63:0] in, input place_t index,
                                         input tx_field_t field);
    return field.insert
        ? patched(in, index, field.at, 32'h0000_FFFF, {16'b0, swap16(field.value)})
        : in;
  endfunction
  assign data = seen_index_q > place_t'(32) ? data_q
      : set_in(set_in(data_q, seen_index_q, frame_q.ip), seen_index_q, frame_q.l4);
  assign word = '{last: last_q, lanes: last_q ? 3'(frame_q.bytes[2:0] - 3'd1) : 3'd7, data: data};

  nic_tx_tag u_tag (
    .clk_i, .rst_ni, .in_valid_i(seen_q), .in_ready_o(tag_ready), .in_word_i(word),
    .in_first_i(first_q), .in_vlan_i(frame_q.vlan), .in_tag_i(frame_q.tag),
    .out_valid_o(word_valid_o), .out_ready_i(word_ready_i), .out_word_o(word_o));

  // The next frame does not begin before the first word of this one was taken.
  assign frame_bytes_o = frame_q.bytes + (frame_q.vlan ? length_t'(TagBytes) : '0);

  // Room.
  room_t                room_q, room_d;
  logic [FrameBits-1:0] frames_q;
  logic                 sent;
  assign sent = leave && last_q;

  always_comb begin
    room_d = room_q;
    if (take_i) room_d -= room_t'(take_words_i);
    if (dropped) room_d += room_t'(words_of(item_i.bytes));
    if (sent) room_d += room_t'(words_q);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      room_q   <= room_t'(Words);
      frames_q <= '0;
    end else if (take_i || dropped || sent) begin
      room_q   <= room_d;
      frames_q <= frames_q + FrameBits'(take_i && take_frame_i) - FrameBits'(dropped) -
                  FrameBits'(sent);
    end
  end
  assign room_o       = room_q;
  assign frame_room_o = frames_q != FrameBits'(Frames);
  assign empty_o      = frames_q == '0 && !word_valid_o;

  logic unused_parts;
  assign unused_parts = ^{item_i.ip_data, item_i.vlan, item_i.tag, item_i.sums, item_i.index,
                          waiting};

  logic goes_on_q;
  always_ff @(posedge clk_i) begin : checks
    goes_on_q <= rst_ni && word_valid_o && word_ready_i && !word_o.last;
    if (rst_ni) begin
      // Room is never taken that is not there, nor given back twice.
      RoomInRange: assert (
        room_q <= room_t'(Words) && (!take_i || room_t'(take_words_i) <= room_q));
      FramesInRange: assert (
        frames_q <= FrameBits'(Frames) && (!(take_i && take_frame_i) || frame_room_o));
      // A frame's room covers its words: all room is free when there is no frame.
      AllRoomIsBack: assert (!(frames_q == '0) || room_q == room_t'(Words));
      // A frame that was kept finds a place among those that wait.
      ReadyFits: assert (!ready_valid_i || fifo_room);
      // No gap in a frame: while the MAC takes words, the next one is there.
      NoGap: assert (!goes_on_q || word_valid_o);
    end
  end

  // Corners: the buffer is full; the places wrap; frames of sums; a drop while another is sent.
  SeenFull: cover property (@(posedge clk_i) disable iff (!rst_ni) room_q < room_t'(8));
  SeenInWrap: cover property (@(posedge clk_i) disable iff (!rst_ni)
    item_valid_i && item_i.word && in_spot < in_base_q);
  SeenOutWrap: cover property (@(posedge clk_i) disable iff (!rst_ni) fetch && out_q == '1);
  SeenFramesFull: cover property (@(posedge clk_i) disable iff (!rst_ni) !frame_room_o);
  SeenDrop: cover property (@(posedge clk_i) disable iff (!rst_ni) dropped);
  SeenAllAtOnce: cover property (@(posedge clk_i) disable iff (!rst_ni) take_i && dropped && sent);
endmodule
