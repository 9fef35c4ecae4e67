// SPDX-License-Identifier: Apache-2.0
// Reads frames out of the receive buffer's memory, without the tag and FCS that are not wanted.
//
// A frame's info is offered first; when it is taken, the frame's words follow, aligned to lane 0.
// The next info may be offered while words of the frame before still wait. A frame takes one clock
// more than it has words, with a tag taken out two. Order is kept. TLM twin:
// models/nic/intel/rx_unit (classify). Test: tests/rtl/nic/nic_rx_bench.py.
module nic_rx_strip
  import nic_pkg::*;
#(
  parameter int unsigned PlaceBits = 15,
  parameter int unsigned CountBits = 12
) (
  input  logic                 clk_i,         // 156.25 MHz
  input  logic                 rst_ni,
  // The oldest frame that was not begun.
  input  logic                 frame_valid_i,
  output logic                 frame_take_o,
  input  length_t              bytes_i,       // that remain of it
  input  logic                 strip_i,       // without bytes 12 to 15
  input  logic [CountBits-1:0] words_i,       // that it has in the memory
  // The memory: data in the clock after rd_en_o, until the next rd_en_o.
  output logic                 rd_en_o,
  output logic [PlaceBits-1:0] rd_place_o,
  input  logic [63:0]          rd_data_i,
  // To the engine.
  output logic                 info_valid_o,
  input  logic                 info_ready_i,
  output logic                 word_valid_o,
  input  logic                 word_ready_i,
  output word_t                word_o,
  output logic                 busy_o
);
  localparam int unsigned Waiting = 4;  // words that wait for the engine
  localparam int unsigned LevelBits = $clog2(Waiting + 1);

  // ---- Fetch ----

  logic [PlaceBits-1:0] next_q;   // the word to fetch
  logic [PlaceBits-1:0] frame_q;  // the first word of the next frame
  logic [CountBits-1:0] left_q;   // words to fetch
  logic [1:0]           place_q;  // of the word to fetch in its frame, up to 2
  logic                 strip_q;
  length_t              bytes_q;  // of the frame, that were not passed on
  logic [LevelBits-1:0] level;
  logic                 fetched_q, first_q, second_q;

  assign info_valid_o = frame_valid_i && left_q == '0;
  assign frame_take_o = info_valid_o && info_ready_i;
  assign rd_en_o      = left_q != '0 && level + LevelBits'(fetched_q) < LevelBits'(Waiting);
  assign rd_place_o   = next_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q    <= '0;
      frame_q   <= '0;
      fetched_q <= 1'b0;
    end else begin
      fetched_q <= rd_en_o;
      if (frame_take_o) begin
        // With a tag taken out, the first word is made of the first two of the memory's.
        left_q  <= CountBits'((bytes_i + length_t'(7)) >> 3) + CountBits'(strip_i);
        frame_q <= frame_q + PlaceBits'(words_i);
      end else if (rd_en_o) begin
        left_q <= left_q - CountBits'(1);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (frame_take_o) begin
      next_q  <= frame_q;
      place_q <= '0;
      strip_q <= strip_i;
    end else if (rd_en_o) begin
      next_q  <= next_q + PlaceBits'(1);
      place_q <= place_q == 2'd2 ? 2'd2 : place_q + 2'd1;
    end
    if (rd_en_o) begin
      first_q  <= place_q == 2'd0;
      second_q <= place_q == 2'd1;
    end
  end

  // ---- Put together ----

  logic [31:0] held_q;   // bytes that go before those of the next word
  logic        put;
  word_t       made;

  assign put = fetched_q && !(strip_q && second_q);

  always_comb begin
    made.last  = bytes_q <= length_t'(8);
    made.lanes = made.last ? 3'(bytes_q - length_t'(1)) : 3'd7;
    made.data  = strip_q && !first_q ? {rd_data_i[31:0], held_q} : rd_data_i;
    made.data  = made.data & ~({64{1'b1}} << 6'd8 << {made.lanes, 3'b0});
  end

  always_ff @(posedge clk_i) begin
    if (frame_take_o) bytes_q <= bytes_i;
    else if (put) bytes_q <= bytes_q - length_t'(8);
    if (fetched_q && strip_q) held_q <= second_q ? rd_data_i[31:0] : rd_data_i[63:32];
  end

  logic ready;
  sync_fifo #(.Width($bits(word_t)), .Depth(Waiting)) u_waiting (
    .clk_i, .rst_ni, .in_valid_i(put), .in_ready_o(ready), .in_data_i(made),
    .out_valid_o(word_valid_o), .out_ready_i(word_ready_i), .out_data_o(word_o),
    .level_o(level));

  assign busy_o = left_q != '0 || fetched_q || word_valid_o;

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // There is room for each word that was fetched.
      RoomForFetched: assert (!put || ready);
      // The last word that is fetched is the frame's last.
      EndsWithFetch: assert (!(fetched_q && left_q == '0) || (put && made.last));
      // No word before it is.
      EndsOnce: assert (!(put && left_q != '0) || !made.last);
    end
  end
  // A word that waits stays as it is.
  stream_rules #(.Width($bits(word_o))) u_word_rules (
    .clk_i, .rst_ni, .valid_i(word_valid_o), .ready_i(word_ready_i), .payload_i(word_o));

  // Corners: frames whose last bytes are those of the word before, and whose are not; a stall.
  StripEndsHeld: cover property (
    @(posedge clk_i) disable iff (!rst_ni) put && made.last && strip_q && bytes_q <= 15'd4);
  StripEndsFetched: cover property (
    @(posedge clk_i) disable iff (!rst_ni) put && made.last && strip_q && bytes_q > 15'd4);
  Stalled: cover property (
    @(posedge clk_i) disable iff (!rst_ni) left_q != '0 && !rd_en_o);
  TakenAtEnd: cover property (@(posedge clk_i) disable iff (!rst_ni) frame_take_o && fetched_q);
endmodule
