// SPDX-License-Identifier: Apache-2.0
// The receive packet buffer: frames from the line are stored as they come, and kept or taken back.
//
// Words are held back for three clocks. The verdict on a frame is then there when its last word is
// written: the frame is kept, or the next one is written over it. A frame that finds no room for a
// word is missed whole, even if room comes before its end; the twin looks at its end alone. Words
// lie in the memory as they came; nic_rx_strip leaves tag and FCS out when they are read. A frame's
// bytes, rounded up to 8, count in fill_o from when it is kept until the engine gives them back.
// The event's `missed` is the cause RXO, too.
//
// Latency: a frame's info is offered six clocks after its last word came. Order is kept. TLM twin:
// models/common/packet_fifo, models/nic/intel/rx_unit. Test: tests/rtl/nic/nic_rx_bench.py.
module nic_rx_buffer
  import nic_pkg::*;
#(
  parameter  int unsigned BufferBytes = 262144,                   // a power of two
  localparam int unsigned Words       = BufferBytes / 8,
  localparam int unsigned PlaceBits   = $clog2(Words),
  localparam int unsigned FillBits    = $clog2(BufferBytes) + 1,
  localparam int unsigned CountBits   = $clog2(MaxFrameBytes / 8 + 2)
) (
  input  logic                 clk_i,           // 156.25 MHz
  input  logic                 rst_ni,
  // Settings.
  input  logic                 enable_i,        // the lanes are aligned, and RCTL.RXEN
  input  logic                 sbp_i,           // RCTL.SBP: damaged frames are stored
  input  logic                 cff_i,           // RCTL.CFF: MAC control frames are not
  input  logic                 secrc_i,         // RCTL.SECRC: the FCS is left out
  input  logic                 vme_i,           // CTRL0.VME: tags are taken out
  input  logic                 ipofl_i,         // RXCSUM.IPOFL: IPv4 header sums are told
  input  logic                 tuofl_i,         // RXCSUM.TUOFL: all sums are told
  input  logic [15:0]          limit_i,         // longest frame without a tag: MFS, or 1518
  input  logic                 descriptors_i,   // the host has given descriptors that are unused
  // Frames from the line, and what others say of them.
  input  logic                 word_valid_i,
  input  line_word_t           word_i,
  input  rx_filter_t           filter_i,
  input  rx_sums_t             sums_i,
  input  logic                 control_i,       // of nic_pause_rx
  input  logic                 pause_i,
  input  logic                 xon_i,
  output logic                 good_o,          // to nic_pause_rx
  output logic                 event_valid_o,
  output rx_event_t            event_o,
  output logic [FillBits-1:0]  fill_o,          // bytes
  // To the engine: a frame's info, then its words.
  output logic                 info_valid_o,
  input  logic                 info_ready_i,
  output rx_info_t             info_o,
  output logic [CountBits-1:0] info_words_o,    // what the engine gives back for this frame
  output logic                 word_valid_o,
  input  logic                 word_ready_i,
  output word_t                word_o,
  input  logic                 release_i,       // room is given back
  input  logic [CountBits-1:0] release_words_i,
  output logic                 busy_o
);
  localparam int unsigned Delay     = 3;
  localparam int unsigned Frames    = BufferBytes / MinFrameBytes;
  localparam int unsigned FrameBits = $clog2(Frames);
  typedef logic [PlaceBits-1:0] place_t;
  typedef logic [PlaceBits:0]   level_t;
  typedef logic [CountBits-1:0] count_t;
  typedef logic [FrameBits-1:0] frame_t;

  // What is kept of a frame beside its words.
  typedef struct packed {
    count_t      words;
    logic        strip;
    length_t     bytes;
    logic [15:0] special;
    logic [7:0]  errors;
    logic [7:0]  status;
  } entry_t;

  // ---- The verdict comes when the words do ----

  logic [Delay-1:0]       late_valid_q, late_last_q;
  logic [Delay-1:0][63:0] late_q;
  logic                   write, last;
  logic                   decide, keep, strip, room, judging;
  rx_info_t               info;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) late_valid_q <= '0;
    else late_valid_q <= {late_valid_q[Delay-2:0], word_valid_i};
  end

  always_ff @(posedge clk_i) begin
    if (word_valid_i) begin
      late_q[0]      <= word_i.word.data;
      late_last_q[0] <= word_i.word.last;
    end
    for (int unsigned i = 1; i < Delay; i++) begin
      if (late_valid_q[i-1]) begin
        late_q[i]      <= late_q[i-1];
        late_last_q[i] <= late_last_q[i-1];
      end
    end
  end

  assign write = late_valid_q[Delay-1];
  assign last  = late_last_q[Delay-1];

  nic_rx_judge u_judge (
    .clk_i, .rst_ni, .enable_i, .sbp_i, .cff_i, .secrc_i, .vme_i, .ipofl_i, .tuofl_i, .limit_i,
    .descriptors_i, .word_valid_i, .word_i, .filter_i, .sums_i, .control_i, .pause_i, .xon_i,
    .room_i(room), .good_o, .decide_o(decide), .keep_o(keep), .strip_o(strip), .info_o(info),
    .event_valid_o, .event_o, .busy_o(judging));

  // ---- Words go in ----

  place_t base_q;    // of the frame that comes
  count_t count_q;   // words of it so far
  logic   over_q;    // one of them found no room
  level_t level_q;   // words of frames that are kept
  logic   commit;

  assign room   = !over_q && level_q + level_t'(count_q) < level_t'(Words);
  assign commit = decide && keep;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      base_q  <= '0;
      count_q <= '0;
      over_q  <= 1'b0;
    end else if (write) begin
      count_q <= last ? '0 : count_q + count_t'(1);
      over_q  <= !last && !room;
      if (commit) base_q <= base_q + place_t'(count_q) + place_t'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      level_q <= '0;
    end else if (commit || release_i) begin
      level_q <= level_q + (commit ? level_t'(count_q) + level_t'(1) : '0) -
                 (release_i ? level_t'(release_words_i) : '0);
    end
  end

  assign fill_o = {level_q, 3'b0};

  logic        rd_en;
  place_t      rd_place;
  logic [63:0] rd_data;

  sync_ram #(.Width(64), .Depth(Words)) u_words (
    .clk_i, .wr_en_i(write && room), .wr_place_i(base_q + place_t'(count_q)),
    .wr_data_i(late_q[Delay-1]), .rd_en_i(rd_en), .rd_place_i(rd_place), .rd_data_o(rd_data));

  // ---- Frames wait ----

  entry_t             made, head;
  frame_t             in_q, out_q;
  logic [FrameBits:0] frames_q;      // that wait in the memory
  logic               head_valid_q;  // the oldest is at hand
  logic               fetch, take;

  assign made  = '{words: count_q + count_t'(1), strip: strip, bytes: info.bytes,
                   special: info.special, errors: info.errors, status: info.status};
  assign fetch = frames_q != '0 && (!head_valid_q || take);

  sync_ram #(.Width($bits(entry_t)), .Depth(Frames)) u_frames (
    .clk_i, .wr_en_i(commit), .wr_place_i(in_q), .wr_data_i(made), .rd_en_i(fetch),
    .rd_place_i(out_q), .rd_data_o(head));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q         <= '0;
      out_q        <= '0;
      frames_q     <= '0;
      head_valid_q <= 1'b0;
    end else begin
      if (commit) in_q <= in_q + frame_t'(1);
      if (fetch) out_q <= out_q + frame_t'(1);
      if (commit != fetch) begin
        frames_q <= commit ? frames_q + (FrameBits+1)'(1) : frames_q - (FrameBits+1)'(1);
      end
      if (fetch) head_valid_q <= 1'b1;
      else if (take) head_valid_q <= 1'b0;
    end
  end

  // ---- Words go out ----

  logic reading;

  nic_rx_strip #(.PlaceBits(PlaceBits), .CountBits(CountBits)) u_strip (
    .clk_i, .rst_ni, .frame_valid_i(head_valid_q), .frame_take_o(take), .bytes_i(head.bytes),
    .strip_i(head.strip), .words_i(head.words), .rd_en_o(rd_en), .rd_place_o(rd_place),
    .rd_data_i(rd_data), .info_valid_o, .info_ready_i, .word_valid_o, .word_ready_i, .word_o,
    .busy_o(reading));

  assign info_o       = '{bytes: head.bytes, special: head.special, errors: head.errors,
                          status: head.status, checksum: '0};
  assign info_words_o = head.words;
  assign busy_o       = late_valid_q != '0 || count_q != '0 || judging || frames_q != '0 ||
                        head_valid_q || reading;

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // The verdict comes with the last word of a frame.
      VerdictInTime: assert (!decide || (write && last));
      // No more than all of the memory is in use.
      LevelInRange: assert (level_q <= level_t'(Words));
      // Nothing is given back that was not taken.
      ReleaseInRange: assert (!release_i || level_t'(release_words_i) <= level_q);
      // There are no more frames than the shortest ones that fit.
      FramesInRange: assert (frames_q <= (FrameBits+1)'(Frames));
    end
  end
  // An info that is offered stays as it is until it is taken.
  stream_rules #(.Width($bits(info_o))) u_info_rules (
    .clk_i, .rst_ni, .valid_i(info_valid_o), .ready_i(info_ready_i), .payload_i(info_o));

  // Corners: full to the last word, one word too few, room given back when a frame is kept, both
  // memories wrap, a frame is taken back right before another.
  FullToTheLast: cover property (
    @(posedge clk_i) disable iff (!rst_ni) level_q == level_t'(Words));
  OneTooFew: cover property (
    @(posedge clk_i) disable iff (!rst_ni) write && last && !room && !over_q);
  GivenAndTaken: cover property (@(posedge clk_i) disable iff (!rst_ni) commit && release_i);
  WordsWrap: cover property (
    @(posedge clk_i) disable iff (!rst_ni) write && room && base_q + place_t'(count_q) == '1);
  FramesWrap: cover property (@(posedge clk_i) disable iff (!rst_ni) commit && in_q == '1);
  TakenBackGapless: cover property (
    @(posedge clk_i) disable iff (!rst_ni) decide && !keep && late_valid_q[Delay-2]);
endmodule
