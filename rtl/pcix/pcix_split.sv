// SPDX-License-Identifier: Apache-2.0
// Sequences of reads by their tags: room for their data, and the order of AXI4.
//
// A sequence is opened before the bus is asked for it. Its tag and the room for all its words are
// taken then, both in a ring. Data come for any tag, from Split Completions or from targets that
// answer at once. They leave in the order in which sequences were opened. A word leaves when the
// next one has come, or when the sequence has ended: an error of its parity is known by then. From
// the first error on all words of a sequence tell it, and are all ones.
//
// The first word leaves three clocks after the second one has come. A clock moves one word.
// Test: tests/rtl/pcix/pcix_read_bench.py.
module pcix_split
  import pcix_pkg::*;
#(
  parameter  int unsigned IdBits   = 4,
  parameter  int unsigned Tags     = 8,     // a power of two, at most 32
  parameter  int unsigned Words    = 1024,  // of 64 bits; a power of two, 512 and more
  localparam int unsigned TagBits  = $clog2(Tags),
  localparam int unsigned WordBits = $clog2(Words)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // A new sequence.
  input  logic              open_valid_i,
  output logic              open_ready_o,
  input  logic [IdBits-1:0] open_id_i,
  input  logic [6:0]        open_lower_i,   // address, a multiple of 8
  input  logic [9:0]        open_words_i,   // 1 to 512
  input  logic              open_last_i,    // the AXI4 burst ends with it
  output logic [4:0]        open_tag_o,
  // The end of the request of the sequence with this tag.
  input  logic [4:0]        asked_tag_i,
  input  logic              split_i,        // the target gave a Split Response
  input  logic              abort_i,        // nobody will bring the rest
  input  logic [1:0]        abort_resp_i,
  output logic [5:0]        splits_o,       // sequences that wait for Split Completions
  output logic              busy_o,         // words are to leave, or a sequence has no request yet
  // A Split Completion: whether it is known.
  input  logic [4:0]        part_tag_i,
  input  logic [6:0]        part_lower_i,
  input  count_t            part_bytes_i,
  input  logic              part_message_i,
  output logic              known_o,
  input  logic              failed_i,       // it is an error message: nobody will bring the rest
  // Data.
  input  logic              fill_valid_i,
  input  fill_t             fill_i,
  input  logic              fill_bad_i,     // the fill of the clock before had bad parity
  // AXI4's channel R.
  output logic              r_valid_o,
  input  logic              r_ready_i,
  output logic [IdBits-1:0] r_id_o,
  output logic [63:0]       r_data_o,
  output logic [1:0]        r_resp_o,
  output logic              r_last_o
);
  localparam logic [1:0] SlvErr = 2'b10;

  typedef logic [TagBits-1:0]  tag_t;
  typedef logic [WordBits-1:0] place_t;
  typedef logic [10:0]         dwords_t;

  typedef struct packed {
    logic [IdBits-1:0] id;
    logic              last;
    logic [6:0]        lower;
    place_t            place;
    logic [9:0]        words;
  } sequence_t;

  sequence_t       seq_q [Tags];
  dwords_t         got_q [Tags];
  logic [1:0]      resp_q [Tags];
  logic [Tags-1:0] open_q, split_q, ended_q;
  tag_t            new_q, head_q, fill_tag_q;
  place_t          new_place_q;
  logic [WordBits:0] room_q;
  tag_t            part_tag, asked_tag, fill_tag;
  logic            opens, leaves, goes;
  place_t          out_place;

  assign part_tag  = tag_t'(part_tag_i);
  assign asked_tag = tag_t'(asked_tag_i);
  assign fill_tag  = tag_t'(fill_i.tag);

  // ---- Opening ----

  assign open_ready_o = !open_q[new_q] && room_q >= (WordBits + 1)'(open_words_i);
  assign open_tag_o   = 5'(new_q);
  assign opens        = open_valid_i && open_ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      new_q       <= '0;
      new_place_q <= '0;
      room_q      <= (WordBits + 1)'(Words);
    end else begin
      if (opens) begin
        new_q       <= new_q + tag_t'(1);
        new_place_q <= new_place_q + place_t'(open_words_i);
      end
      room_q <= room_q - (opens ? (WordBits + 1)'(open_words_i) : '0) + (WordBits + 1)'(goes);
    end
  end

  always_ff @(posedge clk_i) begin
    if (opens) begin
      seq_q[new_q] <= '{id: open_id_i, last: open_last_i, lower: open_lower_i, place: new_place_q,
                        words: open_words_i};
    end
  end

  // ---- Data that come ----

  logic    at_high, whole;
  logic    low_en, high_en;
  dwords_t got, wanted;
  place_t  fill_place;
  logic [31:0] low_out, high_out;

  assign got        = got_q[fill_tag];
  assign wanted     = {seq_q[fill_tag].words, 1'b0};
  assign at_high    = got[0];
  assign low_en     = fill_valid_i && !at_high;
  assign high_en    = fill_valid_i && (at_high || fill_i.wide);
  assign fill_place = seq_q[fill_tag].place + place_t'(got >> 1);

  sync_ram #(.Width(32), .Depth(Words)) u_low (
    .clk_i, .wr_en_i(low_en), .wr_place_i(fill_place), .wr_data_i(fill_i.data[31:0]),
    .rd_en_i(goes), .rd_place_i(out_place), .rd_data_o(low_out));
  sync_ram #(.Width(32), .Depth(Words)) u_high (
    .clk_i, .wr_en_i(high_en), .wr_place_i(fill_place),
    .wr_data_i(fill_i.wide ? fill_i.data[63:32] : fill_i.data[31:0]), .rd_en_i(goes),
    .rd_place_i(out_place), .rd_data_o(high_out));

  always_ff @(posedge clk_i) begin
    fill_tag_q <= fill_tag;
    if (opens) got_q[new_q] <= '0;
    if (fill_valid_i) got_q[fill_tag] <= got + (!at_high && fill_i.wide ? 11'd2 : 11'd1);
    if (opens) resp_q[new_q] <= '0;
    if (fill_bad_i) resp_q[fill_tag_q] <= SlvErr;
    if (abort_i) resp_q[asked_tag] <= abort_resp_i;
    if (failed_i) resp_q[part_tag] <= SlvErr;
  end

  // A sequence ends by its last data, a clock later than they come, or by an error.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q  <= '0;
      split_q <= '0;
      ended_q <= '0;
    end else begin
      for (int unsigned i = 0; i < Tags; i++) begin
        if (open_q[i] && got_q[i] == {seq_q[i].words, 1'b0}) begin
          ended_q[i] <= 1'b1;
          split_q[i] <= 1'b0;
        end
      end
      if (split_i) split_q[asked_tag] <= 1'b1;
      if (abort_i) ended_q[asked_tag] <= 1'b1;
      if (failed_i) begin
        ended_q[part_tag] <= 1'b1;
        split_q[part_tag] <= 1'b0;
      end
      if (opens) begin
        open_q[new_q]  <= 1'b1;
        ended_q[new_q] <= 1'b0;
      end
      if (leaves) open_q[head_q] <= 1'b0;
    end
  end

  always_comb begin
    splits_o = '0;
    for (int unsigned i = 0; i < Tags; i++) splits_o += 6'(split_q[i]);
  end

  // ---- Split Completions ----

  dwords_t left, part;
  logic [6:0] next_lower;

  assign left       = {seq_q[part_tag].words, 1'b0} - got_q[part_tag];
  assign next_lower = seq_q[part_tag].lower + {got_q[part_tag][4:0], 2'b0};
  assign part       = part_bytes_i[12:2];
  assign known_o    = 6'(part_tag_i) < 6'(Tags) && split_q[part_tag] &&
                      (part_message_i || (part_lower_i == next_lower && part != '0 &&
                                          part <= left && part_bytes_i[1:0] == '0));

  // ---- Data that leave ----

  sequence_t   head;
  logic [8:0]  out_q;              // word of the head
  logic        r_valid_q, r_last_q;
  logic [1:0]  r_resp_q;
  logic [IdBits-1:0] r_id_q;

  assign head      = seq_q[head_q];
  assign out_place = head.place + place_t'(out_q);
  assign whole     = 10'(out_q) + 10'd1 == head.words;
  assign goes      = open_q[head_q] && (!r_valid_q || r_ready_i) &&
                     (ended_q[head_q] || got_q[head_q][10:1] > 10'(out_q) + 10'd1);
  assign leaves    = goes && whole;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q    <= '0;
      out_q     <= '0;
      r_valid_q <= 1'b0;
    end else begin
      if (goes) out_q <= whole ? '0 : out_q + 9'd1;
      if (leaves) head_q <= head_q + tag_t'(1);
      if (goes) r_valid_q <= 1'b1;
      else if (r_ready_i) r_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (goes) begin
      r_id_q   <= head.id;
      r_last_q <= head.last && whole;
      r_resp_q <= resp_q[head_q];
    end
  end

  // A sequence that only waits for Split Completions needs no clock.
  assign busy_o    = r_valid_q || ((open_q & ~split_q) != '0) || fill_valid_i || fill_bad_i || goes;

  assign r_valid_o = r_valid_q;
  assign r_id_o    = r_id_q;
  assign r_last_o  = r_last_q;
  assign r_resp_o  = r_resp_q;
  assign r_data_o  = r_resp_q == '0 ? {high_out, low_out} : '1;

  // Checks and corners.
  // Data come for sequences that are open, and not more than there is room for.
  FillsAnOpenOne: assert property (
    @(posedge clk_i) disable iff (!rst_ni)
    fill_valid_i |-> open_q[fill_tag] && got < wanted);
  stream_rules #(.Width($bits({r_data_o, r_id_o, r_last_o, r_resp_o}))) u_r_rules (
    .clk_i, .rst_ni, .valid_i(r_valid_o), .ready_i(r_ready_i),
    .payload_i({r_data_o, r_id_o, r_last_o, r_resp_o}));
  RoomIsInRange: assert property (
    @(posedge clk_i) disable iff (!rst_ni) room_q <= (WordBits + 1)'(Words));

  SeenNoTag: cover property (
    @(posedge clk_i) disable iff (!rst_ni) open_valid_i && open_q[new_q]);
  SeenNoRoom: cover property (
    @(posedge clk_i) disable iff (!rst_ni) open_valid_i && !open_q[new_q] && !open_ready_o);
  SeenOtherThanHead: cover property (
    @(posedge clk_i) disable iff (!rst_ni) fill_valid_i && fill_tag != head_q);
  SeenHighAlone: cover property (
    @(posedge clk_i) disable iff (!rst_ni) high_en && !low_en && fill_i.wide);
  SeenWrongPlace: cover property (
    @(posedge clk_i) disable iff (!rst_ni) split_q[part_tag] && part_lower_i != next_lower);
  SeenTooMuch: cover property (
    @(posedge clk_i) disable iff (!rst_ni) split_q[part_tag] && part > left);
  SeenBad: cover property (@(posedge clk_i) disable iff (!rst_ni) fill_bad_i);
  SeenRWaits: cover property (
    @(posedge clk_i) disable iff (!rst_ni) r_valid_o && !r_ready_i);
endmodule
