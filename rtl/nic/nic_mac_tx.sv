// SPDX-License-Identifier: Apache-2.0
// Frames to XGMII of 64 bits (IEEE 802.3, clauses 4 and 46): preamble, padding, FCS, gap, pace.
//
// Two streams of frames come in without FCS: control frames, which go first and which no pause
// holds, and data. A stream offers a frame only when it has all of it: from its first word to its
// last it is valid in every clock. A frame starts in lane 0 or 4. The gap is 12 bytes in the mean:
// the deficit idle count makes it up to 3 bytes shorter or longer (clause 46.3.1.4). A lone frame
// starts one clock after it is offered. The pace makes the gaps of data longer (PAP.TXPV).
//
// TLM twin: models/net/mac, IxgbTx::pace_ps. Test: tests/rtl/nic/nic_line_bench.py.
module nic_mac_tx
  import nic_pkg::*;
(
  input  logic        clk_i,              // 156.25 MHz
  input  logic        rst_ni,
  input  logic        enable_i,           // off: no frame starts
  input  logic        paused_i,           // no frame of data starts
  input  logic        local_fault_i,      // nothing is received: remote fault is sent, no frame
  input  logic [3:0]  pace_i,             // Gb/s, 1 to 9; 15: that of the WAN PHY; others: none
  // Control frames, 60 bytes each.
  input  logic        control_valid_i,
  output logic        control_ready_o,
  input  word_t       control_word_i,
  input  logic        control_xon_i,      // it ends a pause
  // Data.
  input  logic        frame_valid_i,
  output logic        frame_ready_o,
  input  word_t       frame_word_i,
  input  length_t     frame_bytes_i,      // of the whole frame; valid with its first word
  // The wire.
  output logic [63:0] xgmii_txd_o,        // lane 0 in [7:0]
  output logic [7:0]  xgmii_txc_o,
  output logic        event_valid_o,      // one clock: a frame has started
  output tx_event_t   event_o,
  output logic        busy_o              // a frame, its gap or its pace goes on
);
  localparam logic [63:0] Preamble    = 64'hD555_5555_5555_5500 | 64'(XgmiiStart);
  localparam logic [63:0] RemoteFault = {2{24'h02_0000, XgmiiSequence}};
  localparam logic [2:0]  LastOfMin   = 3'd7;  // the 60 bytes end in word 7,
  localparam logic [2:0]  LanesOfMin  = 3'd3;  // lane 3

  // Words are made as if each frame began in lane 0. `half` moves them by four lanes.
  typedef struct packed {
    logic [7:0]  control;
    logic [63:0] data;
  } columns_t;
  columns_t   made;
  logic       half, half_q, half_d;
  logic [3:0] tail_control_q;  // the second half of what was made, if it is moved
  logic [31:0] tail_data_q;

  typedef enum logic [1:0] {StIdle, StData, StTail, StGap} state_e;
  state_e     state_q, state_d;
  logic       is_control_q, first_q, padding_q, fresh_q;
  logic [2:0] place_q;         // of the word that is fetched, up to LastOfMin
  word_t      word_q, source, fetched;
  logic [31:0] crc_q, crc_d;
  logic       start, start_control, fetch, beyond_q;

  // ---- Fetch: the next word of the frame, padded ----

  logic pad;  // the frame has ended before 60 bytes
  assign source = (start ? start_control : is_control_q) ? control_word_i : frame_word_i;
  assign pad    = padding_q && !start;

  always_comb begin
    fetched = pad ? '{last: 1'b0, lanes: 3'd7, data: '0} : source;
    if (start || !beyond_q) begin
      if (!start && place_q == LastOfMin) begin
        if (pad || (source.last && source.lanes < LanesOfMin)) begin
          fetched.last  = 1'b1;
          fetched.lanes = LanesOfMin;
        end
      end else begin
        fetched.last  = 1'b0;
        fetched.lanes = 3'd7;
      end
    end
  end

  assign fetch           = start || (state_q == StData && !word_q.last);
  assign control_ready_o = fetch && !pad && (start ? start_control : is_control_q);
  assign frame_ready_o   = fetch && !pad && !(start ? start_control : is_control_q);

  crc32_d64 u_crc (
    .crc_i(start ? CrcInit : crc_q), .lanes_i(fetched.lanes), .data_i(fetched.data),
    .crc_o(crc_d));

  always_ff @(posedge clk_i) begin
    if (fetch) begin
      word_q    <= fetched;
      crc_q     <= crc_d;
      padding_q <= pad || source.last;
      place_q   <= start ? 3'd1 : (place_q == LastOfMin ? LastOfMin : place_q + 3'd1);
      beyond_q  <= !start && (beyond_q || place_q == LastOfMin);
      first_q   <= start;
      if (start) is_control_q <= start_control;
    end
  end

  // ---- The end of a frame: FCS, Terminate, and the gap behind them ----

  logic [3:0]   bytes;        // of the last word
  logic [127:0] tail_data;
  logic [15:0]  tail_control;
  logic         tail_long;    // they take two words
  columns_t     tail_q;

  assign bytes        = {1'b0, word_q.lanes} + 4'd1;
  assign tail_long    = bytes > 4'd3;
  assign tail_control = 16'hFFFF << (bytes + 4'd4);
  assign tail_data    = {64'b0, word_q.data} | ({96'b0, ~crc_q} << {bytes, 3'b0}) |
                        ({{15{XgmiiIdle}}, XgmiiTerminate} << 32 << {bytes, 3'b0});

  // The frame ends `over` bytes into a column. Without the deficit it would have to wait for the
  // next column each time.
  logic [1:0] over, deficit_q, deficit_d;
  logic       odd, longer;    // the frame has an odd number of whole columns
  logic [2:0] columns;        // from the column of the Terminate to the next start
  logic [1:0] gap_q, gap_d;   // words without a frame
  assign over      = bytes[1:0];
  assign odd       = bytes < 4'd4 || bytes[3];
  assign longer    = {1'b0, deficit_q} + {1'b0, over} > 3'd3;
  assign deficit_d = deficit_q + over;  // modulo 4 takes back what a longer gap gives
  assign columns   = longer ? 3'd4 : 3'd3;
  assign half_d    = half_q ^ odd ^ columns[0];
  assign gap_d     = 2'((4'({half_q}) + 4'd2 + 4'(odd) + 4'(columns)) >> 1) -
                     2'((3'd4 + 3'(odd)) >> 1);

  // ---- Pace ----

  localparam int unsigned DebtBits = 33;
  localparam logic [DebtBits-1:0] WanGain = DebtBits'(304_552);  // 9.294196 Gb/s, as below
  logic signed [DebtBits-1:0] debt_q;   // 1/40960 of a clock's bytes
  logic [DebtBits-1:0]        gain, cost;
  logic                       paced;
  length_t                    octets;   // of the frame of data that is next, on the wire

  assign octets = frame_bytes_i < length_t'(MinFrameBytes - FcsBytes) ?
                  length_t'(MinFrameBytes) : frame_bytes_i + length_t'(FcsBytes);
  assign paced  = (pace_i != 4'd0 && pace_i < 4'd10) || pace_i == 4'd15;
  assign gain   = pace_i == 4'd15 ? WanGain : {14'b0, pace_i, 15'b0};
  assign cost   = (DebtBits'(octets) + DebtBits'(PreambleBytes + GapBytes)) * DebtBits'(40960);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !paced) debt_q <= '0;
    else if (start && !start_control) debt_q <= debt_q + signed'(cost - gain);
    else if (debt_q > 0) debt_q <= debt_q - signed'(gain);
  end

  // ---- What goes out ----

  assign start_control = control_valid_i;
  assign start         = state_q == StIdle && enable_i && !local_fault_i &&
                         (control_valid_i || (frame_valid_i && !paused_i && debt_q <= 0));

  always_comb begin
    state_d = state_q;
    made    = local_fault_i ? '{control: 8'h11, data: RemoteFault}
                            : '{control: 8'hFF, data: XgmiiIdles};
    unique case (state_q)
      StIdle: begin
        if (start) begin
          made    = '{control: 8'h01, data: Preamble};
          state_d = StData;
        end
      end
      StData: begin
        made = '{control: '0, data: word_q.data};
        if (word_q.last) begin
          made = '{control: tail_control[7:0], data: tail_data[63:0]};
          if (tail_long) state_d = StTail;
          else state_d = gap_d == '0 ? StIdle : StGap;
        end
      end
      StTail: begin
        made    = tail_q;
        state_d = gap_q == '0 ? StIdle : StGap;
      end
      StGap:   if (gap_q == 2'd1) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  // The next frame may start right behind the gap in either half. Later it starts in lane 0, and
  // there is no deficit.
  logic half_next_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= StIdle;
      half_q      <= 1'b0;
      half_next_q <= 1'b0;
      deficit_q   <= '0;
      gap_q       <= '0;
      fresh_q     <= 1'b0;
    end else begin
      state_q <= state_d;
      fresh_q <= state_d == StIdle && state_q != StIdle;
      if (state_q == StData && word_q.last) begin
        half_next_q <= half_d;
        gap_q       <= gap_d;
        deficit_q   <= deficit_d;
      end
      if (state_q == StGap) gap_q <= gap_q - 2'd1;
      if (state_q == StIdle) begin
        half_q <= start && half;
        if (!start) begin
          half_next_q <= 1'b0;
          deficit_q   <= '0;
        end
      end
    end
  end

  assign half = state_q == StIdle ? half_next_q : half_q;

  always_ff @(posedge clk_i) begin
    if (state_q == StData && word_q.last) begin
      tail_q <= '{control: tail_control[15:8], data: tail_data[127:64]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      xgmii_txd_o    <= XgmiiIdles;
      xgmii_txc_o    <= '1;
      tail_data_q    <= XgmiiIdles[31:0];
      tail_control_q <= '1;
    end else begin
      xgmii_txd_o    <= half ? {made.data[31:0], tail_data_q} : made.data;
      xgmii_txc_o    <= half ? {made.control[3:0], tail_control_q} : made.control;
      tail_data_q    <= half ? made.data[63:32] : XgmiiIdles[31:0];
      tail_control_q <= half ? made.control[7:4] : '1;
    end
  end

  // ---- The event of a frame: its second word is being fetched ----

  logic [47:0] to;
  length_t     octets_q;
  logic        padded_q, xon_q;
  assign to            = word_q.data[47:0];
  assign event_valid_o = state_q == StData && first_q;

  always_ff @(posedge clk_i) begin
    if (start) begin
      octets_q <= start_control ? length_t'(MinFrameBytes) : octets;
      padded_q <= !start_control && frame_bytes_i < length_t'(MinFrameBytes - FcsBytes);
      xon_q    <= control_xon_i;
    end
  end

  always_comb begin
    event_o.octets = octets_q;
    event_o.sort   = to == '1 ? CastBroad : (to[0] ? CastMulti : CastUni);
    event_o.vlan   = swap16(fetched.data[47:32]) == TypeVlan;
    event_o.jumbo  = octets_q > (event_o.vlan ? length_t'(1522) : length_t'(1518));
    event_o.padded = padded_q;
    event_o.xon    = is_control_q && xon_q;
    event_o.xoff   = is_control_q && !xon_q;
  end

  assign busy_o = state_q != StIdle || fresh_q || half_next_q || debt_q > 0;

  logic half_was_q;
  always_ff @(posedge clk_i) begin : checks
    half_was_q <= half;
    if (rst_ni) begin
      // A frame has its words when they are due.
      NoUnderrun: assert (
        (!frame_ready_o || frame_valid_i) && (!control_ready_o || control_valid_i));
      // The gap is never shorter or longer by more than the deficit idle count allows.
      GapInRange: assert (!(state_q == StData && word_q.last) || gap_d <= 2'd2);
      // A frame that begins in the upper half does not meet what is left of the one before.
      HalvesApart: assert (
        !(start && !half && half_was_q) ||
        (tail_control_q == '1 && tail_data_q == XgmiiIdles[31:0]));
    end
  end

  // Corners: each length of a tail, gaps of each kind, both halves, control before data.
  TailShort: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StData && word_q.last && !tail_long);
  TailLong: cover property (@(posedge clk_i) disable iff (!rst_ni) state_q == StTail);
  GapNone: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StData && word_q.last && gap_d == 2'd0);
  GapTwo: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StData && word_q.last && gap_d == 2'd2);
  GapShorter: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StData && word_q.last && !longer && over != 0);
  GapLonger: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StData && word_q.last && longer);
  StartsHigh: cover property (@(posedge clk_i) disable iff (!rst_ni) start && half);
  ControlFirst: cover property (
    @(posedge clk_i) disable iff (!rst_ni) start && start_control && frame_valid_i);
  HeldByPause: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StIdle && frame_valid_i && paused_i);
  Paced: cover property (
    @(posedge clk_i) disable iff (!rst_ni) state_q == StIdle && frame_valid_i && debt_q > 0);
  Padded: cover property (@(posedge clk_i) disable iff (!rst_ni) state_q == StData && padding_q);
endmodule
