// SPDX-License-Identifier: Apache-2.0
// Cuts the descriptor in hand into pieces, asks for their data, and says what becomes of each.
//
// A packet that is no super-frame gives one frame, of MaxSendBytes at most. A super-frame gives its
// header, then a segment for each mss bytes; data beyond the context's length are not asked for. A
// piece is one span of host memory, or nothing. One piece a clock, in order; a descriptor's last
// piece says that it is the last. Every descriptor has one, so all are given back in order.
//
// Room: the words of a piece are taken from the buffer's room when it is asked for, so data never
// wait for room. A segment begins when all of it and segment_padding_i fit, or when the buffer is
// empty. A frame that is too long takes room for MaxSendBytes, which the buffer always has in the
// end; the rest of its data is not asked for, and it is dropped.
// TLM twin: TxUnit::next_read of models/nic/intel, which also looks ahead at the packet's size.
module nic_tx_segment
  import nic_pkg::*;
  import nic_tx_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // The descriptor in hand.
  input  logic        work_valid_i,
  input  tx_work_t    work_i,
  input  tx_context_t context_i,
  output logic        step_o,
  output length_t     step_bytes_o,
  output logic        finish_o,
  // Room in the buffer.
  input  logic [15:0] segment_padding_i,  // TSPMT.TSPBP, bytes
  input  room_t       room_i,             // words
  input  logic        frame_room_i,       // for one frame more
  output logic        take_o,
  output place_t      take_words_o,
  output logic        take_frame_o,       // they are a new frame's
  // Spans.
  output logic        req_valid_o,
  input  logic        req_ready_i,
  output span_t       req_o,
  // Pieces, in the order of their spans.
  output logic        piece_valid_o,
  input  logic        piece_ready_i,
  output tx_piece_t   piece_o,
  // Super-frames that ended, one clock each.
  output logic        tso_whole_o,
  output logic        tso_failed_o
);
  // Of the packet.
  logic        claimed_q;  // a super-frame has data
  logic [7:0]  header_q;   // bytes of the header asked for
  logic [19:0] cut_q;      // bytes of payload in the segments before
  // Of the frame.
  logic        open_q, drop_q;
  length_t     filled_q;   // bytes asked for, header included
  place_t      words_q;    // of the buffer that it has

  logic        cuts;       // the packet is a super-frame to be cut
  logic [7:0]  header_left;
  logic        in_header, beyond, too_long, skip;
  logic [19:0] payload_left;
  length_t     payload, limit, base, bytes, after;
  place_t      words_after;
  logic        finish, ends, full, frame_ends, whole, super_ends, drop;

  assign cuts         = work_i.segment && !work_i.discard;
  assign header_left  = context_i.header_bytes - header_q;
  assign in_header    = cuts && header_left != '0;
  assign payload_left = context_i.payload_bytes - cut_q;
  assign payload      = payload_left < 20'(context_i.mss) ? length_t'(payload_left)
                                                          : length_t'(context_i.mss);
  assign beyond       = cuts && !in_header && payload_left == '0;
  assign limit        = cuts ? length_t'(context_i.header_bytes) + payload
                             : length_t'(MaxSendBytes);
  assign base         = open_q ? filled_q : cuts ? length_t'(context_i.header_bytes) : '0;
  assign too_long     = !cuts && filled_q == length_t'(MaxSendBytes) && work_i.bytes != '0;
  assign drop         = drop_q || too_long;
  assign skip         = work_i.sets_context || work_i.discard || beyond || too_long ||
                        work_i.bytes == '0;

  function automatic length_t least(input logic [19:0] a, input length_t b);
    return a < 20'(b) ? length_t'(a) : b;
  endfunction

  assign bytes = skip ? '0 : least(work_i.bytes, in_header ? length_t'(header_left) : limit - base);
  assign after       = base + bytes;
  assign words_after = words_of(after);
  assign finish      = skip || 20'(bytes) == work_i.bytes;
  assign ends        = finish && work_i.last;
  assign full        = cuts && !in_header && !skip && after == limit;
  assign frame_ends  = full || (ends && (open_q || (!skip && !in_header)));

  always_comb begin
    piece_o              = '0;
    piece_o.sets_context = work_i.sets_context;
    piece_o.first        = work_i.first;
    piece_o.vlan         = work_i.vlan;
    piece_o.empty        = skip;
    piece_o.drop         = drop;
    piece_o.last         = !full || payload_left == 20'(payload);
    piece_o.done         = finish;
    piece_o.bytes        = after;
    if (in_header) begin
      // A header that ends too early is given up with the packet.
      if (!skip || ends) piece_o.target = ToHeader;
      piece_o.close = piece_o.target == ToHeader && (ends || 8'(bytes) == header_left);
    end else begin
      if (!skip || (ends && open_q)) piece_o.target = ToFrame;
      piece_o.close = frame_ends;
    end
  end

  // Room for what is asked for, and for a whole segment when it begins.
  logic        fits, segment_fits, asks;
  logic [13:0] segment_words;
  assign segment_words = 14'((17'(limit) + 17'(segment_padding_i) + 17'd7) >> 3);
  assign segment_fits  = 14'(room_i) >= segment_words || room_i == room_t'(BufferWords);
  assign fits          = in_header || ((open_q || (frame_room_i && (!cuts || segment_fits))) &&
                                       room_i >= room_t'(words_after - words_q));

  assign asks          = work_valid_i && !skip && fits;
  assign req_valid_o   = asks && piece_ready_i;
  assign req_o.addr    = work_i.addr;
  assign req_o.bytes   = bytes;
  assign piece_valid_o = (work_valid_i && skip) || (asks && req_ready_i);

  assign step_o        = piece_valid_o && piece_ready_i;
  assign step_bytes_o  = bytes;
  assign finish_o      = step_o && finish;
  assign take_o        = step_o && !skip && !in_header;
  assign take_words_o  = words_after - words_q;
  assign take_frame_o  = !open_q;

  // A super-frame is whole when all that the context promised is in segments. One without any data
  // counts as nothing, as does a packet that is none.
  assign whole        = payload_left == (full ? 20'(payload) : '0);
  assign super_ends   = finish_o && work_i.last && cuts && (claimed_q || work_i.bytes != '0);
  assign tso_whole_o  = super_ends && whole;
  assign tso_failed_o = (super_ends && !whole) || (finish_o && work_i.first && work_i.discard);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || (step_o && ends)) begin
      claimed_q <= 1'b0;
      header_q  <= '0;
      cut_q     <= '0;
      open_q    <= 1'b0;
      drop_q    <= 1'b0;
      filled_q  <= '0;
      words_q   <= '0;
    end else if (step_o && cuts && full) begin
      cut_q     <= cut_q + 20'(payload);
      open_q    <= 1'b0;
      filled_q  <= '0;
      words_q   <= '0;
    end else if (step_o && !skip) begin
      claimed_q <= 1'b1;
      if (in_header) begin
        header_q <= header_q + 8'(bytes);
      end else begin
        open_q   <= 1'b1;
        filled_q <= after;
        words_q  <= words_after;
      end
    end else if (step_o) begin
      drop_q <= drop;
    end
  end

  logic unused_context;
  assign unused_context = ^{context_i.status, context_i.command, context_i.kind, context_i.l4_end,
                            context_i.l4_field, context_i.l4_start, context_i.ip_end,
                            context_i.ip_field, context_i.ip_start};

  // A request stays until it is taken.
  stream_rules #(.Width($bits(req_o))) u_request_rules (
    .clk_i, .rst_ni, .valid_i(req_valid_o), .ready_i(req_ready_i), .payload_i(req_o));
  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // A span has bytes, and no more than a frame may have.
      SpanHasBytes: assert (
        !req_valid_o || (req_o.bytes != '0 && req_o.bytes <= length_t'(MaxSendBytes)));
      // Room is there for what is taken.
      RoomIsThere: assert (
        !take_o || (room_t'(take_words_o) <= room_i && (frame_room_i || !take_frame_o)));
      // A span goes with a piece, in the same clock.
      SpanWithPiece: assert ((req_valid_o && req_ready_i) == (step_o && !piece_o.empty));
      // A segment that is open has payload to come.
      OpenSegmentGoesOn: assert (!(open_q && cuts && work_valid_i) || payload_left != '0);
      // No frame is longer than frames may be.
      FrameInRange: assert (filled_q <= length_t'(MaxSendBytes));
    end
  end

  // Corners of packets and super-frames.
  SeenTooLong: cover property (@(posedge clk_i) disable iff (!rst_ni) step_o && too_long);
  SeenLongest: cover property (@(posedge clk_i) disable iff (!rst_ni)
    step_o && frame_ends && !cuts && !drop && after == length_t'(MaxSendBytes));
  SeenBeyond: cover property (@(posedge clk_i) disable iff (!rst_ni)
    step_o && beyond && work_i.bytes != '0);
  SeenDiscard: cover property (@(posedge clk_i) disable iff (!rst_ni) step_o && work_i.discard);
  SeenSegment: cover property (@(posedge clk_i) disable iff (!rst_ni) step_o && full && !ends);
  SeenLastSegment: cover property (@(posedge clk_i) disable iff (!rst_ni)
    step_o && full && ends && piece_o.last);
  SeenShortSegment: cover property (@(posedge clk_i) disable iff (!rst_ni)
    step_o && cuts && frame_ends && !full);
  SeenShortOnBoundary: cover property (@(posedge clk_i) disable iff (!rst_ni)
    step_o && full && ends && !piece_o.last);
  SeenShortHeader: cover property (@(posedge clk_i) disable iff (!rst_ni)
    step_o && in_header && piece_o.close && header_left != 8'(bytes));
  SeenEmptyEnd: cover property (@(posedge clk_i) disable iff (!rst_ni)
    step_o && skip && frame_ends && !drop);
  SeenPacketOfNothing: cover property (@(posedge clk_i) disable iff (!rst_ni)
    step_o && ends && !open_q && header_q == '0 && work_i.bytes == '0 && cut_q == '0);
  SeenNoRoom: cover property (@(posedge clk_i) disable iff (!rst_ni)
    work_valid_i && !skip && open_q && !fits);
  SeenNoRoomForSegment: cover property (@(posedge clk_i) disable iff (!rst_ni)
    work_valid_i && !skip && cuts && !in_header && !open_q && !segment_fits);
  SeenNoRoomForFrame: cover property (@(posedge clk_i) disable iff (!rst_ni)
    work_valid_i && !skip && !in_header && !open_q && !frame_room_i);
  SeenPieceWaits: cover property (@(posedge clk_i) disable iff (!rst_ni)
    work_valid_i && !piece_ready_i);
  SeenRequestWaits: cover property (@(posedge clk_i) disable iff (!rst_ni)
    req_valid_o && !req_ready_i);
endmodule
